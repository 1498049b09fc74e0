package org.relaxvm.machine.memory;

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

/** Functions of the C library for pages of memory. Stateless and thread-safe. */
final class CLibrary {
  static final int PROT_NONE = 0;
  static final int PROT_READ_WRITE = 3;
  static final int PROT_READ_EXECUTE = 5;
  static final int MAP_SHARED = 0x01;
  static final int MAP_PRIVATE = 0x02;
  static final int MAP_FIXED = 0x10;
  static final int MAP_ANONYMOUS = isMac() ? 0x1000 : 0x20;

  private static final int MFD_CLOEXEC = 1;
  private static final int MFD_EXEC = 0x10;
  private static final int EINVAL = 22;
  private static final int SC_PAGESIZE = isMac() ? 29 : 30;

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
  private static final MethodHandle MPROTECT =
      handle("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle FTRUNCATE =
      handle("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle SYSCONF =
      handle("sysconf", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));

  private CLibrary() {}

  static boolean isMac() {
    return System.getProperty("os.name", "").startsWith("Mac");
  }

  @SuppressWarnings("restricted") // signatures of the C library
  private static MethodHandle handle(String name, FunctionDescriptor signature) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        signature,
        Linker.Option.captureCallState("errno"));
  }

  static long pageSize() {
    try (Arena arena = Arena.ofConfined()) {
      return (long) SYSCONF.invokeExact(arena.allocate(STATE), SC_PAGESIZE);
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  /** Maps pages; {@code address} is 0 or, with {@link #MAP_FIXED}, where. */
  static long mmap(long address, long bytes, int protection, int flags, int file) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long mapped = (long) MMAP.invokeExact(state, address, bytes, protection, flags, file, 0L);
      if (mapped == -1) {
        throw CodeMemoryException.ofCall("mmap", bytes, errno(state));
      }
      return mapped;
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  static void munmap(long address, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int result = (int) MUNMAP.invokeExact(state, address, bytes);
      if (result != 0) {
        throw CodeMemoryException.ofCall("munmap", bytes, errno(state));
      }
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  static void mprotect(long address, long bytes, int protection) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int result = (int) MPROTECT.invokeExact(state, address, bytes, protection);
      if (result != 0) {
        throw CodeMemoryException.ofCall("mprotect", bytes, errno(state));
      }
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  /** The descriptor of a new memory file of {@code bytes} zeros whose pages may be executed. */
  static int memoryFile(long bytes) {
    int file = memfd(MFD_CLOEXEC | MFD_EXEC);
    // Kernels before 6.3 do not know MFD_EXEC; there, all memory files may be executed.
    if (file == -EINVAL) {
      file = memfd(MFD_CLOEXEC);
    }
    if (file < 0) {
      throw CodeMemoryException.ofCall("memfd_create", bytes, -file);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int result = (int) FTRUNCATE.invokeExact(state, file, bytes);
      if (result != 0) {
        int errno = errno(state);
        close(file);
        throw CodeMemoryException.ofCall("ftruncate", bytes, errno);
      }
      return file;
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  /** The descriptor, or the negative error number. */
  private static int memfd(int flags) {
    MethodHandle memfd =
        Linker.nativeLinker().defaultLookup().find("memfd_create").isPresent()
            ? handle("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT))
            : null;
    if (memfd == null) {
      throw new CodeMemoryException("no executable memory: the C library has no memfd_create");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int file = (int) memfd.invokeExact(state, arena.allocateFrom("relaxvm-code"), flags);
      return file < 0 ? -errno(state) : file;
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  static void close(int file) {
    try (Arena arena = Arena.ofConfined()) {
      int ignored = (int) CLOSE.invokeExact(arena.allocate(STATE), file);
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
