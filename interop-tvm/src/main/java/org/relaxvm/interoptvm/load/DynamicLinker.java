package org.relaxvm.interoptvm.load;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.interoptvm.abi.Downcall;
import org.relaxvm.interoptvm.abi.RawMemory;

/**
 * The dynamic linker of the C library. The JDK's own lookup cannot make symbols of one library
 * visible to others, and does not say why a library cannot be loaded. Thread-safe.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why are libraries opened with `RTLD_NOW` and
 * `RTLD_LOCAL`?"
 */
final class DynamicLinker {
  /** All symbols are resolved at once: one that is missing would end the process at its call. */
  private static final int NOW = 2;

  private static final int NO_LOAD = 4;
  private static final int GLOBAL = 0x100;
  private static final MethodHandle OPEN =
      handle("dlopen", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT));
  private static final MethodHandle SYMBOL =
      handle("dlsym", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS));
  private static final MethodHandle CLOSE =
      handle("dlclose", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  private static final MethodHandle ERROR = handle("dlerror", FunctionDescriptor.of(JAVA_LONG));

  private DynamicLinker() {}

  /** The result of opening a library: a handle, or 0 and why not. */
  record Opened(long handle, String problem) {}

  /** Loads a library for itself: its symbols are found through its handle only. */
  static Opened openLocal(String path) {
    return open(path, NOW);
  }

  /** Loads a library whose symbols other libraries find. */
  static Opened openGlobal(String path) {
    return open(path, NOW | GLOBAL);
  }

  /** Whether a name still stands for a library that had this handle. */
  static boolean isLoaded(String path, long handle) {
    long found = open(path, NOW | NO_LOAD).handle();
    if (found != 0) {
      close(found);
    }
    return found == handle;
  }

  private static Opened open(String path, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      long handle = (long) OPEN.invokeExact(arena.allocateFrom(path), flags);
      if (handle != 0) {
        return new Opened(handle, "");
      }
      long message = (long) ERROR.invokeExact();
      return new Opened(
          0, message == 0 ? "the dynamic linker does not say why" : RawMemory.string(message));
    } catch (Throwable e) {
      throw Downcall.raised(e);
    }
  }

  /** The address of a symbol of a library, or 0. */
  static long symbol(long handle, String name) {
    try (Arena arena = Arena.ofConfined()) {
      return (long) SYMBOL.invokeExact(handle, arena.allocateFrom(name));
    } catch (Throwable e) {
      throw Downcall.raised(e);
    }
  }

  /** The address of a symbol that the process has without any library of ours, or 0. */
  static long symbolOfProcess(String name) {
    return symbol(0, name);
  }

  /** Gives up one opening of a library; the last one unloads it. */
  static void close(long handle) {
    try {
      int code = (int) CLOSE.invokeExact(handle);
      if (code != 0) {
        throw new IllegalStateException("a library that was open cannot be closed");
      }
    } catch (Throwable e) {
      throw Downcall.raised(e);
    }
  }

  @SuppressWarnings("restricted") // functions of the C library, with the signatures it documents
  private static MethodHandle handle(String name, FunctionDescriptor signature) {
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> found = linker.defaultLookup().find(name);
    if (found.isEmpty()) {
      // C libraries before glibc 2.34 keep these apart.
      found = SymbolLookup.libraryLookup("libdl.so.2", Arena.global()).find(name);
    }
    MemorySegment address =
        found.orElseThrow(
            () ->
                new LinkException(
                    ErrorKind.RUNTIME, "the C library of this system has no function " + name));
    return linker.downcallHandle(address, signature);
  }
}
