package org.relaxvm.cli.output;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Standard error of the process, of which {@code System.console()} says nothing. */
final class StandardError {
  private static final int DESCRIPTOR = 2;

  private StandardError() {}

  /** Whether it is a terminal; empty where that cannot be told. */
  static Optional<Boolean> isTerminal() {
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
