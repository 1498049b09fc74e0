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
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * A region of Windows: pages are committed, written, and executable then.
 *
 * <p>Source: VirtualAlloc, VirtualProtect, FlushInstructionCache in Microsoft's documentation of
 * memoryapi.h and processthreadsapi.h.
 */
record WindowsRegion(long reserved, long address, long byteSize) implements Region {
  private static final int MEM_COMMIT = 0x1000;
  private static final int MEM_RESERVE = 0x2000;
  private static final int MEM_RELEASE = 0x8000;
  private static final int PAGE_READWRITE = 0x04;
  private static final int PAGE_EXECUTE_READ = 0x20;
  private static final long CURRENT_PROCESS = -1;

  /** The functions of kernel32, bound when the first region is made. */
  private static final class Kernel {
    static final StructLayout STATE = Linker.Option.captureStateLayout();
    static final VarHandle LAST_ERROR =
        STATE.varHandle(MemoryLayout.PathElement.groupElement("GetLastError"));
    static final MethodHandle ALLOC =
        handle(
            "VirtualAlloc",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));
    static final MethodHandle PROTECT =
        handle(
            "VirtualProtect",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS));
    static final MethodHandle FREE =
        handle("VirtualFree", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    static final MethodHandle FLUSH =
        handle(
            "FlushInstructionCache",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private Kernel() {}

    @SuppressWarnings("restricted") // signatures of kernel32
    private static MethodHandle handle(String name, FunctionDescriptor signature) {
      SymbolLookup kernel32 = SymbolLookup.libraryLookup("kernel32", Arena.global());
      return Linker.nativeLinker()
          .downcallHandle(
              kernel32.findOrThrow(name),
              signature,
              Linker.Option.captureCallState("GetLastError"));
    }
  }

  static WindowsRegion of(long bytes, long pageSize) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Kernel.STATE);
      long reserved =
          (long)
              Kernel.ALLOC.invokeExact(
                  state, 0L, bytes + 2 * pageSize, MEM_RESERVE, PAGE_READWRITE);
      check("VirtualAlloc", bytes, reserved != 0, state);
      long address = reserved + pageSize;
      WindowsRegion region = new WindowsRegion(reserved, address, bytes);
      long committed =
          (long) Kernel.ALLOC.invokeExact(state, address, bytes, MEM_COMMIT, PAGE_READWRITE);
      if (committed == 0) {
        int error = (int) Kernel.LAST_ERROR.get(state, 0L);
        region.unmap();
        throw refused("VirtualAlloc", bytes, error);
      }
      return region;
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  @Override
  public boolean isAlwaysWritable() {
    return false;
  }

  @Override
  @SuppressWarnings("restricted") // memory that was committed with this size
  public void write(long offset, byte[] code) {
    MemorySegment.ofAddress(address + offset)
        .reinterpret(code.length)
        .copyFrom(MemorySegment.ofArray(code));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Kernel.STATE);
      MemorySegment before = arena.allocate(JAVA_INT);
      int isProtected =
          (int) Kernel.PROTECT.invokeExact(state, address, byteSize, PAGE_EXECUTE_READ, before);
      check("VirtualProtect", byteSize, isProtected != 0, state);
      int isFlushed = (int) Kernel.FLUSH.invokeExact(state, CURRENT_PROCESS, address, byteSize);
      check("FlushInstructionCache", byteSize, isFlushed != 0, state);
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  @Override
  public void unmap() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Kernel.STATE);
      int isFree = (int) Kernel.FREE.invokeExact(state, reserved, 0L, MEM_RELEASE);
      check("VirtualFree", byteSize, isFree != 0, state);
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  private static void check(String call, long bytes, boolean isDone, MemorySegment state) {
    if (!isDone) {
      throw refused(call, bytes, (int) Kernel.LAST_ERROR.get(state, 0L));
    }
  }

  private static CodeMemoryException refused(String call, long bytes, int error) {
    return new CodeMemoryException(
        "no executable memory: %s of %d bytes failed with error %d of Windows"
            .formatted(call, bytes, error));
  }

  private static RuntimeException raised(Throwable e) {
    return switch (e) {
      case RuntimeException known -> known;
      case Error fatal -> throw fatal;
      default -> new IllegalStateException("a downcall raises nothing", e);
    };
  }
}
