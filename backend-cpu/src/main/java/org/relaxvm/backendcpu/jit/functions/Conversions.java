package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.tir.expr.DTypes;

/**
 * Casts, as {@link org.relaxvm.tir.expr.Cast} defines them: floats out of the range of an integer
 * become the nearest one, NaN becomes 0, and rounding is to the nearest, ties to even, once.
 *
 * <p>One integer or boolean is a word; more are lanes of 32 or 64 bits, or of as many as the dtype
 * has, in the range of the dtype and extended. Floats are float32 lanes, of which those of narrower
 * dtypes hold values of the dtype, or float64 lanes. Immutable and thread-safe; a {@link LirWriter}
 * is not.
 */
public final class Conversions {
  private final Target target;
  private final SmallFloats smallFloats;

  /**
   * Creates writers of casts.
   *
   * @param target decides which instructions are used
   */
  public Conversions(Target target) {
    this.target = target;
    smallFloats = new SmallFloats(target);
  }

  /**
   * Appends a cast.
   *
   * @param result the type that holds values of {@code to}, of as many lanes as {@code x}
   * @throws UnsupportedCodeException if a step needs more bits than a vector register has, or an
   *     instruction that the processor lacks
   */
  public Operand write(LirWriter writer, DType from, DType to, Type result, Operand x) {
    require(x.type().lanes() == result.lanes(), from, to, x.type(), result);
    require(result.isFloat() == to.isFloat(), from, to, x.type(), result);
    require(x.type().isFloat() == from.isFloat(), from, to, x.type(), result);
    require(result.isWord() || result.isFloat() || result.lanes() > 1, from, to, x.type(), result);
    if (from.isFloat()) {
      return to.isFloat()
          ? floatToFloat(writer, from, to, x)
          : floatToInteger(writer, to, result, x);
    }
    return to.isFloat()
        ? integerToFloat(writer, from, to, result, x)
        : integerToInteger(writer, from, to, result, x);
  }

  private static void require(boolean holds, DType from, DType to, Type operand, Type result) {
    if (!holds) {
      throw new UnsupportedCodeException(
          "cast from %s to %s of %s as %s".formatted(from, to, operand, result));
    }
  }

  private Reg convert(LirWriter writer, Op op, Type result, Operand x) {
    if (!target.supports(op, result, x.type())) {
      throw new UnsupportedCodeException(op + " of " + x.type() + " as " + result);
    }
    return writer.compute(op, result, x);
  }

  private Operand floatToFloat(LirWriter writer, DType from, DType to, Operand x) {
    if (from.equals(to)) {
      return x;
    }
    if (to.equals(DType.FLOAT64)) {
      return convert(writer, Op.WIDEN, Type.floats(64, x.type().lanes()), x);
    }
    boolean isSmall = SmallFloats.isSmall(to);
    if (from.equals(DType.FLOAT64)) {
      x = isSmall ? narrowToOdd(writer, x) : narrow(writer, x);
    }
    boolean isExact = from.equals(DType.FLOAT8_E5M2) && to.equals(DType.FLOAT16);
    return isSmall && !isExact ? smallFloats.round(writer, to, x) : x;
  }

  private Reg narrow(LirWriter writer, Operand x) {
    return convert(writer, Op.NARROW, Type.floats(32, x.type().lanes()), x);
  }

  /**
   * The float32 nearest to float64, or the odd one of the two next to it: then rounding to fewer
   * bits knows that there was more.
   */
  private Reg narrowToOdd(LirWriter writer, Operand x) {
    LaneWriter doubles = new LaneWriter(writer, target, x.type());
    Reg near = narrow(writer, x);
    LaneWriter floats = new LaneWriter(writer, target, near.type());
    Reg back = convert(writer, Op.WIDEN, x.type(), near);
    Reg isLarger = doubles.compare(Relation.GT, doubles.abs(back), doubles.abs(x));
    Reg isSmaller = doubles.compare(Relation.LT, doubles.abs(back), doubles.abs(x));
    Reg bits = floats.toInts(near);
    Reg odd = floats.op(Op.OR, bits, floats.integer(1));
    Reg below = floats.op(Op.OR, floats.sub(bits, floats.integer(1)), floats.integer(1));
    bits = floats.choose(forFloats(writer, floats, isSmaller), odd, bits);
    return floats.toFloats(floats.choose(forFloats(writer, floats, isLarger), below, bits));
  }

  /** A condition of float64 as one of as many float32. */
  private static Reg forFloats(LirWriter writer, LaneWriter floats, Reg condition) {
    return condition.type().isWord()
        ? condition
        : writer.compute(Op.RESIZE, floats.type().maskType(), condition);
  }

  private Operand floatToInteger(LirWriter writer, DType to, Type result, Operand x) {
    LaneWriter floats = new LaneWriter(writer, target, x.type());
    if (to.equals(DType.BOOL)) {
      return toBool(writer, result, floats.compare(Relation.NE, x, floats.of(0)));
    }
    boolean isWide = to.bits() == Long.SIZE || result.isWord();
    if (floats.isFloat32() && (isWide || result.bits() == Long.SIZE)) {
      x = convert(writer, Op.WIDEN, Type.floats(64, x.type().lanes()), x);
      floats = floats.doubles();
    }
    Reg number = floats.choose(Relation.EQ, x, x, x, floats.of(0));
    boolean isUnsigned = DTypes.isUnsigned(to);
    if (to.bits() == Long.SIZE) {
      return isUnsigned
          ? toUnsigned(floats, result, number)
          : toSigned(floats, result, number, Long.MAX_VALUE);
    }
    if (to.bits() == 32 && floats.isFloat32()) {
      Type ints = floats.ints();
      Reg lanes =
          isUnsigned
              ? toUnsigned(floats, ints, number)
              : toSigned(floats, ints, number, Integer.MAX_VALUE);
      return resize(writer, isUnsigned, result, lanes);
    }
    double least = isUnsigned ? 0 : -Math.scalb(1.0, to.bits() - 1);
    double most = Math.scalb(1.0, isUnsigned ? to.bits() : to.bits() - 1) - 1;
    Reg clamped = floats.min(floats.max(number, floats.of(least)), floats.of(most));
    if (result.isWord()) {
      return convert(writer, Op.TO_INT, result, clamped);
    }
    Type ints = Type.ints(32, result.lanes());
    if (to.bits() == 32 && isUnsigned) {
      // In the range of integers with a sign, and back.
      Reg shifted = floats.sub(floats.op(Op.TRUNC, clamped), floats.of(0x1p31));
      Reg lanes = convert(writer, Op.TO_INT, ints, shifted);
      Reg bits = writer.op(Op.XOR, lanes, new Operand.Const(ints, 0x8000_0000L));
      return resize(writer, true, result, bits);
    }
    return resize(writer, isUnsigned, result, convert(writer, Op.TO_INT, ints, clamped));
  }

  /** Numbers as integers with a sign of as many bits, where only large ones need care. */
  private Reg toSigned(LaneWriter floats, Type result, Reg x, long most) {
    LirWriter writer = floats.writer();
    IntWriter ints = new IntWriter(writer, target, result);
    Reg bits = convert(writer, Op.TO_INT, result, x);
    Reg isLarge = floats.compare(Relation.GE, x, floats.of((double) most + 1));
    return ints.choose(isLarge, ints.of(most), bits);
  }

  /** Numbers as integers without a sign of as many bits. */
  private Reg toUnsigned(LaneWriter floats, Type result, Reg x) {
    LirWriter writer = floats.writer();
    IntWriter ints = new IntWriter(writer, target, result);
    int bits = floats.isFloat32() ? 32 : 64;
    double half = Math.scalb(1.0, bits - 1);
    Reg positive = floats.max(x, floats.of(0));
    Reg isLarge = floats.compare(Relation.GE, positive, floats.of(half));
    Reg reduced = floats.choose(isLarge, floats.sub(positive, floats.of(half)), positive);
    Reg low = convert(writer, Op.TO_INT, result, reduced);
    Operand high = ints.of(1L << (bits - 1));
    Reg value = ints.choose(isLarge, ints.xor(low, high), low);
    Reg isBeyond = floats.compare(Relation.GE, x, floats.of(2 * half));
    return ints.choose(isBeyond, ints.of(-1), value);
  }

  private static Operand toBool(LirWriter writer, Type result, Reg condition) {
    if (condition.type().isWord()) {
      return condition;
    }
    Reg mask =
        condition.type().bits() == result.bits()
            ? condition
            : writer.compute(Op.RESIZE, result.maskType(), condition);
    return writer.blend(mask, new Operand.Const(result, 1), new Operand.Const(result, 0));
  }

  /** Integers in lanes of another number of bits. */
  private Reg resize(LirWriter writer, boolean isUnsigned, Type result, Reg x) {
    if (x.type().equals(result)) {
      return x;
    }
    boolean isWider = result.bits() > x.type().bits();
    Op op = isWider ? (isUnsigned ? Op.UNSIGNED_WIDEN : Op.WIDEN) : Op.NARROW;
    return convert(writer, op, result, x);
  }

  private Operand integerToInteger(LirWriter writer, DType from, DType to, Type result, Operand x) {
    IntWriter operands = new IntWriter(writer, target, x.type());
    if (to.equals(DType.BOOL)) {
      if (from.equals(DType.BOOL)) {
        return resize(writer, true, result, writer.inRegister(x));
      }
      Reg value = writer.inRegister(x);
      return toBool(writer, result, operands.compare(Relation.NE, value, operands.of(0)));
    }
    Operand resized =
        x.type().equals(result)
            ? x
            : resize(writer, DTypes.isUnsigned(from), result, writer.inRegister(x));
    boolean isWithin =
        from.equals(to)
            || (DTypes.isUnsigned(from) && significantBits(from) < to.bits())
            || (!DTypes.isUnsigned(from) && !DTypes.isUnsigned(to) && from.bits() <= to.bits());
    return isWithin ? resized : new IntWriter(writer, target, result).wrap(to, resized);
  }

  private static int significantBits(DType unsigned) {
    return unsigned.equals(DType.BOOL) ? 1 : unsigned.bits();
  }

  private Operand integerToFloat(LirWriter writer, DType from, DType to, Type result, Operand x) {
    boolean isUnsigned = DTypes.isUnsigned(from);
    boolean isLong = from.bits() == Long.SIZE;
    Op op = isUnsigned && from.bits() >= 32 ? Op.UNSIGNED_TO_FLOAT : Op.TO_FLOAT;
    if (to.equals(DType.FLOAT64)) {
      return convert(writer, op, result, lanesFor(writer, isUnsigned, isLong, x));
    }
    if (x.type().isWord() && to.equals(DType.FLOAT32)) {
      return convert(writer, isLong ? op : Op.TO_FLOAT, result, x);
    }
    Operand lanes = lanesFor(writer, isUnsigned, isLong, x);
    boolean isBrief = to.equals(DType.BFLOAT16) && from.bits() == 32;
    if (isLong) {
      // Cut to the bits of float64, and those to float32, with the last bit set where others are
      // lost: then rounding to fewer bits knows that there was more.
      Operand cut = toOdd(writer, isUnsigned, lanes, Long.SIZE - 53, 53);
      Reg wide = convert(writer, op, Type.floats(64, x.type().lanes()), cut);
      return floatToFloat(writer, DType.FLOAT64, to, wide);
    }
    Operand cut = isBrief ? toOdd(writer, isUnsigned, lanes, 32 - 24, 24) : lanes;
    Type floats = Type.floats(32, x.type().lanes());
    Reg value = convert(writer, lanes.type().isWord() ? Op.TO_FLOAT : op, floats, cut);
    return floatToFloat(writer, DType.FLOAT32, to, value);
  }

  /** Words, or lanes of 32 or 64 bits. */
  private Operand lanesFor(LirWriter writer, boolean isUnsigned, boolean isLong, Operand x) {
    if (x.type().isWord()) {
      return writer.inRegister(x);
    }
    Type type = Type.ints(isLong ? 64 : 32, x.type().lanes());
    return resize(writer, isUnsigned, type, writer.inRegister(x));
  }

  /** Integers of more than some bits without the lowest ones, of which the last one is set. */
  private Operand toOdd(LirWriter writer, boolean isUnsigned, Operand x, int lost, int kept) {
    IntWriter ints = new IntWriter(writer, target, x.type());
    long mask = (1L << lost) - 1;
    Reg low = ints.and(x, ints.of(mask));
    Reg sticky = ints.or(ints.add(low, ints.of(mask)), x);
    Reg cut = ints.and(sticky, ints.of(~mask));
    // Less than 2^kept, with a sign at least -2^kept.
    Operand shifted = isUnsigned ? x : ints.add(x, ints.of(1L << kept));
    Operand limit = ints.of(1L << (isUnsigned ? kept : kept + 1));
    Reg fits = ints.compare(Relation.ULT, shifted, limit);
    return ints.choose(fits, x, cut);
  }
}
