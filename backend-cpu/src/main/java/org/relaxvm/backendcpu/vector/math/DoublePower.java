package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.OR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Powers of float64: {@code exp(y log(x))}, of logarithms that are sums of two doubles, because an
 * exponential turns what is lost of its argument into a relative error.
 *
 * <p>Not thread-safe.
 */
final class DoublePower {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();
  // Elements that are computed at once; a multiple of all vectors' lengths.
  private static final int BLOCK = 256;

  private static final DoubleVector ONE = of(1.0);
  private static final DoubleVector ZERO = of(0.0);
  private static final DoubleVector HALF = of(0.5);
  private static final DoubleVector NAN = of(Double.NaN);
  private static final DoubleVector INFINITY = of(Double.POSITIVE_INFINITY);
  // Larger exponents are even, and of halves of smaller ones a sum with 2^52 has no fraction.
  private static final DoubleVector EVEN = of(0x1p53);
  private static final DoubleVector TWO_TO_52 = of(0x1p52);
  // Adding it rounds to an integer, which then stands in the low bits.
  private static final DoubleVector ROUNDER = of(0x1.8p52);
  private static final DoubleVector LOG2_E = of(0x1.71547652b82fep0);
  private static final DoubleVector MINUS_LN2_HIGH = of(-0x1.62e42fefa4p-1);
  private static final DoubleVector MINUS_LN2_LOW = of(0x1.8432a1b0e2634p-43);
  // Powers with larger exponents of their base e are infinite, and with less than its negative 0.
  private static final double LARGEST = 800;
  private static final LongVector ONE_BITS =
      LongVector.broadcast(SPECIES.withLanes(long.class), Double.doubleToRawLongBits(1));
  private static final LongVector SIGN =
      LongVector.broadcast(SPECIES.withLanes(long.class), Long.MIN_VALUE);
  private static final DoubleVector P0 = of(0.5);
  private static final DoubleVector P1 = of(0.16666666666666685);
  private static final DoubleVector P2 = of(0.04166666666666673);
  private static final DoubleVector P3 = of(0.008333333333316702);
  private static final DoubleVector P4 = of(0.0013888888888858517);
  private static final DoubleVector P5 = of(0.00019841269897148383);
  private static final DoubleVector P6 = of(2.4801587373599248e-05);
  private static final DoubleVector P7 = of(2.7557234146098436e-06);
  private static final DoubleVector P8 = of(2.7557233477213604e-07);
  private static final DoubleVector P9 = of(2.511227189780481e-08);
  private static final DoubleVector P10 = of(2.0926908161438015e-09);

  private final double[] high = new double[BLOCK];
  private final double[] low = new double[BLOCK];

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  /** {@code a[i] = a[i]} to the power of {@code b[i]}. */
  void apply(double[] a, double[] b, int from, int to) {
    int whole = from + SPECIES.loopBound(to - from);
    for (int start = from; start < whole; start += BLOCK) {
      block(a, b, start, Math.min(BLOCK, whole - start));
    }
    if (whole < to) {
      // By the same code: results do not depend on places.
      double[] bases = new double[LANES];
      double[] exponents = new double[LANES];
      System.arraycopy(a, whole, bases, 0, to - whole);
      System.arraycopy(b, whole, exponents, 0, to - whole);
      block(bases, exponents, 0, LANES);
      System.arraycopy(bases, 0, a, whole, to - whole);
    }
  }

  private void block(double[] a, double[] b, int start, int count) {
    DoubleLogProduct.apply(a, b, start, high, low, count);
    exp(high, low, count);
    sign(high, a, b, start, count);
    System.arraycopy(high, 0, a, start, count);
  }

  /** {@code high[i] = exp(high[i] + low[i])}. */
  private static void exp(double[] high, double[] low, int count) {
    for (int i = 0; i < count; i += LANES) {
      DoubleVector x = DoubleVector.fromArray(SPECIES, high, i);
      DoubleVector power = x.fma(LOG2_E, ROUNDER);
      DoubleVector n = power.sub(ROUNDER);
      DoubleVector exact = n.fma(MINUS_LN2_HIGH, x);
      DoubleVector rest = n.fma(MINUS_LN2_LOW, DoubleVector.fromArray(SPECIES, low, i));
      DoubleVector r = exact.add(rest);
      rest = rest.sub(r.sub(exact));
      DoubleVector p = P10.fma(r, P9).fma(r, P8).fma(r, P7).fma(r, P6).fma(r, P5).fma(r, P4);
      p = p.fma(r, P3).fma(r, P2).fma(r, P1).fma(r, P0);
      DoubleVector sum = r.add(ONE);
      DoubleVector lost = r.sub(sum.sub(ONE));
      DoubleVector y = sum.add(p.fma(r.mul(r), rest.fma(sum, lost)));
      // In two steps: the power of two may be too large or too small for a double.
      LongVector bits = power.reinterpretAsLongs();
      LongVector half = bits.lanewise(LSHR, 1);
      LongVector others = bits.sub(half).lanewise(LSHL, 52).add(ONE_BITS);
      y = y.reinterpretAsLongs().add(half.lanewise(LSHL, 52)).reinterpretAsDoubles();
      y = y.mul(others.reinterpretAsDoubles());
      // Infinity beyond, and NaN of NaN.
      y = x.add(INFINITY).blend(y, x.compare(LT, LARGEST));
      y.blend(ZERO, x.compare(LT, -LARGEST)).intoArray(high, i);
    }
  }

  /** Gives powers of negative bases their sign, and those that are 1 whatever the other operand. */
  private static void sign(double[] powers, double[] a, double[] b, int start, int count) {
    for (int i = 0; i < count; i += LANES) {
      DoubleVector x = DoubleVector.fromArray(SPECIES, a, start + i);
      DoubleVector y = DoubleVector.fromArray(SPECIES, b, start + i);
      if (x.compare(GT, ZERO).and(x.compare(LT, INFINITY)).and(y.compare(EQ, y)).allTrue()) {
        continue;
      }
      signed(DoubleVector.fromArray(SPECIES, powers, i), x, y).intoArray(powers, i);
    }
  }

  /** {@code x} to the power of {@code y}, given that of {@code |x|}. */
  static DoubleVector signed(DoubleVector power, DoubleVector x, DoubleVector y) {
    DoubleVector size = y.lanewise(ABS);
    size = size.blend(EVEN, size.compare(GT, EVEN));
    DoubleVector half = size.mul(HALF);
    DoubleVector near = half.add(TWO_TO_52).sub(TWO_TO_52);
    VectorMask<Double> odd = half.sub(near).lanewise(ABS).compare(EQ, HALF);
    VectorMask<Double> integer = near.add(near).compare(EQ, size).or(odd);
    VectorMask<Double> negative = x.compare(LT, ZERO).and(x.compare(GT, Double.NEGATIVE_INFINITY));
    VectorMask<Double> none = negative.andNot(integer);
    VectorMask<Double> one = x.compare(EQ, ONE).or(y.compare(EQ, ZERO));
    LongVector sign = x.reinterpretAsLongs().lanewise(AND, SIGN);
    DoubleVector signed = power.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
    return power.blend(signed, odd).blend(NAN, none).blend(ONE, one);
  }
}
