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
  LOGICAL_NOT;

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
    };
  }
}
