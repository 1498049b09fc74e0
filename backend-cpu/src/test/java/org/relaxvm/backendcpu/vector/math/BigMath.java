package org.relaxvm.backendcpu.vector.math;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Functions to about 40 digits, for arguments that doubles hold: slow and plain. */
public final class BigMath {
  private static final MathContext DIGITS = new MathContext(60);
  private static final BigDecimal ONE = BigDecimal.ONE;
  private static final BigDecimal TWO = BigDecimal.TWO;
  private static final BigDecimal LN_2 =
      new BigDecimal("0.693147180559945309417232121458176568075500134360255254120680009493393622");

  /** The circumference of a circle of diameter 1. */
  public static final BigDecimal PI =
      new BigDecimal(
          "3.14159265358979323846264338327950288419716939937510582097494459230781640629");

  private static final int SQUARINGS = 10;
  private static final int FRACTION_TERMS = 150;

  private BigMath() {}

  /** The exact value of a double. */
  public static BigDecimal of(double x) {
    return new BigDecimal(x);
  }

  /** The quotient. */
  public static BigDecimal divide(BigDecimal a, BigDecimal b) {
    return a.divide(b, DIGITS);
  }

  /** The square root. */
  public static BigDecimal sqrt(BigDecimal x) {
    return x.sqrt(DIGITS);
  }

  /** The exponential function. */
  public static BigDecimal exp(BigDecimal x) {
    BigDecimal n = divide(x, LN_2).setScale(0, RoundingMode.HALF_EVEN);
    BigDecimal r = divide(x.subtract(n.multiply(LN_2)), TWO.pow(SQUARINGS));
    BigDecimal sum = ONE;
    BigDecimal term = ONE;
    for (int i = 1; term.abs().compareTo(new BigDecimal("1e-70")) > 0; i++) {
      term = divide(term.multiply(r), BigDecimal.valueOf(i));
      sum = sum.add(term, DIGITS);
    }
    for (int i = 0; i < SQUARINGS; i++) {
      sum = sum.multiply(sum, DIGITS);
    }
    int power = n.intValueExact();
    return power >= 0 ? sum.multiply(TWO.pow(power), DIGITS) : divide(sum, TWO.pow(-power));
  }

  /** One step of Halley's iteration from a double triples the digits. */
  public static BigDecimal log(BigDecimal x) {
    BigDecimal y = of(StrictMath.log(x.doubleValue()));
    BigDecimal e = exp(y);
    BigDecimal step = divide(TWO.multiply(x.subtract(e)), x.add(e));
    return y.add(step, DIGITS);
  }

  /** The sine. */
  public static BigDecimal sin(BigDecimal x) {
    BigDecimal quarter = divide(PI, TWO);
    BigDecimal n = divide(x, quarter).setScale(0, RoundingMode.HALF_EVEN);
    BigDecimal r = x.subtract(n.multiply(quarter), DIGITS);
    BigDecimal y = n.toBigInteger().testBit(0) ? series(ONE, r, 0) : series(r, r, 1);
    return n.toBigInteger().testBit(1) ? y.negate() : y;
  }

  /** The cosine. */
  public static BigDecimal cos(BigDecimal x) {
    return sin(x.add(divide(PI, TWO)));
  }

  /** The terms of a sine or cosine. */
  private static BigDecimal series(BigDecimal first, BigDecimal r, int start) {
    BigDecimal square = r.multiply(r, DIGITS).negate();
    BigDecimal sum = first;
    BigDecimal term = first;
    for (int i = start; term.abs().compareTo(new BigDecimal("1e-70")) > 0; i += 2) {
      term = divide(term.multiply(square), BigDecimal.valueOf((i + 1L) * (i + 2L)));
      sum = sum.add(term, DIGITS);
    }
    return sum;
  }

  /** The inverse tangent. */
  public static BigDecimal atan(BigDecimal x) {
    BigDecimal y = of(StrictMath.atan(x.doubleValue()));
    BigDecimal tan = divide(sin(y), cos(y));
    // The tangent of what is missing, which is as good as the angle.
    return y.add(divide(x.subtract(tan), ONE.add(x.multiply(tan))), DIGITS);
  }

  /** The inverse sine. */
  public static BigDecimal asin(BigDecimal x) {
    BigDecimal y = of(StrictMath.asin(x.doubleValue()));
    return y.add(divide(x.subtract(sin(y)), cos(y)), DIGITS);
  }

  /** The inverse cosine. */
  public static BigDecimal acos(BigDecimal x) {
    BigDecimal y = of(StrictMath.acos(x.doubleValue()));
    return y.add(divide(cos(y).subtract(x), sin(y)), DIGITS);
  }

  /** {@code 1 - erf(x)}: by a series of terms of one sign, or Laplace's continued fraction. */
  public static BigDecimal erfc(BigDecimal x) {
    if (x.signum() < 0) {
      return TWO.subtract(erfc(x.negate()));
    }
    BigDecimal square = x.multiply(x, DIGITS);
    if (x.doubleValue() < 4) {
      BigDecimal term = x;
      BigDecimal sum = x;
      for (int n = 1; term.compareTo(new BigDecimal("1e-60")) > 0; n++) {
        term = divide(term.multiply(TWO).multiply(square), BigDecimal.valueOf(2L * n + 1));
        sum = sum.add(term, DIGITS);
      }
      BigDecimal factor = divide(TWO, sqrt(PI)).multiply(exp(square.negate()));
      return ONE.subtract(factor.multiply(sum), DIGITS);
    }
    BigDecimal tail = BigDecimal.ZERO;
    for (int n = FRACTION_TERMS; n > 0; n--) {
      tail = divide(BigDecimal.valueOf(n * 0.5), x.add(tail));
    }
    return divide(exp(square.negate()), sqrt(PI).multiply(x.add(tail)));
  }
}
