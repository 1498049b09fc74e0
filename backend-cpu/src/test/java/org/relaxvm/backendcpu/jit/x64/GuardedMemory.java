package org.relaxvm.backendcpu.jit.x64;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A page between two inaccessible ones. */
@SuppressWarnings("restricted") // signatures of the C library
final class GuardedMemory implements AutoCloseable {
  private static final long PAGE_BYTES = 1 << 16;
  private static final int NO_ACCESS = 0;
  private static final int READ_WRITE = 3;
  private static final int PRIVATE = 2;
  private static final int ANONYMOUS =
      System.getProperty("os.name", "").startsWith("Mac") ? 0x1000 : 0x20;

  private final long start;

  /** Maps the pages. Not on Windows. */
  GuardedMemory() {
    MethodHandle mmap =
        handle(
            "mmap",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    MethodHandle mprotect =
        handle("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    try {
      start = (long) mmap.invokeExact(0L, 3 * PAGE_BYTES, NO_ACCESS, PRIVATE | ANONYMOUS, -1, 0L);
      int result = (int) mprotect.invokeExact(start + PAGE_BYTES, PAGE_BYTES, READ_WRITE);
      if (start == -1 || result != 0) {
        throw new IllegalStateException("mmap or mprotect failed");
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a downcall raises nothing", e);
    }
  }

  private static MethodHandle handle(String name, FunctionDescriptor signature) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
  }

  /** The first bytes of the page; there is no access before them. */
  MemorySegment first(long bytes) {
    return MemorySegment.ofAddress(start + PAGE_BYTES).reinterpret(bytes);
  }

  /** The last bytes of the page; there is no access after them. */
  MemorySegment last(long bytes) {
    return MemorySegment.ofAddress(start + 2 * PAGE_BYTES - bytes).reinterpret(bytes);
  }

  @Override
  public void close() {
    MethodHandle munmap = handle("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    try {
      int ignored = (int) munmap.invokeExact(start, 3 * PAGE_BYTES);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a downcall raises nothing", e);
    }
  }
}
