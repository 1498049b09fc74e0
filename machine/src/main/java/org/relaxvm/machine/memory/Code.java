package org.relaxvm.machine.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/** Machine code in executable memory. Thread-safe. */
public final class Code implements AutoCloseable {
  private final CodeMemory memory;
  private final CodeRange region;
  private final long offset;
  private final long address;
  private final int byteSize;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  Code(CodeMemory memory, CodeRange region, long offset, long address, int byteSize) {
    this.memory = memory;
    this.region = region;
    this.offset = offset;
    this.address = address;
    this.byteSize = byteSize;
  }

  /** The address of its first byte, a multiple of {@link CodeMemory#ALIGNMENT}. */
  public long address() {
    return address;
  }

  /** Its size. */
  public int byteSize() {
    return byteSize;
  }

  /**
   * A handle that calls the code at an offset as a C function.
   *
   * @param entry bytes from the start of the code
   * @param signature of the function
   * @param options of {@link Linker#downcallHandle}
   */
  @SuppressWarnings("restricted") // the owner of the code vouches for it
  public MethodHandle handle(int entry, FunctionDescriptor signature, Linker.Option... options) {
    if (entry < 0 || entry >= byteSize) {
      throw new IllegalArgumentException(
          "an entry is from 0 to %d, but got %d".formatted(byteSize - 1, entry));
    }
    return Linker.nativeLinker()
        .downcallHandle(MemorySegment.ofAddress(address + entry), signature, options);
  }

  /** Frees the memory. No call of the code may be running or follow. A second call does nothing. */
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      memory.release(region, offset, byteSize);
    }
  }
}
