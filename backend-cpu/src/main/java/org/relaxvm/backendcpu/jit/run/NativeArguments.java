package org.relaxvm.backendcpu.jit.run;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.backendcpu.invocation.Argument;
import org.relaxvm.backendcpu.invocation.Pins;
import org.relaxvm.backendcpu.invocation.ScratchMemory;

/**
 * The tensors of a call in memory that has an address and stays until the call ends. Memory that
 * the caller may close or the garbage collector may move is copied, and what the kernel writes is
 * copied back. Used by one call.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Which tensors does machine code copy?"
 */
final class NativeArguments implements AutoCloseable {
  /** A thread that is not the owner of any memory. */
  private static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> {});

  /**
   * A copy.
   *
   * @param tensor with the strides of the argument
   */
  private record Copy(Argument argument, Tensor tensor, ScratchMemory.Block memory) {}

  private final Frame frame;
  private final Pins pins = new Pins();
  private final List<Copy> copies = new ArrayList<>(0);

  /** Arguments of a frame, whose memory copies are in. */
  NativeArguments(Frame frame) {
    this.frame = frame;
  }

  /** The argument, or a copy with the same elements and strides. */
  Tensor add(Argument argument) {
    Tensor tensor = argument.tensor();
    MemorySegment segment = HostDevice.segmentOf(tensor.storage().memory());
    return pins.keep(tensor) || isConfined(segment) ? tensor : copy(argument, segment);
  }

  /** Whether only this thread can close memory, which is at work on the call until its end. */
  private static boolean isConfined(MemorySegment segment) {
    return segment.isNative()
        && segment.isAccessibleBy(Thread.currentThread())
        && !segment.isAccessibleBy(NOBODY);
  }

  /** The address of the first element of a tensor that {@link #add} gave. */
  static long address(Tensor tensor) {
    return HostDevice.segmentOf(tensor.storage().memory()).address() + tensor.byteOffset();
  }

  private Tensor copy(Argument argument, MemorySegment segment) {
    Tensor tensor = argument.tensor();
    int elementBytes = tensor.dtype().elementByteSize();
    long first = 0;
    long last = 0;
    for (int axis = 0; axis < tensor.shape().rank(); axis++) {
      long reach = (tensor.shape().dim(axis) - 1) * tensor.stride(axis);
      first += Math.min(0, reach);
      last += Math.max(0, reach);
    }
    long elements = tensor.elementCount() == 0 ? 0 : last - first + 1;
    long bytes = elements * elementBytes;
    ScratchMemory.Block block = frame.memory().take(Math.max(1, bytes));
    MemorySegment to = block.memory().asSlice(0, bytes);
    long offset = elements == 0 ? 0 : first;
    MemorySegment.copy(segment, tensor.byteOffset() + offset * elementBytes, to, 0, bytes);
    Tensor all = Tensor.wrap(to, tensor.dtype(), Shape.of(elements));
    Tensor copy = all.stridedView(tensor.shape(), tensor.strides(), -offset);
    copies.add(new Copy(argument, copy, block));
    return copy;
  }

  /** Copies what the kernel has written to where it belongs. */
  void copyBack() {
    for (Copy copy : copies) {
      if (copy.argument().writes()) {
        copy.tensor().copyInto(copy.argument().tensor());
      }
    }
  }

  @Override
  public void close() {
    copies.forEach(copy -> copy.memory().release());
    pins.close();
    Reference.reachabilityFence(this);
  }
}
