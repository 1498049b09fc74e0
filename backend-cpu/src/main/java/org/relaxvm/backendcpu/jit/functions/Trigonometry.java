package org.relaxvm.backendcpu.jit.functions;

import java.util.List;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;

/**
 * The trigonometric functions of float64. The nearest multiple of a quarter of the circle is
 * subtracted from the argument, in three parts; of the remainder {@code r}, with {@code z = r^2},
 * the sine is {@code r + r z S(z)} and the cosine {@code 1 - z / 2 + z^2 C(z)}. For large arguments
 * see {@link LargeAngles}.
 */
final class Trigonometry {
  private static final double[] SIN = {
    -0.16666666666666666,
    0.008333333333333323,
    -0.00019841269841254977,
    2.755731921414229e-06,
    -2.5052104898866e-08,
    1.6058364986060006e-10,
    -7.578615561623349e-13
  };
  private static final double[] SIN_SHORT = {
    -0.16666666663854168, 0.008333331874273714, -0.000198400864995936, 2.7249895230611676e-06
  };
  private static final double[] COS = {
    0.041666666666666595,
    -0.0013888888888872904,
    2.4801587288752757e-05,
    -2.7557314149686655e-07,
    2.087569668675523e-09,
    -1.13583150552107e-11
  };
  private static final double[] COS_SHORT = {
    0.041666666664320264, -0.0013888887671652504, 2.480060018036381e-05, -2.7300933687212943e-07
  };
  private static final double LARGE = 1e6;
  // Adding it rounds to an integer, which then is in the low bits.
  private static final double ROUNDER = 0x1.8p52;

  private final LaneWriter lanes;
  private final boolean isShort;

  /**
   * Creates a writer.
   *
   * @param isShort whether arguments and results are float32, computed in float64
   */
  Trigonometry(LaneWriter lanes, boolean isShort) {
    this.lanes = lanes;
    this.isShort = isShort;
  }

  /**
   * A reduced angle {@code high + low}.
   *
   * @param quarters the subtracted quarters in the low bits, as integers
   */
  private record Angle(Reg high, Reg low, Reg quarters) {}

  /** {@code sin(x)}. */
  Reg sin(Operand x) {
    Angle angle = reduce(x);
    // The sum of the parts would lose the sign of 0.
    return lanes.choose(Relation.EQ, x, lanes.of(0), x, wave(angle, angle.quarters()));
  }

  /** The sine a quarter further on. */
  Reg cos(Operand x) {
    Angle angle = reduce(x);
    return wave(angle, lanes.add(angle.quarters(), lanes.integer(1)));
  }

  /** {@code tan(x)}. */
  Reg tan(Operand x) {
    Angle angle = reduce(x);
    Reg sin = sinOfRemainder(angle);
    Reg cos = cosOfRemainder(angle);
    Reg isOdd = isOdd(angle.quarters());
    Reg y = lanes.div(lanes.choose(isOdd, cos, sin), lanes.choose(isOdd, sin, cos));
    Reg sign = lanes.toFloats(lanes.shl(angle.quarters(), 63));
    return lanes.choose(Relation.EQ, x, lanes.of(0), x, lanes.op(Op.XOR, y, sign));
  }

  private Reg wave(Angle angle, Reg quarters) {
    Reg y = lanes.choose(isOdd(quarters), cosOfRemainder(angle), sinOfRemainder(angle));
    Reg second = lanes.op(Op.AND, lanes.shl(quarters, 62), lanes.integer(Long.MIN_VALUE));
    return lanes.op(Op.XOR, y, lanes.toFloats(second));
  }

  private Reg isOdd(Reg quarters) {
    Reg low = lanes.op(Op.AND, quarters, lanes.integer(1));
    return lanes.compare(Relation.NE, low, lanes.integer(0));
  }

  private Angle reduce(Operand x) {
    Const rounder = lanes.of(ROUNDER);
    Reg shifted = lanes.fma(x, lanes.of(0x1.45f306dc9c883p-1), rounder);
    Reg n = lanes.sub(shifted, rounder);
    // Multiples of the first two parts are exact.
    Const first = lanes.of(0x1.921fb544p0);
    Const second = lanes.of(0x1.0b4611a6p-34);
    Const third = lanes.of(0x1.3198a2e037073p-69);
    Reg exact = lanes.fnma(n, first, x);
    Reg high = lanes.fnma(n, second, exact);
    Reg low =
        isShort
            ? lanes.move(lanes.of(0))
            : lanes.fnma(n, third, lanes.fnma(n, second, lanes.sub(exact, high)));
    Reg quarters = lanes.move(lanes.toInts(shifted));
    high = lanes.move(high);
    low = lanes.move(low);

    LirWriter writer = lanes.writer();
    Reg isLarge = lanes.compare(Relation.GT, lanes.abs(x), lanes.of(LARGE));
    Reg any = lanes.any(isLarge);
    writer.open();
    LargeAngles.Angle large = new LargeAngles(lanes).reduce(x, isShort);
    lanes.set(high, lanes.choose(isLarge, large.high(), high));
    lanes.set(low, lanes.choose(isLarge, large.low(), low));
    Reg bits = lanes.toInts(lanes.add(large.quarters(), rounder));
    lanes.set(quarters, lanes.choose(isLarge, bits, quarters));
    List<Lir> whenLarge = writer.close();
    writer.add(new Lir.If(Relation.NE, any, new Imm(0), whenLarge, List.of()));
    return new Angle(high, low, quarters);
  }

  private Reg sinOfRemainder(Angle angle) {
    Reg r = angle.high();
    Reg z = lanes.mul(r, r);
    if (isShort) {
      return lanes.fma(lanes.mul(lanes.polynomial(z, SIN_SHORT), z), r, r);
    }
    Reg p = lanes.mul(lanes.polynomial(z, SIN), z);
    Reg low = angle.low();
    Reg change = lanes.fma(lanes.mul(z, low), lanes.of(-0.5), low);
    return lanes.add(lanes.fma(p, r, change), r);
  }

  private Reg cosOfRemainder(Angle angle) {
    Const one = lanes.of(1);
    Reg r = angle.high();
    Reg z = lanes.mul(r, r);
    if (isShort) {
      Reg p = lanes.fma(lanes.polynomial(z, COS_SHORT), z, lanes.of(-0.5));
      return lanes.fma(p, z, one);
    }
    Reg p = lanes.polynomial(z, COS);
    Reg half = lanes.mul(z, lanes.of(0.5));
    Reg most = lanes.sub(one, half);
    // What was rounded off, the last term, and that the angle is a sum.
    Reg product = lanes.mul(r, angle.low());
    Reg rest = lanes.sub(lanes.mul(lanes.mul(z, z), p), product);
    return lanes.add(lanes.add(lanes.sub(lanes.sub(one, most), half), rest), most);
  }
}
