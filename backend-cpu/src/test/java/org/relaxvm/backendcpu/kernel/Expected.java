package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** The slow way: elements by index, in doubles. */
final class Expected {
  private Expected() {}

  @FunctionalInterface
  interface ByIndex {
    double at(long[] index);
  }

  /** An element of a tensor, in which missing and extent-1 axes repeat. */
  static double element(double[] values, Shape shape, long[] index) {
    long at = 0;
    for (int axis = 0; axis < shape.rank(); axis++) {
      long i = index[index.length - shape.rank() + axis];
      at = at * shape.dim(axis) + (shape.dim(axis) == 1 ? 0 : i);
    }
    return values[(int) at];
  }

  static long[] indexOf(long number, Shape shape) {
    long[] index = new long[shape.rank()];
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      index[axis] = number % shape.dim(axis);
      number /= shape.dim(axis);
    }
    return index;
  }

  /** Checks all elements, to the precision of the dtype. */
  static void check(Tensor actual, ByIndex expected) {
    check(actual, tolerance(actual.dtype()), expected);
  }

  static void check(Tensor actual, double tolerance, ByIndex expected) {
    check(actual, tolerance, 0, 1, expected);
  }

  /**
   * Checks some elements.
   *
   * @param first the first one by number, in the order of the index
   * @param every how far the next one is
   */
  static void check(Tensor actual, double tolerance, int first, int every, ByIndex expected) {
    double[] values = actual.toDoubleArray();
    for (int i = first; i < values.length; i += every) {
      long[] index = indexOf(i, actual.shape());
      double wanted = wrap(expected.at(index), actual.dtype());
      boolean same =
          Double.compare(values[i], wanted) == 0
              || values[i] == wanted
              || Math.abs(values[i] - wanted) <= tolerance * Math.max(1, Math.abs(wanted));
      if (!same) {
        assertThat(values[i])
            .as("element %s of %s", java.util.Arrays.toString(index), actual)
            .isEqualTo(wanted);
      }
    }
  }

  static double tolerance(DType dtype) {
    if (!dtype.isFloat()) {
      return 0;
    }
    return dtype.equals(DType.FLOAT64)
        ? 1e-12
        : dtype.equals(DType.FLOAT32) ? 1e-5 : dtype.equals(DType.FLOAT16) ? 2e-3 : 1e-2;
  }

  /** A number as the dtype holds it: integers their low bits, float16 nothing above its range. */
  static double wrap(double value, DType dtype) {
    if (dtype.equals(DType.FLOAT16)) {
      return Math.abs(value) >= 65520 ? Math.copySign(Double.POSITIVE_INFINITY, value) : value;
    }
    if (dtype.isFloat() || dtype.equals(DType.BOOL)) {
      return value;
    }
    long whole = (long) value;
    int drop = 64 - dtype.bits();
    boolean unsigned = dtype.toString().startsWith("u");
    long kept = unsigned ? whole << drop >>> drop : whole << drop >> drop;
    return kept < 0 && unsigned ? kept + 0x1p64 : kept;
  }
}
