package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.XOR;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * The trigonometric functions in float64. The nearest multiple of a quarter turn is taken off the
 * argument in three parts; of the rest {@code r}, with {@code z = r^2}, the sine is {@code r + r z
 * S(z)} and the cosine {@code 1 - z/2 + z^2 C(z)}. Arguments beyond a million, whose multiple has
 * too many digits for that, are computed one by one.
 */
public final class DoubleTrigonometry {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();

  private static final VectorSpecies<Long> LONGS = SPECIES.withLanes(long.class);
  private static final double LARGE = 1e6;

  private static final DoubleVector ONE = of(1.0);
  private static final DoubleVector HALF = of(0.5);
  private static final DoubleVector TWO_OVER_PI = of(0x1.45f306dc9c883p-1);
  // A quarter turn in three parts; multiples of the first two are exact.
  private static final DoubleVector QUARTER_1 = of(-0x1.921fb544p0);
  private static final DoubleVector QUARTER_2 = of(-0x1.0b4611a6p-34);
  private static final DoubleVector QUARTER_3 = of(-0x1.3198a2e037073p-69);
  // Adding it rounds to an integer, which then stands in the low bits.
  private static final DoubleVector ROUNDER = of(0x1.8p52);
  private static final LongVector ODD = of(1L);
  private static final LongVector HALF_TURN = of(2L);
  private static final DoubleVector S0 = of(-0.16666666666666666);
  private static final DoubleVector S1 = of(0.008333333333333323);
  private static final DoubleVector S2 = of(-0.00019841269841254977);
  private static final DoubleVector S3 = of(2.755731921414229e-06);
  private static final DoubleVector S4 = of(-2.5052104898866e-08);
  private static final DoubleVector S5 = of(1.6058364986060006e-10);
  private static final DoubleVector S6 = of(-7.578615561623349e-13);
  private static final DoubleVector C0 = of(0.041666666666666595);
  private static final DoubleVector C1 = of(-0.0013888888888872904);
  private static final DoubleVector C2 = of(2.4801587288752757e-05);
  private static final DoubleVector C3 = of(-2.7557314149686655e-07);
  private static final DoubleVector C4 = of(2.087569668675523e-09);
  private static final DoubleVector C5 = of(-1.13583150552107e-11);

  private DoubleTrigonometry() {}

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  private static LongVector of(long value) {
    return LongVector.broadcast(LONGS, value);
  }

  static void sin(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      DoubleVector x = DoubleVector.fromArray(SPECIES, a, i);
      if (x.lanewise(ABS).compare(LE, LARGE).allTrue()) {
        sin(x).intoArray(a, i);
      } else {
        sinOfLarge(a, i);
      }
    }
  }

  static void cos(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      DoubleVector x = DoubleVector.fromArray(SPECIES, a, i);
      if (x.lanewise(ABS).compare(LE, LARGE).allTrue()) {
        cos(x).intoArray(a, i);
      } else {
        cosOfLarge(a, i);
      }
    }
  }

  static void tan(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      DoubleVector x = DoubleVector.fromArray(SPECIES, a, i);
      if (x.lanewise(ABS).compare(LE, LARGE).allTrue()) {
        tan(x).intoArray(a, i);
      } else {
        tanOfLarge(a, i);
      }
    }
  }

  /** The sine of a vector, whatever is in it. */
  public static DoubleVector sinOfAll(DoubleVector x) {
    if (x.lanewise(ABS).compare(LE, LARGE).allTrue()) {
      return sin(x);
    }
    double[] y = x.toArray();
    sinOfLarge(y, 0);
    return DoubleVector.fromArray(SPECIES, y, 0);
  }

  /** The cosine of a vector, whatever is in it. */
  public static DoubleVector cosOfAll(DoubleVector x) {
    if (x.lanewise(ABS).compare(LE, LARGE).allTrue()) {
      return cos(x);
    }
    double[] y = x.toArray();
    cosOfLarge(y, 0);
    return DoubleVector.fromArray(SPECIES, y, 0);
  }

  /** The tangent of a vector, whatever is in it. */
  public static DoubleVector tanOfAll(DoubleVector x) {
    if (x.lanewise(ABS).compare(LE, LARGE).allTrue()) {
      return tan(x);
    }
    double[] y = x.toArray();
    tanOfLarge(y, 0);
    return DoubleVector.fromArray(SPECIES, y, 0);
  }

  private static DoubleVector sin(DoubleVector x) {
    DoubleVector turns = x.fma(TWO_OVER_PI, ROUNDER);
    // The sum of the parts would lose the sign of 0.
    return wave(x, turns, turns.reinterpretAsLongs()).blend(x, x.compare(EQ, 0));
  }

  /** The sine a quarter turn further on. */
  private static DoubleVector cos(DoubleVector x) {
    DoubleVector turns = x.fma(TWO_OVER_PI, ROUNDER);
    return wave(x, turns, turns.reinterpretAsLongs().add(ODD));
  }

  private static DoubleVector wave(DoubleVector x, DoubleVector turns, LongVector quarter) {
    DoubleVector n = turns.sub(ROUNDER);
    DoubleVector exact = n.fma(QUARTER_1, x);
    DoubleVector high = n.fma(QUARTER_2, exact);
    DoubleVector low = n.fma(QUARTER_3, n.fma(QUARTER_2, exact.sub(high)));
    VectorMask<Long> odd = quarter.lanewise(AND, ODD).compare(NE, 0);
    DoubleVector y = sinOfRest(high, low).blend(cosOfRest(high, low), odd.cast(SPECIES));
    LongVector sign = quarter.lanewise(AND, HALF_TURN).lanewise(LSHL, 62);
    return y.reinterpretAsLongs().lanewise(XOR, sign).reinterpretAsDoubles();
  }

  private static DoubleVector tan(DoubleVector x) {
    DoubleVector turns = x.fma(TWO_OVER_PI, ROUNDER);
    DoubleVector n = turns.sub(ROUNDER);
    DoubleVector exact = n.fma(QUARTER_1, x);
    DoubleVector high = n.fma(QUARTER_2, exact);
    DoubleVector low = n.fma(QUARTER_3, n.fma(QUARTER_2, exact.sub(high)));
    DoubleVector sin = sinOfRest(high, low);
    DoubleVector cos = cosOfRest(high, low);
    LongVector quarter = turns.reinterpretAsLongs().lanewise(AND, ODD);
    VectorMask<Double> odd = quarter.compare(NE, 0).cast(SPECIES);
    LongVector sign = quarter.lanewise(LSHL, 63);
    DoubleVector y = sin.blend(cos, odd).div(cos.blend(sin, odd));
    y = y.reinterpretAsLongs().lanewise(XOR, sign).reinterpretAsDoubles();
    return y.blend(x, x.compare(EQ, 0));
  }

  private static DoubleVector sinOfRest(DoubleVector r, DoubleVector low) {
    DoubleVector z = r.mul(r);
    DoubleVector p = S6.fma(z, S5).fma(z, S4).fma(z, S3).fma(z, S2).fma(z, S1).fma(z, S0);
    return p.mul(z).fma(r, z.mul(low).fma(HALF.neg(), low)).add(r);
  }

  private static DoubleVector cosOfRest(DoubleVector r, DoubleVector low) {
    DoubleVector z = r.mul(r);
    DoubleVector p = C5.fma(z, C4).fma(z, C3).fma(z, C2).fma(z, C1).fma(z, C0);
    DoubleVector half = z.mul(HALF);
    DoubleVector most = ONE.sub(half);
    // What was rounded off, the last term, and that the angle was r + low.
    DoubleVector rest = z.mul(z).fma(p, r.neg().mul(low));
    return ONE.sub(most).sub(half).add(rest).add(most);
  }

  private static void sinOfLarge(double[] a, int from) {
    double[] x = Arrays.copyOfRange(a, from, from + LANES);
    sin(DoubleVector.fromArray(SPECIES, x, 0)).intoArray(a, from);
    for (int i = 0; i < LANES; i++) {
      if (!(Math.abs(x[i]) <= LARGE)) {
        a[from + i] = Math.sin(x[i]);
      }
    }
  }

  private static void cosOfLarge(double[] a, int from) {
    double[] x = Arrays.copyOfRange(a, from, from + LANES);
    cos(DoubleVector.fromArray(SPECIES, x, 0)).intoArray(a, from);
    for (int i = 0; i < LANES; i++) {
      if (!(Math.abs(x[i]) <= LARGE)) {
        a[from + i] = Math.cos(x[i]);
      }
    }
  }

  private static void tanOfLarge(double[] a, int from) {
    double[] x = Arrays.copyOfRange(a, from, from + LANES);
    tan(DoubleVector.fromArray(SPECIES, x, 0)).intoArray(a, from);
    for (int i = 0; i < LANES; i++) {
      if (!(Math.abs(x[i]) <= LARGE)) {
        a[from + i] = Math.tan(x[i]);
      }
    }
  }
}
