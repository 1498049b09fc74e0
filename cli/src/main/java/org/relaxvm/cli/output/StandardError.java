package org.relaxvm.cli.output;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Standard error of the process, of which {@code System.console()} says nothing. */
final class StandardError {
  private static final int DESCRIPTOR = 2;

  /** A link to what the descriptor is; Linux only. */
  private static final Path LINK = Path.of("/proc/self/fd/" + DESCRIPTOR);

  private StandardError() {}

  /**
   * Whether it is a terminal; empty where that cannot be told.
   *
   * <p>Rationale: docs/rationale/cli.md, "Why is a link of the process read to find a terminal?"
   */
  static Optional<Boolean> isTerminal() {
    return target().flatMap(StandardError::isTerminal).or(StandardError::isTerminalByCall);
  }

  private static Optional<String> target() {
    try {
      return Optional.of(Files.readSymbolicLink(LINK).toString());
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** Whether the target of the link is a terminal; empty for devices that may be one. */
  static Optional<Boolean> isTerminal(String target) {
    if (target.startsWith("/dev/pts/")) {
      return Optional.of(true);
    }
    return target.startsWith("/dev/") && !target.equals("/dev/null")
        ? Optional.empty()
        : Optional.of(false);
  }

  private static Optional<Boolean> isTerminalByCall() {
    if (!StandardError.class.getModule().isNativeAccessEnabled()) {
      return Optional.empty();
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("isatty")
        .or(() -> linker.defaultLookup().find("_isatty"))
        .map(function -> call(linker, function) != 0);
  }

  @SuppressWarnings("restricted") // isatty takes an int and gives one
  private static int call(Linker linker, MemorySegment function) {
    MethodHandle isatty =
        linker.downcallHandle(function, FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    try {
      return (int) isatty.invokeExact(DESCRIPTOR);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("isatty threw", e);
    }
  }
}
