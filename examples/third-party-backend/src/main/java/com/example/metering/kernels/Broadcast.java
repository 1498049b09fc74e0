package com.example.metering.kernels;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;

/** Broadcasting as in NumPy: axes are matched from the last, an extent of 1 repeats. */
final class Broadcast {
  private Broadcast() {}

  /** The shape of two operands together, or null when they do not go together. */
  static @Nullable Shape of(Shape a, Shape b) {
    long[] dims = new long[Math.max(a.rank(), b.rank())];
    for (int fromEnd = 1; fromEnd <= dims.length; fromEnd++) {
      long left = fromEnd <= a.rank() ? a.dim(a.rank() - fromEnd) : 1;
      long right = fromEnd <= b.rank() ? b.dim(b.rank() - fromEnd) : 1;
      if (left != right && left != 1 && right != 1) {
        return null;
      }
      dims[dims.length - fromEnd] = left == 1 ? right : left;
    }
    return Shape.of(dims);
  }

  /** The element of an operand that element {@code number} of the whole shape reads. */
  static long element(Shape operand, Shape whole, long number) {
    long element = 0;
    long step = 1;
    long rest = number;
    for (int fromEnd = 1; fromEnd <= operand.rank(); fromEnd++) {
      long extent = operand.dim(operand.rank() - fromEnd);
      long wholeExtent = whole.dim(whole.rank() - fromEnd);
      element += extent == 1 ? 0 : rest % wholeExtent * step;
      step *= extent;
      rest /= wholeExtent;
    }
    return element;
  }
}
