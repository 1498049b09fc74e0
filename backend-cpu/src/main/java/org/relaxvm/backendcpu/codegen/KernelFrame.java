package org.relaxvm.backendcpu.codegen;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.invocation.Failures;
import org.relaxvm.backendcpu.invocation.Pins;
import org.relaxvm.backendcpu.invocation.ScratchMemory;
import org.relaxvm.backendcpu.vector.MemoryKind;
import org.relaxvm.backendcpu.vector.NativeMemory;

/**
 * What generated code works on: the memory of its buffers, its variables, the result. Belongs to
 * one thread; each thread that takes part in a loop gets a copy with memory of its own for what it
 * allocates. The generated class says which number each buffer and variable has.
 */
public final class KernelFrame implements AutoCloseable {
  private @Nullable KernelCode code;
  private final @Nullable VmContext context;
  private final MemorySegment[] memory;
  private final long[] places;
  private final long[] values;
  private final @Nullable Tensor[] tensors;
  private final List<PackedFunc> functions;
  private final List<ScratchMemory.Block> own = new ArrayList<>(0);
  private @Nullable ScratchMemory scratch;
  private final Pins pins = new Pins();
  private @Nullable Object result;

  KernelFrame(@Nullable VmContext context, int buffers, int variables, List<PackedFunc> functions) {
    this(
        null,
        context,
        new MemorySegment[buffers],
        new long[buffers],
        new long[variables],
        new Tensor[buffers],
        functions);
    java.util.Arrays.fill(memory, MemorySegment.NULL);
  }

  private KernelFrame(
      @Nullable KernelCode code,
      @Nullable VmContext context,
      MemorySegment[] memory,
      long[] places,
      long[] values,
      @Nullable Tensor[] tensors,
      List<PackedFunc> functions) {
    this.code = code;
    this.context = context;
    this.memory = memory;
    this.places = places;
    this.values = values;
    this.tensors = tensors;
    this.functions = functions;
  }

  /** Sets the memory of a buffer; {@code writes} says whether the kernel writes it. */
  void setTensor(int buffer, Tensor tensor, boolean writes) {
    tensors[buffer] = tensor;
    memory[buffer] = HostDevice.segmentOf(tensor.storage().memory());
    places[buffer] = tensor.byteOffset();
    pins.add(tensor, writes);
  }

  void setCode(KernelCode running) {
    code = running;
  }

  @Nullable Object result() {
    return result;
  }

  /** What all memory is. */
  MemoryKind kind() {
    if (pins.areComplete()) {
      return MemoryKind.PINNED;
    }
    for (MemorySegment segment : memory) {
      if (!NativeMemory.holds(segment)) {
        return MemoryKind.ANY;
      }
    }
    return MemoryKind.NATIVE;
  }

  /** The memory of a buffer. */
  public MemorySegment memory(int buffer) {
    return memory[buffer];
  }

  /** Where the first element of a buffer is, in bytes. */
  public long place(int buffer) {
    return places[buffer];
  }

  /** The address of the first element of a buffer in pinned memory. */
  public long address(int buffer) {
    return memory[buffer].address() + places[buffer];
  }

  /** The bytes from the first element of a buffer to the end of its memory. */
  public long bytes(int buffer) {
    return memory[buffer].byteSize() - places[buffer];
  }

  /** An integer: a variable. */
  public long value(int variable) {
    return values[variable];
  }

  /** Sets a variable. */
  public void setValue(int variable, long value) {
    values[variable] = value;
  }

  /** Gives a buffer memory, whose content is undefined, until this frame is closed. */
  public void allocate(int buffer, long elements, int elementBytes) {
    long bytes = -1;
    if (elements >= 0 && elements <= Long.MAX_VALUE / 16) {
      bytes = elements * elementBytes;
    }
    if (bytes < 0) {
      throw new CallException(
          ErrorKind.MEMORY,
          "a buffer of " + elements + " elements cannot be allocated: that does not fit 63 bits");
    }
    if (!isOwn(memory[buffer]) || memory[buffer].byteSize() < bytes) {
      ScratchMemory.Block block = scratch().take(bytes);
      own.add(block);
      memory[buffer] = block.memory();
    }
    places[buffer] = 0;
  }

  private boolean isOwn(MemorySegment segment) {
    for (ScratchMemory.Block block : own) {
      if (block.memory().equals(segment)) {
        return true;
      }
    }
    return false;
  }

  /** Called first by the thread that runs the call; frames of other threads are given it. */
  private ScratchMemory scratch() {
    ScratchMemory known = scratch;
    if (known == null) {
      known = ScratchMemory.of(context);
      scratch = known;
    }
    return known;
  }

  /** Runs a parallel loop. */
  public void parallel(int part, long min, long extent, long grain) {
    if (extent <= 0) {
      return;
    }
    WorkerPool pool = context == null ? null : context.workers();
    if (pool == null || extent <= Math.max(1, grain)) {
      run(part, min, min + extent);
    } else {
      scratch();
      pool.parallelFor(min, min + extent, Math.max(1, grain), (from, to) -> run(part, from, to));
    }
  }

  private void run(int part, long from, long to) {
    try (KernelFrame frame =
        new KernelFrame(
            code,
            null,
            memory.clone(),
            places.clone(),
            values.clone(),
            tensors.clone(),
            functions)) {
      frame.scratch = scratch();
      java.util.Objects.requireNonNull(code).part(part, frame, from, to);
    } catch (ArithmeticException | IndexOutOfBoundsException e) {
      throw Failures.of(e);
    }
  }

  /** Whether a tensor is none of the caller's. */
  boolean isOwn(Tensor tensor) {
    for (Tensor given : tensors) {
      if (tensor.equals(given)) {
        return false;
      }
    }
    return true;
  }

  /** Sets what the kernel returns. */
  public void setResult(Object value) {
    result = value;
  }

  /** Of the caller; null where there is none, and on other threads than the caller's. */
  @Nullable VmContext contextOrNull() {
    return context;
  }

  /** A function that the kernel calls. */
  public PackedFunc function(int number) {
    return functions.get(number);
  }

  /** A buffer as a tensor; of memory of the kernel itself a new one over all of it. */
  public @Nullable Tensor tensorOrNull(int buffer) {
    return tensors[buffer];
  }

  /** Releases what was allocated, and lets go of what was kept. */
  @Override
  public void close() {
    // Who works by address does not refer to the memory.
    Reference.reachabilityFence(memory);
    pins.close();
    own.forEach(ScratchMemory.Block::release);
    own.clear();
  }
}
