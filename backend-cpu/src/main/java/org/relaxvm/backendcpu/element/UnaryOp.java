package org.relaxvm.backendcpu.element;

/** Functions of one element whose result has its dtype. */
public enum UnaryOp {
  NEGATIVE,
  ABS,
  EXP,
  LOG,
  SQRT,
  RSQRT,
  TANH,
  SIGMOID,
  RELU,
  GELU,
  SILU,
  ERF,
  FLOOR,
  CEIL,
  ROUND,
  LOGICAL_NOT,
  BITWISE_NOT,
  TRUNC,
  SIGN,
  SQUARE,
  SIN,
  COS,
  TAN,
  ASIN,
  ACOS,
  ATAN,
  SINH,
  COSH,
  ASINH,
  ACOSH,
  ATANH,
  GELU_TANH,
  SELU;

  /** The function of a double. */
  double of(double x) {
    return switch (this) {
      case NEGATIVE -> -x;
      case ABS -> Math.abs(x);
      case EXP -> Math.exp(x);
      case LOG -> Math.log(x);
      case SQRT -> Math.sqrt(x);
      case RSQRT -> 1 / Math.sqrt(x);
      case TANH -> Math.tanh(x);
      case SIGMOID -> 1 / (1 + Math.exp(-x));
      case RELU -> Math.max(x, 0.0);
      // The limit at -inf, where the product is inf * 0.
      case GELU -> x == Double.NEGATIVE_INFINITY ? -0.0 : 0.5 * x * Erf.erfc(-x * Math.sqrt(0.5));
      case SILU -> x == Double.NEGATIVE_INFINITY ? -0.0 : x / (1 + Math.exp(-x));
      case ERF -> Erf.erf(x);
      case FLOOR -> Math.floor(x);
      case CEIL -> Math.ceil(x);
      case ROUND -> Math.rint(x);
      case LOGICAL_NOT -> x == 0 ? 1 : 0;
      case BITWISE_NOT -> throw new IllegalArgumentException(this + " is for integers");
      case TRUNC -> x < 0 ? Math.ceil(x) : Math.floor(x);
      case SIGN -> Math.signum(x);
      case SQUARE -> x * x;
      case SIN -> Math.sin(x);
      case COS -> Math.cos(x);
      case TAN -> Math.tan(x);
      case ASIN -> Math.asin(x);
      case ACOS -> Math.acos(x);
      case ATAN -> Math.atan(x);
      case SINH -> Math.sinh(x);
      case COSH -> Math.cosh(x);
      case ASINH -> InverseHyperbolic.asinh(x);
      case ACOSH -> InverseHyperbolic.acosh(x);
      case ATANH -> InverseHyperbolic.atanh(x);
      case GELU_TANH -> geluTanh(x);
      case SELU -> 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * Math.expm1(x));
    };
  }

  /** The mean of 1 and a hyperbolic tangent is the sigmoid function of twice the argument. */
  private static double geluTanh(double x) {
    double twice = 2 * Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x);
    return x == Double.NEGATIVE_INFINITY ? -0.0 : x / (1 + Math.exp(-twice));
  }
}
