package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;

/**
 * Powers in float64: {@code exp(y log(x))}. An exponential turns what is lost of its argument into
 * a relative error, so the logarithm is a sum of two floats, with about 68 bits. With {@code |x| =
 * 2^k (1 + f)}, {@code 1 + f} between the roots of 1/2 and 2, {@code s = f / (2 + f)} and {@code z
 * = s^2}: {@code log(1 + f) = 2 s (1 + z (1/3 + z (1/5 + z T(z))))}. Of all but {@code T} the
 * rounding errors are kept.
 */
final class Powers {
  private static final double[] T = {
    0.1428571428571658,
    0.11111111110006676,
    0.09090909302644695,
    0.07692286455662843,
    0.06667881290214751,
    0.05842526837472145,
    0.05955434159310839
  };
  private static final double THIRD = 0x1.5555555555555p-2;
  private static final double THIRD_LOW = 0x1.5555555555555p-56;
  private static final double FIFTH = 0x1.999999999999ap-3;
  private static final double FIFTH_LOW = -0x1.999999999999ap-57;
  private static final double LN2_HIGH = 0x1.62e42fefa4p-1;
  private static final double LN2_LOW = -0x1.8432a1b0e2634p-43;
  // Factors beyond take every logarithm but 0 to where exponentials are 0 or infinite.
  private static final double LARGEST_FACTOR = 0x1p65;

  private final LaneWriter lanes;

  Powers(LaneWriter lanes) {
    this.lanes = lanes;
  }

  /** A sum of two numbers, the second one small. */
  private record Sum(Reg high, Reg low) {}

  /** {@code x} to the power of {@code y}, as C has it. */
  Reg pow(Operand x, Operand y) {
    Reg t = lanes.abs(x);
    Sum log = log(t);
    Reg factor = lanes.min(y, lanes.of(LARGEST_FACTOR));
    factor = lanes.max(factor, lanes.of(-LARGEST_FACTOR));
    Reg product = lanes.mul(factor, log.high());
    Reg low = lanes.fma(factor, log.low(), lanes.productError(factor, log.high(), product));
    return withSign(new Exponentials(lanes, false).ofSum(product, low), x, y);
  }

  /** As {@link #pow}, to within what rounding to float32 hides; operands are float32. */
  Reg shortPow(Operand x, Operand y) {
    Reg t = lanes.abs(x);
    Reg product = lanes.mul(new Logarithms(lanes, true).log(t), y);
    // The powers of 1 and -1 that are 0 times infinity.
    Reg isOne = lanes.compare(Relation.EQ, t, lanes.of(1));
    Reg infinite = lanes.compare(Relation.EQ, lanes.abs(y), lanes.of(Double.POSITIVE_INFINITY));
    product = lanes.choose(lanes.op(Op.AND, isOne, infinite), lanes.of(0), product);
    return withSign(new Exponentials(lanes, true).exp(product), x, y);
  }

  private Sum log(Reg t) {
    Logarithms logarithms = new Logarithms(lanes, false);
    Reg isSubnormal = logarithms.isSubnormal(t);
    Reg normal = lanes.choose(isSubnormal, lanes.mul(t, lanes.of(0x1p54)), t);
    Logarithms.Split split = logarithms.split(normal);
    Reg k = lanes.add(split.k(), lanes.choose(isSubnormal, lanes.of(-54), lanes.of(0)));
    Reg f = split.f();

    Const two = lanes.of(2);
    Reg d = lanes.add(f, two);
    Reg dLow = lanes.sub(f, lanes.sub(d, two));
    Reg inverse = lanes.div(lanes.of(1), d);
    Reg s = lanes.mul(f, inverse);
    Reg sLow = lanes.mul(lanes.fnma(s, dLow, lanes.fnma(s, d, f)), inverse);
    Reg z = lanes.mul(s, s);
    Reg zLow = lanes.fma(lanes.add(s, s), sLow, lanes.productError(s, s, z));
    Sum square = new Sum(z, zLow);

    Reg p = lanes.mul(lanes.polynomial(z, T), z);
    Sum q = times(plus(FIFTH, FIFTH_LOW, new Sum(p, lanes.move(lanes.of(0)))), square);
    q = times(plus(THIRD, THIRD_LOW, q), square);

    s = lanes.add(s, s);
    sLow = lanes.add(sLow, sLow);
    Sum u = times(q, new Sum(s, sLow));
    Reg kHigh = lanes.mul(k, lanes.of(LN2_HIGH));
    Reg sum = lanes.add(kHigh, s);
    Reg rest = lanes.sub(s, lanes.sub(sum, kHigh));
    rest = lanes.fma(k, lanes.of(LN2_LOW), lanes.add(lanes.add(rest, sLow), u.low()));
    Reg high = lanes.add(sum, u.high());
    rest = lanes.add(rest, lanes.sub(u.high(), lanes.sub(high, sum)));
    high = lanes.choose(Relation.EQ, t, lanes.of(0), lanes.of(Double.NEGATIVE_INFINITY), high);
    high = lanes.choose(Relation.LT, t, lanes.of(Double.POSITIVE_INFINITY), high, t);
    return new Sum(high, rest);
  }

  /** A constant plus a sum that is smaller. */
  private Sum plus(double constant, double constantLow, Sum a) {
    Const large = lanes.of(constant);
    Reg high = lanes.add(a.high(), large);
    Reg rest = lanes.sub(a.high(), lanes.sub(high, large));
    return new Sum(high, lanes.add(rest, lanes.add(a.low(), lanes.of(constantLow))));
  }

  private Sum times(Sum a, Sum b) {
    Reg high = lanes.mul(a.high(), b.high());
    Reg error = lanes.productError(a.high(), b.high(), high);
    Reg low = lanes.fma(a.low(), b.high(), lanes.fma(a.high(), b.low(), error));
    return new Sum(high, low);
  }

  /** {@code x} to the power of {@code y}, given that of {@code |x|}. */
  private Reg withSign(Reg power, Operand x, Operand y) {
    Const zero = lanes.of(0);
    Const one = lanes.of(1);
    Const half = lanes.of(0.5);
    // From 2^53 on all numbers are even. Infinity becomes even, and NaN stays NaN.
    Reg size = lanes.min(lanes.abs(y), lanes.of(0x1p53));
    Reg halved = lanes.mul(size, half);
    Reg near = lanes.op(Op.NEAREST, halved);
    Reg isOdd = lanes.compare(Relation.EQ, lanes.abs(lanes.sub(halved, near)), half);
    // Twice the half: the half of the smallest number is 0.
    Reg isEven = lanes.compare(Relation.EQ, lanes.add(near, near), size);
    Reg isInteger = lanes.op(Op.OR, isOdd, isEven);
    Reg isNegative = lanes.compare(Relation.LT, x, zero);
    Reg isFinite = lanes.compare(Relation.GT, x, lanes.of(Double.NEGATIVE_INFINITY));
    Reg isNone = lanes.op(Op.AND, lanes.op(Op.AND, isNegative, isFinite), lanes.not(isInteger));
    power = lanes.choose(isOdd, lanes.withSign(power, lanes.sign(x)), power);
    power = lanes.choose(isNone, lanes.of(Double.NaN), power);
    Reg isOne =
        lanes.op(Op.OR, lanes.compare(Relation.EQ, x, one), lanes.compare(Relation.EQ, y, zero));
    return lanes.choose(isOne, one, power);
  }
}
