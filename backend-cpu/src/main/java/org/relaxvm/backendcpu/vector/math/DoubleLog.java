package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.SQRT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * The logarithm in float64, and the functions that are made of it. With {@code x = 2^k (1 + f)},
 * {@code 1 + f} between the roots of 1/2 and 2, and {@code s = f / (2 + f)}: {@code log(1 + f) = 2
 * s + s z P(z)}, {@code z = s^2}.
 */
public final class DoubleLog {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();

  private static final VectorSpecies<Long> LONGS = SPECIES.withLanes(long.class);

  private static final DoubleVector ONE = of(1.0);
  private static final DoubleVector TWO = of(2.0);
  private static final DoubleVector HALF = of(0.5);
  private static final DoubleVector ZERO = of(0.0);
  private static final DoubleVector NAN = of(Double.NaN);
  private static final DoubleVector MINUS_INFINITY = of(Double.NEGATIVE_INFINITY);
  private static final DoubleVector TWO_TO_54 = of(0x1p54);
  private static final DoubleVector MINUS_54 = of(-54.0);
  // ln 2 in two parts; multiples of the first by exponents are exact.
  private static final DoubleVector LN2_HIGH = of(0x1.62e42fefa4p-1);
  private static final DoubleVector LN2_LOW = of(-0x1.8432a1b0e2634p-43);
  private static final DoubleVector LN2 = of(0x1.62e42fefa39efp-1);
  private static final LongVector ROOT_OF_HALF = of(Double.doubleToRawLongBits(Math.sqrt(0.5)));
  private static final LongVector MANTISSA = of(0xF_FFFF_FFFF_FFFFL);
  // Keeps exponents positive; a number of this size holds them in its low bits.
  private static final LongVector BIAS = of(0x4000_0000_0000_0000L);
  private static final LongVector HOLDER_BITS = of(0x4330_0000_0000_0000L);
  private static final DoubleVector HOLDER = of(0x1p52 + 0x400);
  // From here on 1 is lost beside the square.
  private static final double LARGE = 0x1p28;
  private static final DoubleVector P0 = of(0.6666666666666666);
  private static final DoubleVector P1 = of(0.40000000000006253);
  private static final DoubleVector P2 = of(0.28571428569083224);
  private static final DoubleVector P3 = of(0.22222222647238235);
  private static final DoubleVector P4 = of(0.18181775627332916);
  private static final DoubleVector P5 = of(0.15387092530781857);
  private static final DoubleVector P6 = of(0.13250076197853147);
  private static final DoubleVector P7 = of(0.1325172536030268);

  private DoubleLog() {}

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  private static LongVector of(long value) {
    return LongVector.broadcast(LONGS, value);
  }

  static void log(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      log(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void asinh(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      asinh(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void acosh(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      acosh(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void atanh(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      atanh(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  /** The logarithm of a vector. */
  public static DoubleVector log(DoubleVector x) {
    VectorMask<Double> subnormal = x.compare(LT, Double.MIN_NORMAL);
    DoubleVector scale = ZERO.blend(MINUS_54, subnormal);
    DoubleVector y = finite(x.mul(TWO_TO_54, subnormal), scale, ZERO);
    DoubleVector result = y.blend(MINUS_INFINITY, x.compare(EQ, 0)).blend(NAN, x.compare(LT, 0));
    return result.blend(x, x.compare(LT, Double.POSITIVE_INFINITY).not());
  }

  /** {@code log(1 + x)}. */
  static DoubleVector log1p(DoubleVector x) {
    DoubleVector sum = x.add(ONE);
    DoubleVector back = sum.sub(ONE);
    // What the sum has lost.
    DoubleVector lost = ONE.sub(sum.sub(back)).add(x.sub(back));
    DoubleVector y = finite(sum, ZERO, lost.div(sum));
    y = y.blend(MINUS_INFINITY, sum.compare(EQ, 0)).blend(NAN, sum.compare(LT, 0));
    return y.blend(sum, sum.compare(LT, Double.POSITIVE_INFINITY).not());
  }

  /**
   * {@code log(x) + scale ln(2) + low} for positive, finite, normal numbers.
   *
   * @param low is small beside the result
   */
  private static DoubleVector finite(DoubleVector x, DoubleVector scale, DoubleVector low) {
    LongVector shifted = x.reinterpretAsLongs().sub(ROOT_OF_HALF);
    LongVector exponent = shifted.add(BIAS).lanewise(LSHR, 52).lanewise(OR, HOLDER_BITS);
    DoubleVector k = exponent.reinterpretAsDoubles().sub(HOLDER).add(scale);
    DoubleVector f = shifted.lanewise(AND, MANTISSA).add(ROOT_OF_HALF).reinterpretAsDoubles();
    f = f.sub(ONE);
    DoubleVector s = f.div(f.add(TWO));
    DoubleVector z = s.mul(s);
    DoubleVector p = P7.fma(z, P6).fma(z, P5).fma(z, P4).fma(z, P3).fma(z, P2).fma(z, P1);
    // 2 s = f - s f, and f is exact.
    DoubleVector rest = p.fma(z, P0).fma(z.neg(), f).fma(s.neg(), k.fma(LN2_LOW, low));
    return k.fma(LN2_HIGH, f.add(rest));
  }

  /**
   * {@code log(x + sqrt(x^2 + 1))}, by what the argument is above 1; {@code log(2 x)} where {@code
   * x} is large.
   */
  public static DoubleVector asinh(DoubleVector x) {
    LongVector sign = DoubleSigns.of(x);
    DoubleVector t = x.lanewise(ABS);
    DoubleVector square = t.mul(t);
    DoubleVector root = square.add(ONE).lanewise(SQRT);
    VectorMask<Double> large = t.compare(GT, LARGE);
    DoubleVector above = square.div(root.add(ONE)).add(t).blend(t.sub(ONE), large);
    DoubleVector y = log1p(above).add(LN2, large);
    return y.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
  }

  /** The logarithm of {@code x + sqrt(x^2 - 1)}, by what the argument is above 1. */
  public static DoubleVector acosh(DoubleVector x) {
    DoubleVector above = x.sub(ONE);
    DoubleVector root = above.fma(above, above.add(above)).lanewise(SQRT);
    VectorMask<Double> large = x.compare(GT, LARGE);
    DoubleVector y = log1p(above.add(root).blend(above, large)).add(LN2, large);
    return y.blend(NAN, x.compare(LT, 1));
  }

  /** {@code log((1 + x) / (1 - x)) / 2}. */
  public static DoubleVector atanh(DoubleVector x) {
    LongVector sign = DoubleSigns.of(x);
    DoubleVector t = x.lanewise(ABS);
    DoubleVector y = log1p(t.add(t).div(ONE.sub(t))).mul(HALF);
    return y.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
  }
}
