package org.relaxvm.tir.scalar;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Intrinsic;

/**
 * Functions of floats as doubles, before {@link FloatRounding}: the same bits on every machine,
 * within two units in the last place of a double or so.
 */
public final class FloatFunctions {
  private FloatFunctions() {}

  /** A function of one float that gives a float. */
  public static double apply(Intrinsic op, double x) {
    return switch (op) {
      case ACOS -> StrictMath.acos(x);
      case ACOSH -> InverseHyperbolic.acosh(x);
      case ASIN -> StrictMath.asin(x);
      case ASINH -> InverseHyperbolic.asinh(x);
      case ATAN -> StrictMath.atan(x);
      case ATANH -> InverseHyperbolic.atanh(x);
      case COS -> StrictMath.cos(x);
      case COSH -> StrictMath.cosh(x);
      case ERF -> ErrorFunction.erf(x);
      case EXP -> StrictMath.exp(x);
      case LOG -> StrictMath.log(x);
      case RSQRT -> 1 / StrictMath.sqrt(x);
      case SIGMOID -> sigmoid(x);
      case SIN -> StrictMath.sin(x);
      case SINH -> StrictMath.sinh(x);
      case SQRT -> StrictMath.sqrt(x);
      case TAN -> StrictMath.tan(x);
      case TANH -> StrictMath.tanh(x);
      case CEIL -> Math.ceil(x);
      case FLOOR -> Math.floor(x);
      case NEARBYINT -> Math.rint(x);
      case TRUNC -> x < 0 ? Math.ceil(x) : Math.floor(x);
      case ABS -> Math.abs(x);
      default -> throw notHere(op);
    };
  }

  /** A function of two floats that gives a float. */
  public static double apply(Intrinsic op, double a, double b) {
    return switch (op) {
      case ATAN2 -> StrictMath.atan2(a, b);
      case POW -> pow(a, b);
      default -> throw notHere(op);
    };
  }

  /** Whether a float is what the function asks for. */
  public static boolean test(Intrinsic op, double x) {
    return switch (op) {
      case ISNAN -> Double.isNaN(x);
      case ISINF -> Double.isInfinite(x);
      case ISFINITE -> Double.isFinite(x);
      default -> throw notHere(op);
    };
  }

  /** {@code 1 / (1 + exp(-x))}, without loss where {@code exp(-x)} is infinite. */
  public static double sigmoid(double x) {
    if (x >= 0) {
      return 1 / (1 + StrictMath.exp(-x));
    }
    double e = StrictMath.exp(x);
    return e / (1 + e);
  }

  /** {@code a} to the power of {@code b} as C has it. */
  public static double pow(double a, double b) {
    // C gives 1 where Java gives NaN.
    boolean one = a == 1 || (a == -1 && Double.isInfinite(b));
    return one ? 1 : StrictMath.pow(a, b);
  }

  private static InvalidProgramException notHere(Intrinsic op) {
    return new InvalidProgramException(
        ErrorKind.TYPE, op.text() + " is no function of these floats");
  }
}
