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

  /** The first difference in words; empty when there is none. */
  Optional<String> difference(Tensor want, Tensor got) {
    if (!want.dtype().equals(got.dtype()) || !want.shape().equals(got.shape())) {
      return Optional.of(
          "expected " + want.dtype() + want.shape() + ", but got " + got.dtype() + got.shape());
    }
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
