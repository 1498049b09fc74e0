package org.relaxvm.interoptvm.functions;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** The lines of a host tensor along an axis, in row-major order of the other axes. */
final class Lines {
  private static final int LONGEST_LINE = Integer.MAX_VALUE - 8;

  private final Tensor tensor;
  private final int axis;
  private final MemorySegment memory;
  private final int elementSize;
  private long at;

  /**
   * The lines of a tensor that has at least one axis and elements of whole bytes.
   *
   * @throws CallException a {@code ValueError} when a line does not fit an array
   */
  Lines(Tensor tensor, int axis) {
    this.tensor = tensor;
    this.axis = axis;
    this.memory = HostTensors.memory(tensor);
    this.elementSize = tensor.dtype().elementByteSize();
    if (tensor.shape().dim(axis) > LONGEST_LINE / elementSize) {
      throw new CallException(
          ErrorKind.VALUE,
          "axis "
              + axis
              + " of "
              + tensor
              + " is too long to be sorted: at most "
              + LONGEST_LINE / elementSize
              + " elements");
    }
  }

  /** The number of lines. */
  long count() {
    long count = 1;
    for (int i = 0; i < tensor.shape().rank(); i++) {
      count *= i == axis ? 1 : tensor.shape().dim(i);
    }
    return count;
  }

  /** The elements of a line. */
  int length() {
    return (int) tensor.shape().dim(axis);
  }

  /** Goes to a line. */
  void goTo(long line) {
    long remaining = line;
    long offset = 0;
    for (int i = tensor.shape().rank() - 1; i >= 0; i--) {
      if (i != axis) {
        offset += remaining % tensor.shape().dim(i) * tensor.stride(i);
        remaining /= tensor.shape().dim(i);
      }
    }
    at = tensor.byteOffset() + offset * elementSize;
  }

  private long offset(int index) {
    return at + index * tensor.stride(axis) * elementSize;
  }

  /** The order key of an element of the line. */
  long key(int index) {
    return Numbers.key(tensor.dtype(), memory, offset(index));
  }

  /** An integer element of the line. */
  long whole(int index) {
    return Numbers.readWhole(tensor.dtype(), memory, offset(index));
  }

  /** Sets an element of the line. */
  void put(int index, long value) {
    Numbers.write(tensor.dtype(), memory, offset(index), value);
  }

  /** Copies the bytes of the line. */
  MemorySegment bytes() {
    MemorySegment copy = MemorySegment.ofArray(new byte[length() * elementSize]);
    for (int i = 0; i < length(); i++) {
      MemorySegment.copy(memory, offset(i), copy, (long) i * elementSize, elementSize);
    }
    return copy;
  }

  /** Sets an element of the line to an element of what {@link #bytes} made of a like tensor. */
  void put(int index, MemorySegment bytes, long from) {
    MemorySegment.copy(bytes, from * elementSize, memory, offset(index), elementSize);
  }
}
