package org.relaxvm.backendcpu.codegen;

import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.scalar.Casts;
import org.relaxvm.tir.scalar.FloatMath;
import org.relaxvm.tir.scalar.FloatRounding;
import org.relaxvm.tir.scalar.IntegerFunctions;

/**
 * What generated code calls for scalars where the JVM has no instruction. Integers and floats are
 * as generated code holds them; results are in the range of their dtype where a method says so.
 */
public final class ScalarOps {
  private ScalarOps() {}

  /** The nearest float16. */
  public static float roundFloat16(float x) {
    return Float.float16ToFloat(Float.floatToFloat16(x));
  }

  /** The nearest float16. */
  public static float roundFloat16(double x) {
    return (float) FloatRounding.toFloat16(x);
  }

  /** The nearest bfloat16. */
  public static float roundBfloat16(float x) {
    return (float) FloatRounding.toBfloat16(x);
  }

  /** The nearest bfloat16. */
  public static float roundBfloat16(double x) {
    return (float) FloatRounding.toBfloat16(x);
  }

  /** The nearest float8_e4m3fn. */
  public static float roundFloat8E4m3fn(double x) {
    return (float) FloatRounding.toFloat8E4m3fn(x);
  }

  /** The nearest float8_e5m2. */
  public static float roundFloat8E5m2(double x) {
    return (float) FloatRounding.toFloat8E5m2(x);
  }

  /** The quotient rounded down. */
  public static double floorDiv(double a, double b) {
    return Math.floor(a / b);
  }

  /** The rest of {@link #floorDiv}. */
  public static double floorMod(double a, double b) {
    return FloatMath.floorMod(a, b);
  }

  /** Bits moved up; the caller wraps the result. */
  public static long shiftLeft(long a, long b, int bits) {
    return b >= 0 && b < bits ? a << b : 0;
  }

  /** Bits moved down, filled with the sign. */
  public static long shiftRight(long a, long b, int bits) {
    return a >> (b >= 0 && b < bits ? b : Long.SIZE - 1);
  }

  /** Bits moved down, filled with zeros. */
  public static long shiftRightUnsigned(long a, long b, int bits) {
    return b >= 0 && b < bits ? a >>> b : 0;
  }

  /** The power of a signed integer; the caller wraps the result. */
  public static long pow(long a, long b) {
    return IntegerFunctions.apply(Intrinsic.POW, DType.INT64, a, b);
  }

  /** The power of an integer without a sign; the caller wraps the result. */
  public static long powUnsigned(long a, long b) {
    return IntegerFunctions.apply(Intrinsic.POW, DType.UINT64, a, b);
  }

  /** The smaller of two without a sign. */
  public static long minUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  /** The larger of two without a sign. */
  public static long maxUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) >= 0 ? a : b;
  }

  /** A float as an integer with a sign of fewer bits than 32. */
  public static int toSigned(double x, int bits) {
    int limit = (1 << (bits - 1)) - 1;
    return Math.clamp((long) x, -limit - 1, limit);
  }

  /** A float as an integer without a sign of up to 32 bits. */
  public static long toUnsigned(double x, int bits) {
    return Math.clamp((long) x, 0L, -1L >>> (Long.SIZE - bits));
  }

  /** A float as an integer without a sign of 64 bits. */
  public static long toUint64(double x) {
    return Casts.floatToInteger(DType.UINT64, x);
  }

  /** The nearest float. */
  public static double uint64ToDouble(long x) {
    return Casts.integerToFloat(DType.UINT64, DType.FLOAT64, x);
  }

  /** The nearest float. */
  public static float uint64ToFloat(long x) {
    return (float) Casts.integerToFloat(DType.UINT64, DType.FLOAT32, x);
  }

  /** The nearest float16. */
  public static float uint64ToFloat16(long x) {
    return (float) Casts.integerToFloat(DType.UINT64, DType.FLOAT16, x);
  }

  /** The nearest float16. */
  public static float int64ToFloat16(long x) {
    return (float) Casts.integerToFloat(DType.INT64, DType.FLOAT16, x);
  }

  /** The nearest bfloat16. */
  public static float uint64ToBfloat16(long x) {
    return (float) Casts.integerToFloat(DType.UINT64, DType.BFLOAT16, x);
  }

  /** The nearest bfloat16. */
  public static float int64ToBfloat16(long x) {
    return (float) Casts.integerToFloat(DType.INT64, DType.BFLOAT16, x);
  }
}
