package org.relaxvm.backendcpu.jit.run;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendcpu.invocation.ScratchMemory;

/**
 * What a thread works on in a call: a block, temporary memory, what the kernel calls and returns.
 * Belongs to one thread; each range of a parallel loop has a frame with a copy of the block.
 */
final class Frame implements AutoCloseable {
  private final MachineKernel kernel;
  private final MemorySegment block;
  private final @Nullable VmContext context;
  private final List<PackedFunc> called;
  private final Tensor[] tensors;
  private final ScratchMemory.@Nullable Block[] allocated;
  private final @Nullable Frame outer;
  private @Nullable ScratchMemory memory;
  private ScratchMemory.@Nullable Block scratch;
  private @Nullable Object result;

  /** The frame of the thread that calls a kernel. */
  Frame(
      MachineKernel kernel,
      MemorySegment block,
      @Nullable VmContext context,
      List<PackedFunc> called,
      Tensor[] tensors) {
    this(kernel, block, context, null, called, tensors, null);
  }

  private Frame(
      MachineKernel kernel,
      MemorySegment block,
      @Nullable VmContext context,
      @Nullable ScratchMemory memory,
      List<PackedFunc> called,
      Tensor[] tensors,
      @Nullable Frame outer) {
    this.kernel = kernel;
    this.block = block;
    this.context = context;
    this.memory = memory;
    this.called = called;
    this.tensors = tensors;
    this.allocated = new ScratchMemory.Block[kernel.allocations()];
    this.outer = outer;
  }

  /** A frame for a range of a parallel loop, with a copy of the block. */
  Frame forRange() {
    MemorySegment copy = kernel.takeBlock();
    copy.copyFrom(block);
    kernel.linkSlots(copy);
    return new Frame(kernel, copy, null, memory, called, tensors, this);
  }

  MachineKernel kernel() {
    return kernel;
  }

  MemorySegment block() {
    return block;
  }

  /** Of the caller; null where there is none, and in ranges of parallel loops. */
  @Nullable VmContext contextOrNull() {
    return context;
  }

  /** Where memory comes from. First called by the thread that calls the kernel. */
  ScratchMemory memory() {
    ScratchMemory known = memory;
    if (known == null) {
      known = ScratchMemory.of(context);
      memory = known;
    }
    return known;
  }

  PackedFunc called(int number) {
    return called.get(number);
  }

  void set(int offset, long value) {
    block.set(ValueLayout.JAVA_LONG, offset, value);
  }

  /** The tensor of a parameter that is a buffer. */
  Tensor tensor(int buffer) {
    return tensors[buffer];
  }

  @Nullable Object result() {
    return result;
  }

  void setResult(Object value) {
    result = value;
  }

  /** The address of so many bytes, which stay until this frame is closed or asked again. */
  long scratch(long bytes) {
    ScratchMemory.Block known = scratch;
    if (known == null || known.memory().byteSize() < bytes) {
      if (known != null) {
        known.release();
        scratch = null;
      }
      known = memory().take(bytes);
      scratch = known;
    }
    return known.memory().address();
  }

  /** The address of a buffer of so many elements, which stays until this frame is closed. */
  long allocate(int number, long elements, int elementBytes) {
    if (elements < 0 || elements > Long.MAX_VALUE / 16) {
      throw new CallException(
          ErrorKind.MEMORY,
          "a buffer of " + elements + " elements cannot be allocated: that does not fit 63 bits");
    }
    long bytes = elements * elementBytes;
    ScratchMemory.Block known = allocated[number];
    if (known == null || known.memory().byteSize() < bytes) {
      if (known != null) {
        allocated[number] = null;
        known.release();
      }
      known = memory().take(bytes);
      allocated[number] = known;
    }
    return known.memory().address();
  }

  /** The memory of an allocated buffer. */
  MemorySegment allocated(int number) {
    ScratchMemory.Block own = allocated[number];
    if (own != null) {
      return own.memory();
    }
    if (outer == null) {
      throw new IllegalStateException("buffer " + number + " is not allocated");
    }
    return outer.allocated(number);
  }

  /** Releases what was allocated here. */
  @Override
  public void close() {
    for (ScratchMemory.@Nullable Block own : allocated) {
      if (own != null) {
        own.release();
      }
    }
    ScratchMemory.Block known = scratch;
    if (known != null) {
      known.release();
    }
    kernel.giveBlock(block);
  }
}
