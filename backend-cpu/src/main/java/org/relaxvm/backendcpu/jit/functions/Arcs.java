package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;

/**
 * The inverse trigonometric functions of float64: {@code x + x z P(z)}, {@code z = x^2}, near 0.
 * Arguments further out are reduced.
 */
final class Arcs {
  private static final double[] ATAN = {
    -0.333333333333332, 0.19999999999953727, -0.14285714280211997, 0.11111110784270622,
    -0.09090897781482588, 0.07692060636676959, -0.0666310876009494, 0.05847922573779641,
    -0.05039448850526799, 0.0380680581034056, -0.01791084691789584
  };
  private static final double[] ATAN_SHORT = {
    -0.33333333331439496,
    0.19999998916690562,
    -0.14285612465275252,
    0.11107493853432703,
    -0.09028967562110418,
    0.07135234647464041,
    -0.04043033696147107
  };
  private static final double[] ASIN = {
    0.16666666666666763, 0.07499999999970129, 0.04464285717525779, 0.030381942676577258,
    0.0223722158711248, 0.0173515960924014, 0.013981011809905486, 0.011397345208652699,
    0.010789043597405743, 0.0036731824842797245, 0.021788332997868493, -0.021113588887103504,
    0.03270028630805675
  };
  private static final double[] ASIN_SHORT = {
    0.1666666666549084, 0.07500000600759216, 0.04464235707939134, 0.030397671953511674,
    0.022131964555376638, 0.0193093461897726, 0.005433409887231671, 0.02931732560480542
  };
  // What the angles lack as doubles counts in the last place.
  private static final double PI = 0x1.921fb54442d18p1;
  private static final double PI_LOW = 0x1.1a62633145c07p-53;
  private static final double TAN_OF_EIGHTH = 0x1.a827999fcef32p-2;
  private static final double TAN_OF_THREE_EIGHTHS = 2.414213562373095;

  private final LaneWriter lanes;
  private final boolean isShort;

  /**
   * Creates a writer.
   *
   * @param isShort whether float32 is the result of what is computed in float64
   */
  Arcs(LaneWriter lanes, boolean isShort) {
    this.lanes = lanes;
    this.isShort = isShort;
  }

  /**
   * {@code atan(x)}. Larger angles are those of {@code (x - 1) / (x + 1)} and an eighth of a full
   * circle, or of {@code -1 / x} and a quarter.
   */
  Reg atan(Operand x) {
    return lanes.withSign(ofPositive(lanes.abs(x)), lanes.sign(x));
  }

  private Reg ofPositive(Reg t) {
    Const one = lanes.of(1);
    Reg isMiddle = lanes.compare(Relation.GT, t, lanes.of(TAN_OF_EIGHTH));
    Reg isLarge = lanes.compare(Relation.GT, t, lanes.of(TAN_OF_THREE_EIGHTHS));
    Reg above = lanes.choose(isMiddle, lanes.sub(t, one), t);
    above = lanes.choose(isLarge, lanes.of(-1), above);
    Reg below = lanes.choose(isMiddle, lanes.add(t, one), one);
    below = lanes.choose(isLarge, t, below);
    Reg r = lanes.div(above, below);
    Reg angle = lanes.choose(isMiddle, lanes.of(PI / 4), lanes.of(0));
    angle = lanes.choose(isLarge, lanes.of(PI / 2), angle);
    Reg z = lanes.mul(r, r);
    Reg p = lanes.mul(lanes.polynomial(z, isShort ? ATAN_SHORT : ATAN), z);
    if (isShort) {
      return lanes.add(angle, lanes.fma(p, r, r));
    }
    Reg low = lanes.choose(isMiddle, lanes.of(PI_LOW / 4), lanes.of(0));
    low = lanes.choose(isLarge, lanes.of(PI_LOW / 2), low);
    return lanes.add(angle, lanes.add(lanes.fma(p, r, low), r));
  }

  /** The angle of the point {@code (x, y)}. */
  Reg atan2(Operand y, Operand x) {
    Const zero = lanes.of(0);
    Reg height = lanes.abs(y);
    Reg width = lanes.abs(x);
    Reg slope = lanes.div(height, width);
    // 0 / 0 and infinity / infinity.
    Reg same = lanes.choose(Relation.GT, height, zero, lanes.of(1), zero);
    slope = lanes.choose(Relation.EQ, height, width, same, slope);
    Reg angle = ofPositive(slope);
    Reg other = lanes.sub(lanes.of(PI), lanes.sub(angle, lanes.of(PI_LOW)));
    // -0 is to the left as well; NaN of either makes the angle NaN.
    Reg side = lanes.withSign(lanes.of(1), lanes.sign(x));
    angle = lanes.choose(Relation.LT, side, zero, other, angle);
    return lanes.withSign(angle, lanes.sign(y));
  }

  /** {@code asin(x)}, above 1/2 {@code pi/2 - 2 asin(sqrt((1 - x) / 2))}. */
  Reg asin(Operand x) {
    Reg t = lanes.abs(x);
    Reg isLarge = lanes.compare(Relation.GT, t, lanes.of(0.5));
    Reduced reduced = reduce(t, t, isLarge);
    Reg r = reduced.root();
    Reg part = reduced.part();
    Reg low = reduced.low();
    Reg rest = lanes.sub(lanes.of(PI_LOW / 2), lanes.add(low, low));
    Reg far = lanes.sub(lanes.of(PI / 2), lanes.sub(lanes.add(r, r), rest));
    Reg y = lanes.choose(isLarge, far, lanes.add(part, r));
    return lanes.withSign(y, lanes.sign(x));
  }

  /**
   * {@code pi/2 - asin(x)}; above 1/2 {@code 2 asin(sqrt((1 - x) / 2))}, and below -1/2 likewise.
   */
  Reg acos(Operand x) {
    Reg t = lanes.abs(x);
    Reg isLarge = lanes.compare(Relation.GT, t, lanes.of(0.5));
    Reduced reduced = reduce(x, t, isLarge);
    Reg r = reduced.root();
    Reg low = reduced.low();
    Reg twice = lanes.mul(lanes.add(r, low), lanes.of(2));
    Reg offset = lanes.sub(lanes.of(PI_LOW / 2), reduced.part());
    Reg near = lanes.sub(lanes.of(PI / 2), lanes.sub(r, offset));
    Reg rest = lanes.sub(lanes.of(PI_LOW), lanes.add(low, low));
    Reg negative = lanes.sub(lanes.of(PI), lanes.sub(lanes.add(r, r), rest));
    Reg far = lanes.choose(Relation.LT, x, lanes.of(0), negative, twice);
    return lanes.choose(isLarge, far, near);
  }

  /**
   * An argument up to 1/2.
   *
   * @param root the argument or the root that replaces it
   * @param part its arc without itself
   * @param low the same with what was rounded off the root
   */
  private record Reduced(Reg root, Reg part, Reg low) {}

  private Reduced reduce(Operand x, Reg t, Reg isLarge) {
    Reg above = lanes.mul(lanes.sub(lanes.of(1), t), lanes.of(0.5));
    Reg z = lanes.choose(isLarge, above, lanes.mul(t, t));
    Reg r = lanes.choose(isLarge, lanes.sqrt(z), x);
    Reg p = lanes.polynomial(z, isShort ? ASIN_SHORT : ASIN);
    Reg part = lanes.mul(lanes.mul(p, z), r);
    if (isShort) {
      return new Reduced(r, part, part);
    }
    Reg lost = lanes.div(lanes.fnma(r, r, z), lanes.add(r, r));
    Reg isTiny = lanes.compare(Relation.LT, z, lanes.of(Double.MIN_NORMAL));
    return new Reduced(r, part, lanes.add(part, lanes.choose(isTiny, lanes.of(0), lost)));
  }
}
