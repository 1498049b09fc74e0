package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.OR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Products with logarithms to about 68 bits, as sums of two doubles. With {@code |x| = 2^k (1 +
 * f)}, {@code 1 + f} between the roots of 1/2 and 2, {@code s = f / (2 + f)} and {@code z = s^2}:
 * {@code log(1 + f) = 2 s (1 + z (1/3 + z (1/5 + z T(z))))}. Of all but {@code T} the rounding
 * errors are kept.
 */
final class DoubleLogProduct {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();
  private static final VectorSpecies<Long> LONGS = SPECIES.withLanes(long.class);

  private static final DoubleVector ONE = of(1.0);
  private static final DoubleVector TWO = of(2.0);
  private static final DoubleVector ZERO = of(0.0);
  private static final DoubleVector MINUS_INFINITY = of(Double.NEGATIVE_INFINITY);
  private static final DoubleVector TWO_TO_54 = of(0x1p54);
  private static final DoubleVector MINUS_54 = of(-54.0);
  // Factors beyond take every logarithm but 0 to where exponentials are 0 or infinite.
  private static final DoubleVector LARGEST = of(0x1p65);
  private static final DoubleVector SMALLEST = of(-0x1p65);
  // ln 2 in two parts; multiples of the first by exponents are exact.
  private static final DoubleVector LN2_HIGH = of(0x1.62e42fefa4p-1);
  private static final DoubleVector LN2_LOW = of(-0x1.8432a1b0e2634p-43);
  private static final LongVector ROOT_OF_HALF = of(Double.doubleToRawLongBits(Math.sqrt(0.5)));
  private static final LongVector MANTISSA = of(0xF_FFFF_FFFF_FFFFL);
  // Keeps exponents positive; a number of this size holds them in its low bits.
  private static final LongVector BIAS = of(0x4000_0000_0000_0000L);
  private static final LongVector HOLDER_BITS = of(0x4330_0000_0000_0000L);
  private static final DoubleVector HOLDER = of(0x1p52 + 0x400);
  private static final DoubleVector THIRD = of(0x1.5555555555555p-2);
  private static final DoubleVector THIRD_LOW = of(0x1.5555555555555p-56);
  private static final DoubleVector FIFTH = of(0x1.999999999999ap-3);
  private static final DoubleVector FIFTH_LOW = of(-0x1.999999999999ap-57);
  private static final DoubleVector T0 = of(0.1428571428571658);
  private static final DoubleVector T1 = of(0.11111111110006676);
  private static final DoubleVector T2 = of(0.09090909302644695);
  private static final DoubleVector T3 = of(0.07692286455662843);
  private static final DoubleVector T4 = of(0.06667881290214751);
  private static final DoubleVector T5 = of(0.05842526837472145);
  private static final DoubleVector T6 = of(0.05955434159310839);

  private DoubleLogProduct() {}

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  private static LongVector of(long value) {
    return LongVector.broadcast(LONGS, value);
  }

  /**
   * {@code high[i] + low[i] = b[start + i] log(|a[start + i]|)}. Where {@code high} is beyond the
   * logarithms of doubles, {@code low} may be anything; where {@code b} is 0, so may both.
   */
  static void apply(double[] a, double[] b, int start, double[] high, double[] low, int count) {
    for (int i = 0; i < count; i += LANES) {
      DoubleVector t = DoubleVector.fromArray(SPECIES, a, start + i).lanewise(ABS);
      VectorMask<Double> subnormal = t.compare(LT, Double.MIN_NORMAL);
      LongVector shifted = t.mul(TWO_TO_54, subnormal).reinterpretAsLongs().sub(ROOT_OF_HALF);
      LongVector exponent = shifted.add(BIAS).lanewise(LSHR, 52).lanewise(OR, HOLDER_BITS);
      DoubleVector k = exponent.reinterpretAsDoubles().sub(HOLDER);
      k = k.add(MINUS_54, subnormal);
      DoubleVector f = shifted.lanewise(AND, MANTISSA).add(ROOT_OF_HALF).reinterpretAsDoubles();
      f = f.sub(ONE);

      DoubleVector d = f.add(TWO);
      DoubleVector dLow = f.sub(d.sub(TWO));
      DoubleVector inverse = ONE.div(d);
      DoubleVector s = f.mul(inverse);
      DoubleVector minusS = s.neg();
      DoubleVector sLow = minusS.fma(dLow, minusS.fma(d, f)).mul(inverse);
      DoubleVector z = s.mul(s);
      DoubleVector zLow = s.add(s).fma(sLow, s.fma(s, z.neg()));

      DoubleVector p = T6.fma(z, T5).fma(z, T4).fma(z, T3).fma(z, T2).fma(z, T1).fma(z, T0);
      p = p.mul(z);
      DoubleVector u = p.add(FIFTH);
      DoubleVector uLow = p.sub(u.sub(FIFTH)).add(FIFTH_LOW);
      DoubleVector q = u.mul(z);
      DoubleVector qLow = uLow.fma(z, u.fma(zLow, u.fma(z, q.neg())));
      u = q.add(THIRD);
      uLow = q.sub(u.sub(THIRD)).add(qLow.add(THIRD_LOW));
      q = u.mul(z);
      qLow = uLow.fma(z, u.fma(zLow, u.fma(z, q.neg())));

      s = s.add(s);
      sLow = sLow.add(sLow);
      u = q.mul(s);
      uLow = qLow.fma(s, q.fma(sLow, q.fma(s, u.neg())));
      DoubleVector kHigh = k.mul(LN2_HIGH);
      DoubleVector sum = kHigh.add(s);
      DoubleVector rest = k.fma(LN2_LOW, s.sub(sum.sub(kHigh)).add(sLow).add(uLow));
      DoubleVector log = sum.add(u);
      rest = rest.add(u.sub(log.sub(sum)));
      log = log.blend(MINUS_INFINITY, t.compare(EQ, ZERO));
      log = log.blend(t, t.compare(LT, Double.POSITIVE_INFINITY).not());

      DoubleVector factor = DoubleVector.fromArray(SPECIES, b, start + i);
      factor = factor.blend(LARGEST, factor.compare(GT, LARGEST));
      factor = factor.blend(SMALLEST, factor.compare(LT, SMALLEST));
      DoubleVector product = factor.mul(log);
      product.intoArray(high, i);
      factor.fma(rest, factor.fma(log, product.neg())).intoArray(low, i);
    }
  }
}
