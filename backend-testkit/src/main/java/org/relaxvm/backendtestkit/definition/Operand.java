package org.relaxvm.backendtestkit.definition;

import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/**
 * A tensor as definitions see it: elements by index, read when they are asked for. Elements are the
 * bits that {@link ElementBits} describes.
 */
public interface Operand {
  /** The element type. */
  DType dtype();

  /** The extents. */
  Shape shape();

  /** The element at an index of as many numbers as there are axes. */
  long bitsAt(long... index);

  /** The element at an index as a double; large integers are rounded. */
  default double doubleAt(long... index) {
    return ElementBits.toDouble(bitsAt(index), dtype());
  }

  /** The element at an index of a tensor that this one is broadcast to. */
  default long broadcastAt(long... index) {
    int rank = shape().rank();
    long[] own = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      own[axis] = shape().dim(axis) == 1 ? 0 : index[index.length - rank + axis];
    }
    return bitsAt(own);
  }
}
