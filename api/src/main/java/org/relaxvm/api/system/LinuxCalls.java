package org.relaxvm.api.system;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Functions of the C library of Linux. To be used only where {@link #areAllowed()}. Stateless and
 * thread-safe.
 */
final class LinuxCalls {
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
  private static final int MADV_HUGEPAGE = 14;

  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle MMAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MUNMAP =
      handle("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle MADVISE =
      handle("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle GET_AFFINITY =
      handle("sched_getaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
  private static final MethodHandle SET_AFFINITY =
      handle("sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));

  private LinuxCalls() {}

  /** Whether this is Linux and the JVM was told to allow native access. */
  static boolean areAllowed() {
    return isLinux() && LinuxCalls.class.getModule().isNativeAccessEnabled();
  }

  static boolean isLinux() {
    return System.getProperty("os.name", "").equals("Linux");
  }

  @SuppressWarnings("restricted") // signatures of the C library
  private static MethodHandle handle(String name, FunctionDescriptor signature) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        signature,
        Linker.Option.captureCallState("errno"));
  }

  /** Maps zeroed pages; returns their address, or the negative error number. */
  static long map(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long address =
          (long) MMAP.invokeExact(state, 0L, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
      return address == -1 ? -errno(state) : address;
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  /** Unmaps pages; returns 0 or the error number. */
  static int unmap(long address, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return (int) MUNMAP.invokeExact(state, address, bytes) == 0 ? 0 : errno(state);
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  /** Asks for huge pages; returns 0 or the error number. */
  static int adviseHugePages(long address, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return (int) MADVISE.invokeExact(state, address, bytes, MADV_HUGEPAGE) == 0
          ? 0
          : errno(state);
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  /**
   * Reads the processors that a thread may use.
   *
   * @param thread its number in the system; 0 is the calling thread
   * @param mask a bit for each processor
   * @return 0 or the error number
   */
  static int affinity(int thread, MemorySegment mask) {
    return affinity(GET_AFFINITY, thread, mask);
  }

  /** Sets the processors that the calling thread may use; returns 0 or the error number. */
  static int setAffinity(MemorySegment mask) {
    return affinity(SET_AFFINITY, 0, mask);
  }

  private static int affinity(MethodHandle function, int thread, MemorySegment mask) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int result = (int) function.invokeExact(state, thread, mask.byteSize(), mask);
      return result == 0 ? 0 : errno(state);
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  private static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  private static RuntimeException raised(Throwable e) {
    return switch (e) {
      case RuntimeException known -> known;
      case Error fatal -> throw fatal;
      default -> new IllegalStateException("a downcall raises nothing", e);
    };
  }
}
