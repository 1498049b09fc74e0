package org.relaxvm.interoponnx.cases;

import java.util.Arrays;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;

/**
 * How far floating-point numbers may be from the expected ones: {@code |got - want| <= absolute +
 * relative * |want|}. NaN equals NaN, infinities equal themselves, and integers are exact.
 */
record Tolerance(double relative, double absolute) {

  /** The first difference of what is determined, in words; empty when there is none. */
  Optional<String> difference(Determination determined, Tensor want, Tensor got) {
    if (!want.dtype().equals(got.dtype()) || !want.shape().equals(got.shape())) {
      return Optional.of(
          "expected " + want.dtype() + want.shape() + ", but got " + got.dtype() + got.shape());
    }
    return switch (determined) {
      case ALL -> difference(want, got);
      case UNLESS_ZERO -> reals(masked(want, got), masked(got, want));
      case ZERO_OR_ONE -> bits(numbers(got));
      case TYPE -> Optional.empty();
    };
  }

  private static double[] numbers(Tensor tensor) {
    return tensor.dtype().isFloat()
        ? tensor.toDoubleArray()
        : Arrays.stream(tensor.toLongArray()).asDoubleStream().toArray();
  }

  /** The elements, 0 where those of the other tensor are 0. */
  private static double[] masked(Tensor tensor, Tensor other) {
    double[] numbers = numbers(tensor);
    double[] others = numbers(other);
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = others[i] == 0 ? 0 : numbers[i];
    }
    return numbers;
  }

  private static Optional<String> bits(double[] got) {
    for (int i = 0; i < got.length; i++) {
      if (got[i] != 0 && got[i] != 1) {
        return Optional.of("element " + i + ": expected 0 or 1, but got " + got[i]);
      }
    }
    return Optional.empty();
  }

  private Optional<String> difference(Tensor want, Tensor got) {
    DType dtype = want.dtype();
    if (dtype.isFloat()) {
      return reals(want.toDoubleArray(), got.toDoubleArray());
    }
    boolean isWhole = dtype.isInteger() || dtype.equals(DType.BOOL);
    if (!isWhole || !dtype.isByteAligned()) {
      return want.segment().mismatch(got.segment()) < 0
          ? Optional.empty()
          : Optional.of("other bytes of " + dtype);
    }
    long[] expected = want.toLongArray();
    long[] actual = got.toLongArray();
    int at = Arrays.mismatch(expected, actual);
    return at < 0
        ? Optional.empty()
        : Optional.of("element " + at + ": expected " + expected[at] + ", but got " + actual[at]);
  }

  private Optional<String> reals(double[] want, double[] got) {
    for (int i = 0; i < want.length; i++) {
      boolean isSame = Double.compare(want[i], got[i]) == 0 || want[i] == got[i];
      if (!isSame && !(Math.abs(got[i] - want[i]) <= absolute + relative * Math.abs(want[i]))) {
        return Optional.of("element " + i + ": expected " + want[i] + ", but got " + got[i]);
      }
    }
    return Optional.empty();
  }
}
