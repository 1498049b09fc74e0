package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;

/**
 * Writes operations on lanes of one type of floats, and on integers of as many bits.
 *
 * <p>A condition is a mask, or a word that is 0 or 1 where there is one lane.
 */
final class LaneWriter {
  private final LirWriter writer;
  private final Target target;
  private final Type type;

  LaneWriter(LirWriter writer, Target target, Type type) {
    if (!type.isFloat()) {
      throw new IllegalArgumentException("no type of floats: " + type);
    }
    this.writer = writer;
    this.target = target;
    this.type = type;
  }

  LirWriter writer() {
    return writer;
  }

  Target target() {
    return target;
  }

  /** The type of floats. */
  Type type() {
    return type;
  }

  /** The type of integers. */
  Type ints() {
    return type.asInts();
  }

  boolean isFloat32() {
    return type.bits() == 32;
  }

  /** The bits of a fraction. */
  int fractionBits() {
    return isFloat32() ? 23 : 52;
  }

  /** A writer of as many lanes of float64. */
  LaneWriter doubles() {
    return new LaneWriter(writer, target, Type.floats(64, type.lanes()));
  }

  /** A float. */
  Const of(double value) {
    return Const.of(type, value);
  }

  /** A float of other bits in float32 and in float64. */
  Const of(float value32, double value64) {
    return of(isFloat32() ? value32 : value64);
  }

  /** An integer. */
  Const integer(long value) {
    return new Const(ints(), type.bits() == 32 ? value & 0xFFFF_FFFFL : value);
  }

  /** The bits of a float as an integer. */
  Const bitsOf(double value) {
    return new Const(ints(), of(value).lane(0));
  }

  /** The sign of floats. */
  Const signBit() {
    return of(-0.0);
  }

  Reg move(Operand a) {
    return writer.compute(Op.MOVE, a.type(), a);
  }

  void set(Reg result, Operand a) {
    writer.set(result, Op.MOVE, a);
  }

  Reg op(Op op, Operand first, Operand... others) {
    return writer.op(op, first, others);
  }

  Reg add(Operand a, Operand b) {
    return op(Op.ADD, a, b);
  }

  Reg sub(Operand a, Operand b) {
    return op(Op.SUB, a, b);
  }

  Reg mul(Operand a, Operand b) {
    return op(Op.MUL, a, b);
  }

  Reg div(Operand a, Operand b) {
    return op(Op.DIV, a, b);
  }

  /** {@code a * b + c}. */
  Reg fma(Operand a, Operand b, Operand c) {
    return op(Op.FMA, a, b, c);
  }

  /** {@code c - a * b}. */
  Reg fnma(Operand a, Operand b, Operand c) {
    return op(Op.FNMA, a, b, c);
  }

  /** The rounding error of {@code product = a * b}. */
  Reg productError(Operand a, Operand b, Operand product) {
    return fma(a, b, neg(product));
  }

  Reg neg(Operand a) {
    return op(Op.XOR, a, signBit());
  }

  Reg abs(Operand a) {
    return op(Op.ABS, a);
  }

  Reg sqrt(Operand a) {
    return op(Op.SQRT, a);
  }

  Reg min(Operand a, Operand b) {
    return op(Op.MIN, a, b);
  }

  Reg max(Operand a, Operand b) {
    return op(Op.MAX, a, b);
  }

  Reg shl(Operand a, int count) {
    return op(Op.SHL, a, new Imm(count));
  }

  Reg shr(Operand a, int count) {
    return op(Op.SHR, a, new Imm(count));
  }

  Reg sar(Operand a, int count) {
    return op(Op.SAR, a, new Imm(count));
  }

  /** The sign bits of floats, to put them onto results that are not negative. */
  Reg sign(Operand a) {
    return op(Op.AND, a, signBit());
  }

  /** {@code size} with the sign bits. */
  Reg withSign(Operand size, Operand sign) {
    return op(Op.OR, size, sign);
  }

  /** The bits of floats. */
  Reg toInts(Operand a) {
    return writer.compute(Op.REINTERPRET, ints(), a);
  }

  /** Floats with these bits. */
  Reg toFloats(Operand a) {
    return writer.compute(Op.REINTERPRET, type, a);
  }

  /** The sum of {@code coefficients[i] * z^i}, by Horner's method. */
  Reg polynomial(Operand z, double... coefficients) {
    int last = coefficients.length - 1;
    Operand sum = of(coefficients[last]);
    for (int i = last - 1; i >= 0; i--) {
      sum = fma(sum, z, of(coefficients[i]));
    }
    return (Reg) sum;
  }

  /** Where a relation of floats or of integers holds. */
  Reg compare(Relation relation, Operand a, Operand b) {
    if (a.type().isInt() && a.type().lanes() == 1) {
      return writer.compare(relation, toWord(a), toWord(b));
    }
    return writer.compare(relation, a, b);
  }

  private Operand toWord(Operand a) {
    if (a instanceof Const constant) {
      int unused = Long.SIZE - constant.type().bits();
      return new Imm(constant.lane(0) << unused >> unused);
    }
    return writer.compute(Op.TO_WORD, Type.WORD, a);
  }

  /** {@code x} where a condition holds, else {@code y}: floats or integers. */
  Reg choose(Reg condition, Operand x, Operand y) {
    if (!condition.type().isWord()) {
      return writer.blend(condition, x, y);
    }
    if (x.type().isInt()) {
      return toInts(choose(condition, toFloats(x), toFloats(y)));
    }
    return writer.compute(Op.SELECT, x.type(), condition, x, y);
  }

  /** {@code x} where a relation of {@code a} and {@code b} holds, else {@code y}. */
  Reg choose(Relation relation, Operand a, Operand b, Operand x, Operand y) {
    return choose(compare(relation, a, b), x, y);
  }

  /** Where a condition does not hold. */
  Reg not(Reg condition) {
    return condition.type().isWord() ? op(Op.XOR, condition, new Imm(1)) : op(Op.NOT, condition);
  }

  /** A word that is not 0 if a condition holds in any lane. */
  Reg any(Reg condition) {
    return condition.type().isWord()
        ? condition
        : writer.compute(Op.MASK_BITS, Type.WORD, condition);
  }
}
