package org.relaxvm.backendcpu.jit.build;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.jit.functions.Conversions;
import org.relaxvm.backendcpu.jit.functions.SmallFloats;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.tir.expr.DTypes;

/**
 * Elements in memory and values in registers, and values of one dtype as those of another. Scalars
 * are as {@link Words} holds them, lanes as {@link Lanes} does.
 */
final class Casts {
  private Casts() {}

  // ---- memory -----------------------------------------------------------------------------------

  /** Reads an element. */
  static Operand loadScalar(LirWriter writer, Target target, Address at, DType dtype) {
    int bits = dtype.elementByteSize() * 8;
    if (dtype.equals(DType.FLOAT32) || dtype.equals(DType.FLOAT64)) {
      return writer.load(Words.type(dtype), at, bits, false, false, null);
    }
    boolean isSigned = !dtype.isFloat() && !DTypes.isUnsigned(dtype);
    Reg word = writer.load(Type.WORD, at, bits, isSigned, false, null);
    if (dtype.equals(DType.BOOL)) {
      return writer.compare(Relation.NE, word, new Imm(0));
    }
    return dtype.isFloat() ? new SmallFloats(target).decode(writer, dtype, 1, word) : word;
  }

  /** Writes an element. */
  static void storeScalar(LirWriter writer, Target target, Address at, Operand value, DType dtype) {
    int bits = dtype.elementByteSize() * 8;
    Operand stored = value;
    if (SmallFloats.isSmall(dtype)) {
      stored = new SmallFloats(target).encode(writer, dtype, writer.inRegister(value));
    }
    writer.store(at, stored, bits, null);
  }

  /**
   * Reads adjacent elements.
   *
   * @param mask of the lanes that count, by the bits of a lane; null for all
   */
  static Operand load(
      LirWriter writer,
      Target target,
      Address at,
      DType dtype,
      int lanes,
      IntFunction<@Nullable Reg> mask) {
    int bits = dtype.elementByteSize() * 8;
    if (SmallFloats.isSmall(dtype)) {
      Type type = SmallFloats.codeType(dtype, lanes);
      Reg codes = writer.load(type, at, bits, false, false, mask.apply(type.bits()));
      return new SmallFloats(target).decode(writer, dtype, lanes, codes);
    }
    if (dtype.equals(DType.FLOAT32) || dtype.equals(DType.FLOAT64)) {
      return writer.load(Type.floats(bits, lanes), at, bits, false, false, mask.apply(bits));
    }
    int width = Math.max(32, bits);
    boolean isSigned = !DTypes.isUnsigned(dtype);
    Type type = Type.ints(width, lanes);
    Reg loaded = writer.load(type, at, bits, isSigned, false, mask.apply(width));
    if (dtype.equals(DType.BOOL)) {
      return writer.compare(Relation.NE, loaded, new Const(type, 0));
    }
    return loaded;
  }

  /** Writes adjacent elements; {@code mask} as of {@link #load}. */
  static void store(
      LirWriter writer,
      Target target,
      Address at,
      Operand value,
      DType dtype,
      IntFunction<@Nullable Reg> mask) {
    int bits = dtype.elementByteSize() * 8;
    int lanes = value.type().lanes();
    Operand stored = value;
    if (value.type().isMask()) {
      Type type = Type.ints(value.type().bits(), lanes);
      stored = writer.blend(writer.inRegister(value), new Const(type, 1), new Const(type, 0));
    } else if (SmallFloats.isSmall(dtype)) {
      stored = new SmallFloats(target).encode(writer, dtype, writer.inRegister(value));
    }
    writer.store(at, stored, bits, mask.apply(stored.type().bits()));
  }

  // ---- rounding and wrapping
  // ----------------------------------------------------------------------

  /** A float32 or float64, or lanes of them, rounded to a dtype. */
  static Operand rounded(LirWriter writer, Target target, Operand value, DType dtype) {
    if (!dtype.isFloat() || dtype.bits() >= 32) {
      return value;
    }
    return new SmallFloats(target).round(writer, dtype, writer.inRegister(value));
  }

  /** The integer of a dtype with the same low bits as a word. */
  static Operand wrapped(LirWriter writer, Operand word, DType dtype) {
    if (dtype.bits() == 64 || dtype.equals(DType.BOOL)) {
      return word;
    }
    boolean isUnsigned = DTypes.isUnsigned(dtype);
    Op op =
        switch (dtype.bits()) {
          case 8 -> isUnsigned ? Op.ZERO8 : Op.SIGN8;
          case 16 -> isUnsigned ? Op.ZERO16 : Op.SIGN16;
          default -> isUnsigned ? Op.ZERO32 : Op.SIGN32;
        };
    return writer.op(op, writer.inRegister(word));
  }

  /** The integers of a dtype with the same low bits as lanes. */
  static Operand wrappedLanes(LirWriter writer, Operand lanes, DType dtype) {
    if (dtype.bits() >= 32) {
      return lanes;
    }
    Type type = lanes.type();
    if (DTypes.isUnsigned(dtype)) {
      return writer.op(Op.AND, writer.inRegister(lanes), new Const(type, (1L << dtype.bits()) - 1));
    }
    Imm shift = new Imm(type.bits() - dtype.bits());
    return writer.op(Op.SAR, writer.op(Op.SHL, writer.inRegister(lanes), shift), shift);
  }

  // ---- casts
  // ----------------------------------------------------------------------------------------

  /** A value of one dtype as one of another, as {@link org.relaxvm.tir.expr.Cast} says. */
  static Operand scalar(LirWriter writer, Target target, Operand value, DType from, DType to) {
    return from.equals(to)
        ? value
        : new Conversions(target).write(writer, from, to, Words.type(to), value);
  }

  /** Whether {@link #lanes} writes a cast. */
  static boolean canCast(Target target, DType from, DType to, int lanes) {
    if (from.equals(to) || from.equals(DType.BOOL) || to.equals(DType.BOOL)) {
      return true;
    }
    LirWriter trial = new LirWriter("trial");
    try {
      lanes(trial, target, trial.reg(laneType(from, lanes)), from, to);
      return true;
    } catch (UnsupportedCodeException e) {
      return false;
    }
  }

  private static Type laneType(DType dtype, int lanes) {
    int bits = dtype.bits() == 64 ? 64 : 32;
    return dtype.isFloat() ? Type.floats(bits, lanes) : Type.ints(bits, lanes);
  }

  /** Lanes of one dtype as lanes of another. */
  static Operand lanes(LirWriter writer, Target target, Operand value, DType from, DType to) {
    if (from.equals(to)) {
      return value;
    }
    int count = value.type().lanes();
    Reg register = writer.inRegister(value);
    if (from.equals(DType.BOOL)) {
      Type type = laneType(to, count);
      Reg mask =
          register.type().bits() == type.bits()
              ? register
              : writer.compute(Op.RESIZE, type.maskType(), register);
      return writer.blend(mask, Const.of(type, 1), Const.of(type, 0));
    }
    if (to.equals(DType.BOOL)) {
      return writer.compare(Relation.NE, register, Const.of(register.type(), 0));
    }
    return new Conversions(target).write(writer, from, to, laneType(to, count), register);
  }
}
