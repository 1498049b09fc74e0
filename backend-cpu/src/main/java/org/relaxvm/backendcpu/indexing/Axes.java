package org.relaxvm.backendcpu.indexing;

import java.util.Arrays;
import org.relaxvm.backendcpu.element.Operand;

/** Operands of other shapes over the same elements. */
final class Axes {
  private Axes() {}

  /** Axes from one to another, the latter excluded, at index 0 of the others. */
  static Operand range(Operand operand, int from, int to) {
    return new Operand(
        operand.memory(),
        operand.offset(),
        Arrays.copyOfRange(operand.dims(), from, to),
        Arrays.copyOfRange(operand.strides(), from, to));
  }

  /** The operand repeated along new axes in front of the one with a number. */
  static Operand repeated(Operand operand, int at, long[] dims) {
    int rank = operand.rank() + dims.length;
    long[] allDims = new long[rank];
    long[] allStrides = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      boolean added = axis >= at && axis < at + dims.length;
      int own = axis < at ? axis : axis - dims.length;
      allDims[axis] = added ? dims[axis - at] : operand.dim(own);
      allStrides[axis] = added ? 0 : operand.stride(own);
    }
    return new Operand(operand.memory(), operand.offset(), allDims, allStrides);
  }

  /** The operand without an axis, at index 0 of it. */
  static Operand without(Operand operand, int axis) {
    int[] left = new int[operand.rank() - 1];
    Arrays.setAll(left, i -> i < axis ? i : i + 1);
    return operand.axes(left);
  }

  /** The operand with the extents of another and, along an axis, a stride of 0. */
  static Operand along(Operand operand, int axis, long[] dims) {
    long[] strides = operand.strides().clone();
    strides[axis] = 0;
    return new Operand(operand.memory(), operand.offset(), dims, strides);
  }
}
