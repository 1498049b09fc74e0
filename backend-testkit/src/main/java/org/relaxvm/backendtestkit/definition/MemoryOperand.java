package org.relaxvm.backendtestkit.definition;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;

/**
 * A tensor in memory that Java can read.
 *
 * @param memory the whole block
 * @param byteOffset of the first element
 * @param strides in elements, one per axis; not copied
 */
public record MemoryOperand(
    MemorySegment memory, long byteOffset, DType dtype, Shape shape, long[] strides)
    implements Operand {
  /** A tensor over a block. */
  public static MemoryOperand of(Tensor tensor, MemorySegment memory) {
    return new MemoryOperand(
        memory, tensor.byteOffset(), tensor.dtype(), tensor.shape(), tensor.strides());
  }

  /** A tensor on the host. */
  public static MemoryOperand of(Tensor tensor) {
    return of(tensor, HostDevice.segmentOf(tensor.storage().memory()));
  }

  @Override
  public long bitsAt(long... index) {
    return ElementBits.read(memory, byteOffsetOf(index), dtype);
  }

  /** Sets the element at an index. */
  public void set(long[] index, long bits) {
    ElementBits.write(memory, byteOffsetOf(index), dtype, bits);
  }

  /** Sets all elements, once all are known, so that the function may read this tensor. */
  public void setAll(Definition.ElementFunction elements) {
    long[] bits = new long[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = elements.at(Indices.indexOf(i, shape));
    }
    for (int i = 0; i < bits.length; i++) {
      set(Indices.indexOf(i, shape), bits[i]);
    }
  }

  private long byteOffsetOf(long[] index) {
    long offset = 0;
    for (int axis = 0; axis < strides.length; axis++) {
      offset += index[axis] * strides[axis];
    }
    return byteOffset + offset * dtype.elementByteSize();
  }
}
