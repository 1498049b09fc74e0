package org.relaxvm.backendcpu.jit.functions;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;

/**
 * The logarithm and what is made of it. With {@code x = 2^k (1 + f)}, {@code 1 + f} between the
 * roots of 1/2 and 2, and {@code s = f / (2 + f)}: {@code log(1 + f) = 2 s + s z P(z)}, {@code z =
 * s^2}.
 */
final class Logarithms {
  private static final double[] P32 = {0.6666667f, 0.40000123f, 0.28550804f, 0.23330964f};
  private static final double[] P64 = {
    0.6666666666666666, 0.40000000000006253, 0.28571428569083224, 0.22222222647238235,
    0.18181775627332916, 0.15387092530781857, 0.13250076197853147, 0.1325172536030268
  };

  /** Of float64, where float32 is the result. */
  private static final double[] P64_SHORT = {
    0.6666666666737868,
    0.3999999879244169,
    0.28571755535032944,
    0.22191337428065783,
    0.19363884986633198
  };

  private static final double LN2 = 0x1.62e42fefa39efp-1;
  private static final double ROOT_OF_HALF = Math.sqrt(0.5);
  // From here on 1 is lost beside the square.
  private static final double LARGE = 0x1p28;

  private final LaneWriter lanes;
  private final boolean isShort;

  /**
   * Creates a writer.
   *
   * @param isShort whether float32 is the result of what is computed in float64
   */
  Logarithms(LaneWriter lanes, boolean isShort) {
    this.lanes = lanes;
    this.isShort = isShort;
  }

  /**
   * A positive, finite, normal number.
   *
   * @param f the number is {@code 2^k (1 + f)}
   */
  record Split(Reg k, Reg f) {}

  /** Splits a power of two off. */
  Split split(Reg x) {
    Const root = lanes.bitsOf(ROOT_OF_HALF);
    Reg shifted = lanes.sub(lanes.toInts(x), root);
    Reg k;
    if (lanes.isFloat32()) {
      Reg exponent = lanes.sar(shifted, 23);
      k = lanes.writer().compute(Op.TO_FLOAT, lanes.type(), exponent);
    } else {
      // The exponent, with a bias that keeps it positive, becomes the low bits of a float.
      Reg biased = lanes.shr(lanes.add(shifted, lanes.integer(0x4000_0000_0000_0000L)), 52);
      Reg holder = lanes.op(Op.OR, biased, lanes.bitsOf(0x1p52));
      k = lanes.sub(lanes.toFloats(holder), lanes.of(0x1p52 + 0x400));
    }
    Const fraction = lanes.integer((1L << lanes.fractionBits()) - 1);
    Reg mantissa = lanes.add(lanes.op(Op.AND, shifted, fraction), root);
    return new Split(k, lanes.sub(lanes.toFloats(mantissa), lanes.of(1)));
  }

  /** {@code log(x)}. */
  Reg log(Operand x) {
    Reg isSubnormal = isSubnormal(x);
    int up = lanes.isFloat32() ? 25 : 54;
    Reg normal = lanes.choose(isSubnormal, lanes.mul(x, lanes.of(Math.scalb(1.0, up))), x);
    Split split = split(normal);
    Reg k = lanes.add(split.k(), lanes.choose(isSubnormal, lanes.of(-up), lanes.of(0)));
    return finish(ofSplit(k, split.f(), null), x);
  }

  Reg isSubnormal(Operand x) {
    return lanes.compare(Relation.LT, x, lanes.of(Float.MIN_NORMAL, Double.MIN_NORMAL));
  }

  /** The logarithm of 0, of negative numbers, infinity and NaN instead of {@code y}. */
  private Reg finish(Reg y, Operand x) {
    Const zero = lanes.of(0);
    y = lanes.choose(Relation.EQ, x, zero, lanes.of(Double.NEGATIVE_INFINITY), y);
    y = lanes.choose(Relation.LT, x, zero, lanes.of(Double.NaN), y);
    return lanes.choose(Relation.LT, x, lanes.of(Double.POSITIVE_INFINITY), y, x);
  }

  /** {@code k ln(2) + log(1 + f) + low}, where {@code low} is small beside the result. */
  private Reg ofSplit(Reg k, Reg f, @Nullable Reg low) {
    Reg s = lanes.div(f, lanes.add(f, lanes.of(2)));
    Reg z = lanes.mul(s, s);
    double[] coefficients = lanes.isFloat32() ? P32 : isShort ? P64_SHORT : P64;
    Reg p = lanes.polynomial(z, coefficients);
    // 2 s = f - s f, and f is exact.
    Reg difference = lanes.fnma(p, z, f);
    Const lnLow = lanes.of(0x1.2fefa2p-17f, -0x1.8432a1b0e2634p-43);
    Reg product = low == null ? lanes.mul(k, lnLow) : lanes.fma(k, lnLow, low);
    Reg rest = lanes.fnma(s, difference, product);
    return lanes.fma(k, lanes.of(0x1.62e3p-1f, 0x1.62e42fefa4p-1), lanes.add(f, rest));
  }

  /** {@code log(1 + x)} of float64. */
  private Reg log1p(Reg x) {
    Const one = lanes.of(1);
    Reg sum = lanes.add(x, one);
    Reg back = lanes.sub(sum, one);
    Reg lost = lanes.add(lanes.sub(one, lanes.sub(sum, back)), lanes.sub(x, back));
    Split split = split(sum);
    return finish(ofSplit(split.k(), split.f(), lanes.div(lost, sum)), sum);
  }

  /**
   * {@code log(x + sqrt(x^2 + 1))} of float64, by what the argument is above 1; {@code log(2 x)}
   * where {@code x} is large.
   */
  Reg asinh(Operand x) {
    Const one = lanes.of(1);
    Reg t = lanes.abs(x);
    Reg square = lanes.mul(t, t);
    Reg root = lanes.sqrt(lanes.add(square, one));
    Reg isLarge = lanes.compare(Relation.GT, t, lanes.of(LARGE));
    Reg above = lanes.add(lanes.div(square, lanes.add(root, one)), t);
    above = lanes.choose(isLarge, lanes.sub(t, one), above);
    Reg y = lanes.add(log1p(above), lanes.choose(isLarge, lanes.of(LN2), lanes.of(0)));
    return lanes.withSign(y, lanes.sign(x));
  }

  /** {@code log(x + sqrt(x^2 - 1))} of float64, by what the argument is above 1. */
  Reg acosh(Operand x) {
    Reg above = lanes.sub(x, lanes.of(1));
    Reg root = lanes.sqrt(lanes.fma(above, above, lanes.add(above, above)));
    Reg isLarge = lanes.compare(Relation.GT, x, lanes.of(LARGE));
    Reg argument = lanes.choose(isLarge, above, lanes.add(above, root));
    Reg y = lanes.add(log1p(argument), lanes.choose(isLarge, lanes.of(LN2), lanes.of(0)));
    return lanes.choose(Relation.LT, x, lanes.of(1), lanes.of(Double.NaN), y);
  }

  /** {@code log((1 + x) / (1 - x)) / 2} of float64. */
  Reg atanh(Operand x) {
    Reg t = lanes.abs(x);
    Reg quotient = lanes.div(lanes.add(t, t), lanes.sub(lanes.of(1), t));
    Reg y = lanes.mul(log1p(quotient), lanes.of(0.5));
    return lanes.withSign(y, lanes.sign(x));
  }
}
