package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;

/**
 * The exponential function and what is made of it. A power of two is split off the argument; the
 * remainder {@code r} is at most ln(2)/2, and {@code exp(r) = 1 + r + r^2 P(r)}.
 */
final class Exponentials {
  private static final double[] P32 = {
    0.499999934f, 0.166665201f, 0.0416683954f, 0.00836878141f, 0.00138144168f
  };
  private static final double[] P64 = {
    0.5000000000000011, 0.1666666666666641, 0.04166666666652988, 0.008333333333495578,
    0.0013888888943726575, 0.00019841269504466125, 2.4801492980721615e-05, 2.7557588003659995e-06,
    2.7630296094054734e-07, 2.499962613542118e-08
  };

  /** Of float64, where float32 is the result. */
  private static final double[] P64_SHORT = {
    0.5,
    0.1666666671931248,
    0.041666666719295684,
    0.008333298344023092,
    0.001388885390994504,
    0.00019899390183679232,
    2.485969439475207e-05
  };

  /** For powers. */
  private static final double[] POWER64 = {
    0.5,
    0.16666666666666685,
    0.04166666666666673,
    0.008333333333316702,
    0.0013888888888858517,
    0.00019841269897148383,
    2.4801587373599248e-05,
    2.7557234146098436e-06,
    2.7557233477213604e-07,
    2.511227189780481e-08,
    2.0926908161438015e-09
  };

  private static final double[] TANH32 = {
    -0.33333334f, 0.13333304f, -0.053959258f, 0.021768918f, -0.008343945f, 0.0022927448f
  };
  private static final double[] TANH64 = {
    -0.33333333333333315, 0.13333333333329858, -0.05396825396611662, 0.02186948847016214,
    -0.008863234333635487, 0.003592114192525201, -0.0014557271023534913, 0.0005894563964972036,
    -0.00023702379410159137, 9.157844544285949e-05, -3.0206298947364356e-05, 6.050405151379838e-06
  };
  private static final double TANH_NEAR = 0.625;

  private static final double[] SINH64 = {
    0.16666666666666669,
    0.008333333333333137,
    0.00019841269841438676,
    2.755731915501351e-06,
    2.50521234512297e-08,
    1.6057236150986186e-10,
    7.759441778358092e-13
  };
  private static final double[] SINH64_SHORT = {
    0.16666666666698407,
    0.008333333317464362,
    0.0001984128253011599,
    2.755377026364149e-06,
    2.545670657152382e-08
  };

  private final LaneWriter lanes;
  private final boolean isShort;
  // Adding it rounds to an integer, which then is in the low bits.
  private final double rounder;
  // Twice the bias of exponents.
  private final int twoBiases;

  /**
   * Creates a writer.
   *
   * @param isShort whether float32 is the result of what is computed in float64
   */
  Exponentials(LaneWriter lanes, boolean isShort) {
    this.lanes = lanes;
    this.isShort = isShort;
    rounder = lanes.isFloat32() ? 0x1.8p23 : 0x1.8p52;
    twoBiases = lanes.isFloat32() ? 254 : 2046;
  }

  /**
   * An argument without a multiple of ln 2.
   *
   * @param n what is multiplied, an integer
   * @param bits the same and an offset in the low bits
   */
  private record Split(Reg remainder, Reg n, Reg bits) {}

  /** Splits a power of two off. */
  private Split split(Operand x, int offset) {
    Const shifted = lanes.of(rounder + offset);
    Reg bits = lanes.fma(x, lanes.of(0x1.715476p0f, 0x1.71547652b82fep0), shifted);
    Reg n = lanes.sub(bits, shifted);
    // ln 2 in two parts; multiples of the first by exponents are exact.
    Reg high = lanes.fma(n, lanes.of(-0x1.62e3p-1f, -0x1.62e42fefa4p-1), x);
    Reg r = lanes.fma(n, lanes.of(-0x1.2fefa2p-17f, 0x1.8432a1b0e2634p-43), high);
    return new Split(r, n, bits);
  }

  private Reg ofRemainder(Reg r) {
    if (lanes.isFloat32()) {
      Reg p = lanes.polynomial(r, P32);
      return lanes.fma(lanes.fma(p, r, lanes.of(1)), r, lanes.of(1));
    }
    Reg p = lanes.polynomial(r, isShort ? P64_SHORT : P64);
    return lanes.add(lanes.fma(p, lanes.mul(r, r), r), lanes.of(1));
  }

  private boolean hasScale() {
    return lanes.target().supports(Op.SCALE, lanes.type(), lanes.type());
  }

  /**
   * {@code y} times a power of two, of which the result is a normal number; bits without offset.
   */
  private Reg scaledNormal(Reg y, Reg n, Reg bits) {
    if (hasScale()) {
      return lanes.op(Op.SCALE, y, n);
    }
    Reg exponent = lanes.shl(lanes.toInts(bits), lanes.fractionBits());
    return lanes.toFloats(lanes.add(lanes.toInts(y), exponent));
  }

  /** {@code y} times a power of two; two biases are added to the bits. */
  private Reg scaled(Reg y, Reg n, Reg bits) {
    if (hasScale()) {
      return lanes.op(Op.SCALE, y, n);
    }
    // In two steps: the power may be too large or too small for a float.
    Reg both = lanes.toInts(bits);
    Reg half = lanes.shr(both, 1);
    Reg other = lanes.sub(both, half);
    Reg first = lanes.toFloats(lanes.shl(half, lanes.fractionBits()));
    Reg second = lanes.toFloats(lanes.shl(other, lanes.fractionBits()));
    return lanes.mul(lanes.mul(y, first), second);
  }

  /** {@code exp(x)}. */
  Reg exp(Operand x) {
    // Of what is beyond, results are 0 and infinity. NaN stays NaN.
    return ofBounded(lanes.max(notLarge(x), smallest()));
  }

  private Reg notLarge(Operand x) {
    return lanes.min(x, lanes.of(90f, 712));
  }

  private Const smallest() {
    return lanes.of(-105f, -747);
  }

  private Reg ofBounded(Reg x) {
    Split split = split(x, twoBiases);
    return scaled(ofRemainder(split.remainder()), split.n(), split.bits());
  }

  /** {@code exp(x) / 2}, which may be finite where the exponential is not, of {@code x >= 0}. */
  private Reg halfOfExp(Reg x) {
    Split split = split(notLarge(x), twoBiases);
    Reg half = lanes.mul(ofRemainder(split.remainder()), lanes.of(0.5));
    return scaled(half, split.n(), split.bits());
  }

  /** {@code exp(x)} where it and its reciprocal are normal numbers; of NaN undefined. */
  Reg ofNormal(Operand x) {
    Split split = split(x, 0);
    return scaledNormal(ofRemainder(split.remainder()), split.n(), split.bits());
  }

  /**
   * {@code exp(high + low)} of float64, with a relative error of little more than 2^-53.
   *
   * @param high beyond the logarithms of doubles results are 0 and infinity, whatever {@code low}
   */
  Reg ofSum(Operand high, Operand low) {
    Const one = lanes.of(1);
    Reg x = lanes.max(lanes.min(high, lanes.of(800)), lanes.of(-800));
    Const shifted = lanes.of(rounder + twoBiases);
    Reg power = lanes.fma(x, lanes.of(0x1.71547652b82fep0), shifted);
    Reg n = lanes.sub(power, shifted);
    Reg exact = lanes.fma(n, lanes.of(-0x1.62e42fefa4p-1), x);
    Reg isInside = lanes.compare(Relation.LT, lanes.abs(high), lanes.of(800));
    Reg rest = lanes.fma(n, lanes.of(0x1.8432a1b0e2634p-43), low);
    rest = lanes.choose(isInside, rest, lanes.of(0));
    Reg r = lanes.add(exact, rest);
    rest = lanes.sub(rest, lanes.sub(r, exact));
    Reg p = lanes.polynomial(r, POWER64);
    Reg sum = lanes.add(r, one);
    Reg lost = lanes.sub(r, lanes.sub(sum, one));
    Reg small = lanes.fma(rest, sum, lost);
    return scaled(lanes.add(sum, lanes.fma(p, lanes.mul(r, r), small)), n, power);
  }

  /** {@code 1 / (1 + exp(-x))}, for negative {@code x} as {@code exp(x) / (1 + exp(x))}. */
  Reg sigmoid(Operand x) {
    Const one = lanes.of(1);
    Reg e = ofBounded(lanes.max(lanes.op(Op.OR, x, lanes.signBit()), smallest()));
    Reg d = lanes.add(e, one);
    Reg y = lanes.div(lanes.choose(Relation.LT, x, lanes.of(0), e, one), d);
    if (!lanes.isFloat32()) {
      return y;
    }
    // What the sum has lost changes y by y lost / d, where 1 / d = 1 - y for negative numbers.
    Reg lost = lanes.sub(e, lanes.sub(d, one));
    return lanes.fma(lanes.sub(lanes.mul(lost, y), lost), y, y);
  }

  /** {@code 1 - 2 / (exp(2 x) + 1)}, near 0 {@code x + x z P(z)} with {@code z = x^2}. */
  Reg tanh(Operand x) {
    Const one = lanes.of(1);
    Const two = lanes.of(2);
    // The result of more is 1.
    Reg t = lanes.min(lanes.abs(x), lanes.of(9.5f, 20));
    Reg far;
    if (lanes.isFloat32()) {
      Reg e = ofNormal(lanes.mul(t, lanes.of(-2)));
      far = lanes.sub(one, lanes.div(lanes.mul(e, two), lanes.add(e, one)));
    } else {
      Reg e = ofNormal(lanes.add(t, t));
      far = lanes.sub(one, lanes.div(two, lanes.add(e, one)));
    }
    Reg z = lanes.mul(t, t);
    Reg p = lanes.polynomial(z, lanes.isFloat32() ? TANH32 : TANH64);
    Reg near = lanes.fma(lanes.mul(p, z), t, t);
    // NaN is near: the other result is undefined.
    Reg y = lanes.choose(Relation.GE, t, lanes.of(TANH_NEAR), far, near);
    return lanes.withSign(y, lanes.sign(x));
  }

  /** By the exponential function, near 0 {@code x + x z P(z)}; of float64. */
  Reg sinh(Operand x) {
    Reg t = lanes.abs(x);
    Reg half = halfOfExp(t);
    Reg far = lanes.sub(half, lanes.div(lanes.of(0.25), half));
    Reg z = lanes.mul(t, t);
    Reg p = lanes.polynomial(z, isShort ? SINH64_SHORT : SINH64);
    Reg near = lanes.fma(lanes.mul(p, z), t, t);
    Reg y = lanes.choose(Relation.LT, t, lanes.of(1), near, far);
    return lanes.withSign(y, lanes.sign(x));
  }

  /** By the exponential function; of float64. */
  Reg cosh(Operand x) {
    Reg half = halfOfExp(lanes.abs(x));
    return lanes.add(half, lanes.div(lanes.of(0.25), half));
  }
}
