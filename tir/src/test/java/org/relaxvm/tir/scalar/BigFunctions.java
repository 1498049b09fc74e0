package org.relaxvm.tir.scalar;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Functions to far more digits than a double has, by their plain series. */
final class BigFunctions {
  private static final MathContext DIGITS = new MathContext(90);
  private static final BigDecimal TINY = new BigDecimal("1e-120");
  private static final BigDecimal PI =
      new BigDecimal(
          "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803");

  private BigFunctions() {}

  static BigDecimal exp(BigDecimal x) {
    int halvings = 20;
    BigDecimal part = x.divide(BigDecimal.TWO.pow(halvings), DIGITS);
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ONE;
    for (int n = 1; term.abs().compareTo(TINY) > 0; n++) {
      term = term.multiply(part).divide(BigDecimal.valueOf(n), DIGITS);
      sum = sum.add(term, DIGITS);
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum, DIGITS);
    }
    return sum;
  }

  /** Newton's iteration from a double. */
  static BigDecimal log(BigDecimal x) {
    BigDecimal y = new BigDecimal(StrictMath.log(x.doubleValue()));
    for (int i = 0; i < 4; i++) {
      y = y.add(x.divide(exp(y), DIGITS).subtract(BigDecimal.ONE), DIGITS);
    }
    return y;
  }

  static BigDecimal sigmoid(BigDecimal x) {
    return BigDecimal.ONE.divide(BigDecimal.ONE.add(exp(x.negate())), DIGITS);
  }

  static BigDecimal asinh(BigDecimal x) {
    BigDecimal size = x.abs();
    BigDecimal root = size.multiply(size).add(BigDecimal.ONE).sqrt(DIGITS);
    BigDecimal value = log(size.add(root));
    return x.signum() < 0 ? value.negate() : value;
  }

  static BigDecimal acosh(BigDecimal x) {
    return log(x.add(x.multiply(x).subtract(BigDecimal.ONE).sqrt(DIGITS)));
  }

  static BigDecimal atanh(BigDecimal x) {
    BigDecimal ratio = BigDecimal.ONE.add(x).divide(BigDecimal.ONE.subtract(x), DIGITS);
    return log(ratio).divide(BigDecimal.TWO, DIGITS);
  }

  /** The Maclaurin series with alternating signs, whose terms stay below 1e20 up to 6. */
  static BigDecimal erf(BigDecimal x) {
    BigDecimal square = x.multiply(x).negate();
    BigDecimal power = x;
    BigDecimal sum = x;
    for (int n = 1; power.abs().compareTo(TINY) > 0; n++) {
      power = power.multiply(square).divide(BigDecimal.valueOf(n), DIGITS);
      sum = sum.add(power.divide(BigDecimal.valueOf(2L * n + 1), DIGITS), DIGITS);
    }
    return sum.multiply(BigDecimal.TWO).divide(PI.sqrt(DIGITS), DIGITS);
  }

  /** The difference to a double as a part of the number itself. */
  static double relativeError(double got, BigDecimal exact) {
    if (exact.signum() == 0) {
      return Math.abs(got);
    }
    return new BigDecimal(got)
        .subtract(exact)
        .divide(exact, new MathContext(20, RoundingMode.HALF_EVEN))
        .abs()
        .doubleValue();
  }
}
