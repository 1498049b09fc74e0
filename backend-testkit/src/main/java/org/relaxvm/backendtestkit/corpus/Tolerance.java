package org.relaxvm.backendtestkit.corpus;

import org.relaxvm.api.DType;
import org.relaxvm.api.Float8;

/**
 * How far results may lie from those of the evaluator: {@code relative * max(floor, |expected|)}.
 * Integers and booleans must be equal, and NaN where NaN is.
 *
 * @param float32 the relative distance of float32; 0 also for narrower floats
 * @param float64 the relative distance of float64
 * @param floor what smaller results count as; 0 where also the smallest one must be precise
 * @param reason why float32 is not 1e-6, or the floor not 0; empty where it is
 */
public record Tolerance(double float32, double float64, double floor, String reason) {
  /** One unit or so of each dtype. */
  public static final Tolerance TIGHT = new Tolerance(1e-6, 0, "");

  /** No difference: elements are only moved or compared. */
  public static final Tolerance EXACT = new Tolerance(0, 0, "");

  /** With the usual distance of float64, or none where float32 has none. */
  public Tolerance(double float32, double floor, String reason) {
    this(float32, float32 == 0 ? 0 : 1e-12, floor, reason);
  }

  /**
   * For a device whose functions and sums are less precise. What float32 and narrower floats must
   * not differ in, they must not here either.
   *
   * @param least32 the least distance of float32
   * @param least64 the least distance of float64, also where there is none: a device may compute it
   *     in float32
   */
  public Tolerance atLeast(double least32, double least64) {
    return new Tolerance(
        float32 == 0 ? 0 : Math.max(float32, least32), Math.max(float64, least64), floor, reason);
  }

  /** The relative distance for a dtype. */
  public double relative(DType dtype) {
    if (!dtype.isFloat()) {
      return 0;
    }
    if (dtype.equals(DType.FLOAT64)) {
      return float64;
    }
    if (dtype.equals(DType.FLOAT32) || float32 == 0) {
      return float32;
    }
    if (dtype.isFloat8()) {
      return dtype.equals(DType.FLOAT8_E4M3FN) ? 0x1p-3 : 0x1p-2;
    }
    return dtype.equals(DType.FLOAT16) ? 0x1p-10 : 0x1p-7;
  }

  /** Whether a result is near enough. */
  public boolean accepts(DType dtype, double expected, double got) {
    if (expected == got || (Double.isNaN(expected) && Double.isNaN(got))) {
      return true;
    }
    // The smallest numbers of narrow dtypes are a unit apart, however small.
    double unit =
        dtype.isFloat8()
            ? Float8.of(dtype).orElseThrow().toFloat((byte) 1)
            : dtype.equals(DType.FLOAT16) ? 0x1p-24 : Float.MIN_VALUE;
    double allowed = relative(dtype) * Math.max(floor, Math.abs(expected));
    return Math.abs(expected - got) <= (allowed == 0 ? 0 : Math.max(allowed, unit));
  }
}
