package org.relaxvm.backendcpu.movement;

import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;

/** Neighbours that stay neighbours, and are as many bytes as one larger element: moved as one. */
final class WideElements {
  private WideElements() {}

  /**
   * The size of the larger elements, or that of the given ones.
   *
   * @param bytes of an element
   */
  static int bytes(Sweep sweep, int bytes) {
    int last = sweep.rank() - 1;
    long group = sweep.dim(last) * bytes;
    boolean dense = sweep.step(0) == bytes && sweep.step(1) == bytes;
    boolean isSize = group == Short.BYTES || group == Integer.BYTES || group == Long.BYTES;
    return last > 0 && dense && isSize ? (int) group : bytes;
  }

  /** An operand of such elements, or of the first of each run: all axes of a walk but the last. */
  static Operand of(Sweep sweep, Operand operand, int index) {
    long[] dims = new long[sweep.rank() - 1];
    long[] strides = new long[dims.length];
    for (int axis = 0; axis < dims.length; axis++) {
      dims[axis] = sweep.dim(axis);
      strides[axis] = sweep.stride(index, axis);
    }
    return new Operand(operand.memory(), operand.offset(), dims, strides);
  }
}
