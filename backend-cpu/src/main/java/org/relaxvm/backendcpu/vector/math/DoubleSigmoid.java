package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Functions in float64 that are made of the exponential one, which is only computed of numbers that
 * are not positive.
 */
public final class DoubleSigmoid {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();

  private static final DoubleVector ONE = of(1.0);
  private static final DoubleVector MINUS_ZERO = of(-0.0);
  private static final DoubleVector MINUS_ONE = of(-1.0);
  private static final DoubleVector SELU_SCALE = of(1.0507009873554805);
  private static final DoubleVector SELU_NEGATIVE = of(1.0507009873554805 * 1.6732632423543772);
  private static final DoubleVector ROOT_2_OVER_PI_2 = of(2 * 0x1.9884533d43651p-1);
  private static final DoubleVector CUBE = of(0.044715 * 2 * 0x1.9884533d43651p-1);

  private DoubleSigmoid() {}

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  static void sigmoid(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      sigmoid(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void silu(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      silu(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void geluTanh(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      geluTanh(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void selu(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      selu(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  /** {@code 1 / (1 + exp(-x))}, for negative {@code x} as {@code exp(x) / (1 + exp(x))}. */
  public static DoubleVector sigmoid(DoubleVector x) {
    DoubleVector e = DoubleExp.exp(x.lanewise(ABS).neg());
    return ONE.blend(e, x.compare(LT, 0)).div(e.add(ONE));
  }

  private static DoubleVector silu(DoubleVector x) {
    return weighted(x, x);
  }

  /** The mean of 1 and a hyperbolic tangent is the sigmoid function of twice the argument. */
  private static DoubleVector geluTanh(DoubleVector x) {
    return weighted(x, x.mul(CUBE).fma(x, ROOT_2_OVER_PI_2).mul(x));
  }

  /**
   * {@code x sigmoid(y)} for {@code y} of the sign of {@code x}. For negative {@code y} the product
   * of {@code x} and the exponential is scaled, which alone could be below the normal numbers.
   */
  private static DoubleVector weighted(DoubleVector x, DoubleVector y) {
    DoubleVector t = y.lanewise(ABS).neg();
    DoubleVector power = DoubleExp.power(t);
    DoubleVector e = DoubleExp.ofRest(DoubleExp.rest(t, power));
    // Of large arguments both are replaced.
    DoubleVector scaled = DoubleExp.scaled(e.mul(x), power, t.compare(LT, -700));
    DoubleVector lower = DoubleExp.scaled(e, power, t.compare(LT, -700));
    scaled = MINUS_ZERO.blend(scaled, t.compare(LE, -752).not());
    DoubleVector divisor = ONE.blend(lower.add(ONE), t.compare(LT, -700).not());
    return x.blend(scaled, x.compare(LT, 0)).div(divisor);
  }

  /** {@code scale x} for positive numbers, else {@code scale alpha (exp(x) - 1)}. */
  private static DoubleVector selu(DoubleVector x) {
    DoubleVector power = DoubleExp.power(x);
    DoubleVector rest = DoubleExp.lessOne(DoubleExp.rest(x, power));
    DoubleVector two = DoubleExp.scaled(ONE, power);
    DoubleVector lessOne = rest.fma(two, two.sub(ONE));
    lessOne = lessOne.blend(MINUS_ONE, x.compare(LT, -40));
    return x.mul(SELU_SCALE).blend(lessOne.mul(SELU_NEGATIVE), x.compare(LT, 0));
  }
}
