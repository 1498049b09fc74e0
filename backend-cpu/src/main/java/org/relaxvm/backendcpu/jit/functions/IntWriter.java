package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.tir.expr.DTypes;

/**
 * Writes operations on words, or on lanes of integers.
 *
 * <p>A condition is a mask of lanes, or a word that is 0 or 1.
 */
final class IntWriter {
  private final LirWriter writer;
  private final Target target;
  private final Type type;

  IntWriter(LirWriter writer, Target target, Type type) {
    if (!type.isWord() && !type.isInt()) {
      throw new IllegalArgumentException("no type of integers: " + type);
    }
    this.writer = writer;
    this.target = target;
    this.type = type;
  }

  LirWriter writer() {
    return writer;
  }

  Type type() {
    return type;
  }

  /** A constant. */
  Operand of(long value) {
    if (type.isWord()) {
      return new Imm(value);
    }
    return new Const(type, type.bits() == 64 ? value : value & ((1L << type.bits()) - 1));
  }

  Reg move(Operand a) {
    return writer.compute(Op.MOVE, a.type(), a);
  }

  /**
   * An operation whose result has the type of the first operand.
   *
   * @throws UnsupportedCodeException if the processor has no instruction for it
   */
  Reg op(Op op, Operand first, Operand... others) {
    Operand last = others.length == 0 ? first : others[others.length - 1];
    if (!target.supports(op, first.type(), last.type())) {
      throw new UnsupportedCodeException(op + " of " + first.type());
    }
    return writer.op(op, first, others);
  }

  Reg add(Operand a, Operand b) {
    return op(Op.ADD, a, b);
  }

  Reg sub(Operand a, Operand b) {
    return op(Op.SUB, a, b);
  }

  Reg and(Operand a, Operand b) {
    return op(Op.AND, a, b);
  }

  Reg or(Operand a, Operand b) {
    return op(Op.OR, a, b);
  }

  Reg xor(Operand a, Operand b) {
    return op(Op.XOR, a, b);
  }

  /** {@code op} by a constant number of bits. */
  Reg shift(Op op, Operand a, int count) {
    return op(op, a, new Imm(count));
  }

  Reg compare(Relation relation, Operand a, Operand b) {
    return writer.compare(relation, a, b);
  }

  Reg choose(Reg condition, Operand x, Operand y) {
    return condition.type().isWord()
        ? writer.compute(Op.SELECT, x.type(), condition, x, y)
        : writer.blend(condition, x, y);
  }

  Reg choose(Relation relation, Operand a, Operand b, Operand x, Operand y) {
    return choose(compare(relation, a, b), x, y);
  }

  /** A word that is not 0 if a condition holds in any lane. */
  Reg any(Reg condition) {
    return condition.type().isWord()
        ? condition
        : writer.compute(Op.MASK_BITS, Type.WORD, condition);
  }

  /** The value of a dtype that has the same low bits. */
  Operand wrap(DType dtype, Operand a) {
    boolean isBool = dtype.equals(DType.BOOL);
    if (isBool || dtype.bits() >= type.bits()) {
      return isBool ? and(a, of(1)) : a;
    }
    boolean isUnsigned = DTypes.isUnsigned(dtype);
    if (type.isWord()) {
      return op(
          switch (dtype.bits()) {
            case 8 -> isUnsigned ? Op.ZERO8 : Op.SIGN8;
            case 16 -> isUnsigned ? Op.ZERO16 : Op.SIGN16;
            default -> isUnsigned ? Op.ZERO32 : Op.SIGN32;
          },
          a);
    }
    if (isUnsigned) {
      return and(a, of((1L << dtype.bits()) - 1));
    }
    int unused = type.bits() - dtype.bits();
    return shift(Op.SAR, shift(Op.SHL, a, unused), unused);
  }
}
