package org.relaxvm.integrationtests.programs;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

/**
 * Compares what the VM gives with what the evaluator gives. Integers and booleans are the same;
 * floats may differ by the tolerance times the larger of their own magnitude and the mean one of
 * their tensor, for sums are taken in another order, and at least by the tolerance times {@code
 * scale}.
 *
 * @param tolerance 0 for that of the dtype
 * @param scale of numbers that may have cancelled
 * @param float32 the tolerance of float32
 */
record Agreement(double tolerance, double scale, double float32) {
  /** On the host. */
  Agreement(double tolerance, double scale) {
    this(tolerance, scale, 1e-5);
  }

  /** Fails where the values do not agree. */
  void check(Object expected, @Nullable Object actual) {
    String difference = difference("the result", expected, actual);
    if (!difference.isEmpty()) {
      throw new AssertionError(difference);
    }
  }

  /** Where the values do not agree, and how; empty when they do. */
  String difference(String where, Object expected, @Nullable Object actual) {
    return switch (expected) {
      case Tensor tensor when actual instanceof Tensor other -> tensors(where, tensor, other);
      case List<?> fields when actual instanceof Tuple tuple ->
          fields(where, fields, tuple.fields());
      case List<?> fields when fields.isEmpty() && actual == null -> "";
      case Double number when actual instanceof Double other ->
          near(number, other, DType.FLOAT64, 0) ? "" : differ(where, number, other);
      case Shape shape -> Objects.equals(shape, actual) ? "" : differ(where, shape, actual);
      case Long number -> number.equals(actual) ? "" : differ(where, number, actual);
      case Boolean truth -> truth.equals(actual) ? "" : differ(where, truth, actual);
      default ->
          actual instanceof Closure || actual instanceof PackedFunc
              ? ""
              : differ(where, expected, actual);
    };
  }

  private String fields(String where, List<?> expected, List<@Nullable Object> actual) {
    if (expected.size() != actual.size()) {
      return differ(where, expected, actual);
    }
    for (int i = 0; i < expected.size(); i++) {
      String field = difference(where + "[" + i + "]", expected.get(i), actual.get(i));
      if (!field.isEmpty()) {
        return field;
      }
    }
    return "";
  }

  private String tensors(String where, Tensor expected, Tensor actual) {
    if (!expected.dtype().equals(actual.dtype()) || !expected.shape().equals(actual.shape())) {
      return differ(
          where, expected.dtype() + " " + expected.shape(), actual.dtype() + " " + actual.shape());
    }
    if (!expected.dtype().isFloat()) {
      return Arrays.equals(expected.toLongArray(), actual.toLongArray())
          ? ""
          : differ(where, expected.toDisplayString(100), actual.toDisplayString(100));
    }
    double[] all = expected.toDoubleArray();
    double[] others = actual.toDoubleArray();
    double mean = Arrays.stream(all).filter(Double::isFinite).map(Math::abs).average().orElse(0);
    for (int i = 0; i < all.length; i++) {
      if (!near(all[i], others[i], expected.dtype(), mean)) {
        return differ(where + " at element " + i + " of " + actual.shape(), all[i], others[i])
            + "; all: "
            + differ("", expected.toDisplayString(100), actual.toDisplayString(100));
      }
    }
    return "";
  }

  private boolean near(double expected, double actual, DType dtype, double mean) {
    if (Double.isNaN(expected) || Double.isInfinite(expected)) {
      return Double.compare(expected, actual) == 0;
    }
    double magnitude = Math.max(Math.max(Math.abs(expected), mean), scale);
    return Math.abs(expected - actual) <= magnitude * (tolerance > 0 ? tolerance : of(dtype));
  }

  /**
   * What the elements of a dtype may differ by: on the host about a hundred units in the last place
   * of a float32 or a float64, and eight of those of 16 bits, where results of kernels are rounded
   * each time.
   */
  private double of(DType dtype) {
    if (dtype.equals(DType.FLOAT64)) {
      return 1e-13;
    }
    return dtype.equals(DType.FLOAT32) ? float32 : dtype.equals(DType.FLOAT16) ? 8e-3 : 6e-2;
  }

  private static String differ(String where, Object expected, @Nullable Object actual) {
    return where + ": expected " + expected + ", but got " + actual;
  }
}
