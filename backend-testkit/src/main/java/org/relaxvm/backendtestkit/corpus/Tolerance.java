package org.relaxvm.backendtestkit.corpus;

import org.relaxvm.api.DType;

/**
 * How far results may lie from those of the evaluator: {@code relative * max(floor, |expected|)}.
 * Integers and booleans must be equal, and NaN where NaN is.
 *
 * @param float32 the relative distance of float32
 * @param floor what smaller results count as; 0 where also the smallest one must be precise
 * @param reason why float32 is not 1e-6, or the floor not 0; empty where it is
 */
public record Tolerance(double float32, double floor, String reason) {
  /** One unit or so of each dtype. */
  public static final Tolerance TIGHT = new Tolerance(1e-6, 0, "");

  /** No difference: elements are only moved or compared. */
  public static final Tolerance EXACT = new Tolerance(0, 0, "");

  /** The relative distance for a dtype. */
  public double relative(DType dtype) {
    if (equals(EXACT) || !dtype.isFloat()) {
      return 0;
    }
    if (dtype.equals(DType.FLOAT64)) {
      return 1e-12;
    }
    if (dtype.equals(DType.FLOAT32)) {
      return float32;
    }
    return dtype.equals(DType.FLOAT16) ? 0x1p-10 : 0x1p-7;
  }

  /** Whether a result is near enough. */
  public boolean accepts(DType dtype, double expected, double got) {
    if (expected == got || (Double.isNaN(expected) && Double.isNaN(got))) {
      return true;
    }
    // The smallest numbers of narrow dtypes are a unit apart, however small.
    double unit = dtype.equals(DType.FLOAT16) ? 0x1p-24 : Float.MIN_VALUE;
    double allowed = relative(dtype) * Math.max(floor, Math.abs(expected));
    return Math.abs(expected - got) <= (allowed == 0 ? 0 : Math.max(allowed, unit));
  }
}
