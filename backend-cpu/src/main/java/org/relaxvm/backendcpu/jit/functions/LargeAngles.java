package org.relaxvm.backendcpu.jit.functions;

import java.util.List;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;

/**
 * Large angles without their multiples of a quarter of the circle: products of the argument with
 * parts of 2/pi, each modulo 4 and each exact, are summed up. The infinite become NaN.
 *
 * <p>Source: Payne and Hanek, Radian reduction for trigonometric functions, SIGNUM Newsletter 18
 * (1983).
 */
final class LargeAngles {
  // 53 bits of 2/pi each, times 2^512: products with arguments times 2^-512 do not overflow.
  private static final double[] PARTS = {
    0x1.45f306dc9c882p+511, 0x1.4a7f09d5f47d4p+458, 0x1.a6ee06db14accp+405,
    0x1.3c439041fe516p+352, 0x1.d5ef5de2b0db8p+297, 0x1.2371d2126e970p+245,
    0x1.924bba8274600p+186, 0x1.21cfe1deb1cb1p+140, 0x1.4d39f74411af8p+85,
    0x1.4baed1213a671p+34, 0x1.8135a2fbf209cp-19, 0x1.91d639835339fp-72,
    0x1.272117e2ef7e4p-126, 0x1.41d8ffc4bffeep-179, 0x1.02cc07f79788cp-231,
    0x1.6b414da3eda6cp-285, 0x1.fb3c9f2c26dd2p-338, 0x1.d18fd9a797fa8p-390,
    0x1.6ba93dd63f5f2p-443, 0x1.f17b3d0739f78p-496, 0x1.4a525d4d7f6bfp-549,
    0x1.88fc6ae842b00p-603
  };
  // 29 bits each: products with float32 are exact.
  private static final double[] SHORT_PARTS = {
    0x1.45f306d000000p-1,
    0x1.9391054000000p-30,
    0x1.4fe13ab000000p-59,
    0x1.d1f534d000000p-88,
    0x1.b81b6c5000000p-117,
    0x1.5993c40000000p-148,
    0x1.c820ff2000000p-175
  };
  private static final double HALF_PI = 0x1.921fb54442d18p0;
  private static final double HALF_PI_LOW = 0x1.1a62633145c07p-54;

  private final LaneWriter lanes;

  LargeAngles(LaneWriter lanes) {
    this.lanes = lanes;
  }

  /**
   * A reduced angle {@code high + low}.
   *
   * @param quarters the subtracted quarters, modulo 4
   */
  record Angle(Reg high, Reg low, Reg quarters) {}

  /**
   * Reduces angles.
   *
   * @param isShort whether the angles are float32
   */
  Angle reduce(Operand x, boolean isShort) {
    Reg[] sum = {
      lanes.move(lanes.of(0)), lanes.move(lanes.of(0)), lanes.move(lanes.of(0)),
    };
    if (isShort) {
      for (double part : SHORT_PARTS) {
        add(sum, lanes.mul(x, lanes.of(part)));
      }
    } else {
      addParts(sum, lanes.mul(x, lanes.of(0x1p-512)));
    }
    Reg quarters = lanes.op(Op.NEAREST, sum[0]);
    Reg turn = lanes.sub(sum[0], quarters);
    Reg high = lanes.add(turn, sum[1]);
    Reg low = lanes.add(sumError(turn, sum[1], high), sum[2]);
    Reg angle = lanes.mul(high, lanes.of(HALF_PI));
    Reg error = lanes.productError(high, lanes.of(HALF_PI), angle);
    Reg rest = lanes.fma(high, lanes.of(HALF_PI_LOW), lanes.fma(low, lanes.of(HALF_PI), error));
    return new Angle(angle, rest, quarters);
  }

  /** A loop, because it takes many instructions and few arguments need it. */
  private void addParts(Reg[] sum, Reg x) {
    LirWriter writer = lanes.writer();
    Reg part = lanes.move(lanes.of(PARTS[0]));
    Reg number = lanes.move(new Imm(0));
    writer.open();
    choosePart(part, number, 0, PARTS.length);
    Reg product = lanes.mul(x, part);
    Reg error = lanes.productError(x, part, product);
    add(sum, product);
    add(sum, error);
    List<Lir> body = writer.close();
    writer.add(new Lir.Loop(number, new Imm(PARTS.length), 1, true, body));
  }

  /** Sets a register to one of the parts, by bisection. */
  private void choosePart(Reg part, Reg number, int from, int to) {
    if (to - from == 1) {
      lanes.set(part, lanes.of(PARTS[from]));
      return;
    }
    LirWriter writer = lanes.writer();
    int middle = (from + to) / 2;
    writer.open();
    choosePart(part, number, from, middle);
    List<Lir> lower = writer.close();
    writer.open();
    choosePart(part, number, middle, to);
    writer.add(new Lir.If(Relation.LT, number, new Imm(middle), lower, writer.close()));
  }

  /** Adds a number modulo 4 to a sum of three numbers; the first one stays between -2 and 2. */
  private void add(Reg[] sum, Reg value) {
    value = modulo4(value);
    Reg first = lanes.add(sum[0], value);
    Reg error = sumError(sum[0], value, first);
    lanes.set(sum[0], modulo4(first));
    Reg second = lanes.add(sum[1], error);
    Reg lost = sumError(sum[1], error, second);
    lanes.set(sum[1], second);
    lanes.set(sum[2], lanes.add(sum[2], lost));
  }

  private Reg modulo4(Reg value) {
    Reg turns = lanes.op(Op.NEAREST, lanes.mul(value, lanes.of(0.25)));
    return lanes.fnma(turns, lanes.of(4), value);
  }

  /** The rounding error of {@code sum = a + b}. */
  private Reg sumError(Reg a, Reg b, Reg sum) {
    Reg second = lanes.sub(sum, a);
    Reg first = lanes.sub(sum, second);
    return lanes.add(lanes.sub(a, first), lanes.sub(b, second));
  }
}
