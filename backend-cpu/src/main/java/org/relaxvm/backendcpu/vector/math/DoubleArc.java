package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.SQRT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * The inverse trigonometric functions in float64: {@code x + x z P(z)}, {@code z = x^2}, near 0.
 * Arguments further out are brought there.
 */
public final class DoubleArc {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();

  private static final DoubleVector ONE = of(1.0);
  private static final DoubleVector MINUS_ONE = of(-1.0);
  private static final DoubleVector TWO = of(2.0);
  private static final DoubleVector ZERO = of(0);
  private static final DoubleVector HALF = of(0.5);
  // What the angles lack as doubles counts in the last place.
  private static final DoubleVector PI = of(0x1.921fb54442d18p1);
  private static final DoubleVector PI_LOW = of(0x1.1a62633145c07p-53);
  private static final DoubleVector HALF_PI = of(0x1.921fb54442d18p0);
  private static final DoubleVector HALF_PI_LOW = of(0x1.1a62633145c07p-54);
  private static final DoubleVector QUARTER_PI = of(0x1.921fb54442d18p-1);
  private static final DoubleVector QUARTER_PI_LOW = of(0x1.1a62633145c07p-55);
  private static final double TAN_OF_EIGHTH = 0x1.a827999fcef32p-2;
  private static final double TAN_OF_THREE_EIGHTHS = 2.414213562373095;
  private static final DoubleVector A0 = of(-0.333333333333332);
  private static final DoubleVector A1 = of(0.19999999999953727);
  private static final DoubleVector A2 = of(-0.14285714280211997);
  private static final DoubleVector A3 = of(0.11111110784270622);
  private static final DoubleVector A4 = of(-0.09090897781482588);
  private static final DoubleVector A5 = of(0.07692060636676959);
  private static final DoubleVector A6 = of(-0.0666310876009494);
  private static final DoubleVector A7 = of(0.05847922573779641);
  private static final DoubleVector A8 = of(-0.05039448850526799);
  private static final DoubleVector A9 = of(0.0380680581034056);
  private static final DoubleVector A10 = of(-0.01791084691789584);
  private static final DoubleVector S0 = of(0.16666666666666763);
  private static final DoubleVector S1 = of(0.07499999999970129);
  private static final DoubleVector S2 = of(0.04464285717525779);
  private static final DoubleVector S3 = of(0.030381942676577258);
  private static final DoubleVector S4 = of(0.0223722158711248);
  private static final DoubleVector S5 = of(0.0173515960924014);
  private static final DoubleVector S6 = of(0.013981011809905486);
  private static final DoubleVector S7 = of(0.011397345208652699);
  private static final DoubleVector S8 = of(0.010789043597405743);
  private static final DoubleVector S9 = of(0.0036731824842797245);
  private static final DoubleVector S10 = of(0.021788332997868493);
  private static final DoubleVector S11 = of(-0.021113588887103504);
  private static final DoubleVector S12 = of(0.03270028630805675);

  private DoubleArc() {}

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  static void atan(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      atan(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void asin(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      asin(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void acos(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      acos(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  /**
   * Larger angles are those of {@code (x - 1) / (x + 1)} and an eighth of a full circle, or more.
   */
  public static DoubleVector atan(DoubleVector x) {
    LongVector sign = DoubleSigns.of(x);
    DoubleVector t = x.lanewise(ABS);
    VectorMask<Double> middle = t.compare(GT, TAN_OF_EIGHTH);
    VectorMask<Double> large = t.compare(GT, TAN_OF_THREE_EIGHTHS);
    DoubleVector above = t.blend(t.sub(ONE), middle).blend(MINUS_ONE, large);
    DoubleVector below = ONE.blend(t.add(ONE), middle).blend(t, large);
    DoubleVector r = above.div(below);
    DoubleVector angle = ZERO.blend(QUARTER_PI, middle).blend(HALF_PI, large);
    DoubleVector low = ZERO.blend(QUARTER_PI_LOW, middle).blend(HALF_PI_LOW, large);
    DoubleVector z = r.mul(r);
    DoubleVector y = angle.add(atanPart(z).mul(z).fma(r, low).add(r));
    return y.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
  }

  /** The angle of the point {@code (x, y)}. */
  public static DoubleVector atan2(DoubleVector y, DoubleVector x) {
    DoubleVector height = y.lanewise(ABS);
    DoubleVector width = x.lanewise(ABS);
    DoubleVector slope = height.div(width);
    // 0 / 0 and infinity / infinity.
    VectorMask<Double> same = height.compare(EQ, width);
    slope = slope.blend(ZERO.blend(ONE, height.compare(GT, 0)), same);
    DoubleVector angle = atan(slope);
    DoubleVector other = PI.sub(angle.sub(PI_LOW));
    // -0 is to the left as well.
    angle = angle.blend(other, x.reinterpretAsLongs().compare(LT, 0).cast(SPECIES));
    return angle.reinterpretAsLongs().lanewise(OR, DoubleSigns.of(y)).reinterpretAsDoubles();
  }

  private static DoubleVector atanPart(DoubleVector z) {
    DoubleVector p = A10.fma(z, A9).fma(z, A8).fma(z, A7).fma(z, A6).fma(z, A5);
    return p.fma(z, A4).fma(z, A3).fma(z, A2).fma(z, A1).fma(z, A0);
  }

  /** Above 1/2: {@code pi/2 - 2 asin(sqrt((1 - x) / 2))}. */
  public static DoubleVector asin(DoubleVector x) {
    LongVector sign = DoubleSigns.of(x);
    DoubleVector t = x.lanewise(ABS);
    VectorMask<Double> large = t.compare(GT, 0.5);
    DoubleVector rest = ONE.sub(t).mul(HALF);
    DoubleVector z = t.mul(t).blend(rest, large);
    DoubleVector r = t.blend(z.lanewise(SQRT), large);
    DoubleVector part = asinPart(z).mul(z).mul(r);
    DoubleVector low = part.add(lost(z, r));
    DoubleVector far = HALF_PI.sub(r.add(r).sub(HALF_PI_LOW.sub(low.add(low))));
    DoubleVector y = part.add(r).blend(far, large);
    return y.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
  }

  /**
   * {@code pi/2 - asin(x)}; above 1/2 {@code 2 asin(sqrt((1 - x) / 2))}, and below -1/2 likewise.
   */
  public static DoubleVector acos(DoubleVector x) {
    DoubleVector t = x.lanewise(ABS);
    VectorMask<Double> large = t.compare(GT, 0.5);
    DoubleVector rest = ONE.sub(t).mul(HALF);
    DoubleVector z = t.mul(t).blend(rest, large);
    DoubleVector r = x.blend(z.lanewise(SQRT), large);
    DoubleVector part = asinPart(z).mul(z).mul(r);
    DoubleVector low = part.add(lost(z, r));
    DoubleVector twice = r.add(low).mul(TWO);
    DoubleVector near = HALF_PI.sub(r.sub(HALF_PI_LOW.sub(part)));
    DoubleVector negative = PI.sub(r.add(r).sub(PI_LOW.sub(low.add(low))));
    return near.blend(twice.blend(negative, x.compare(LT, 0)), large);
  }

  /** What was rounded off a root; of 0, nothing. */
  private static DoubleVector lost(DoubleVector z, DoubleVector root) {
    DoubleVector lost = root.neg().fma(root, z).div(root.add(root));
    return lost.blend(ZERO, z.compare(LT, Double.MIN_NORMAL));
  }

  private static DoubleVector asinPart(DoubleVector z) {
    DoubleVector p = S12.fma(z, S11).fma(z, S10).fma(z, S9).fma(z, S8).fma(z, S7).fma(z, S6);
    return p.fma(z, S5).fma(z, S4).fma(z, S3).fma(z, S2).fma(z, S1).fma(z, S0);
  }
}
