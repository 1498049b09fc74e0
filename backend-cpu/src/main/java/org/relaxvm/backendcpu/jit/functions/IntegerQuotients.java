package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;

/**
 * Quotients and remainders of integers, in words or in lanes of 32 bits. Operands and results are
 * in the range of their dtype, extended to the type that holds them. Divisors are not 0; a caller
 * that does not know compares them first. Immutable and thread-safe; a {@link LirWriter} is not.
 */
public final class IntegerQuotients {
  private final Target target;

  /**
   * Creates writers of operations.
   *
   * @param target decides how float64 is computed for lanes
   */
  public IntegerQuotients(Target target) {
    this.target = target;
  }

  /**
   * Appends an operation.
   *
   * @param op {@link BinaryOp#DIV}, {@link BinaryOp#MOD}, {@link BinaryOp#FLOOR_DIV} or {@link
   *     BinaryOp#FLOOR_MOD}
   * @param dtype of the operands and of the result
   * @param b where it is 0, words end the process and lanes are undefined
   * @throws UnsupportedCodeException for lanes of other than 32 bits
   */
  public Operand write(LirWriter writer, BinaryOp op, DType dtype, Operand a, Operand b) {
    IntWriter ints = new IntWriter(writer, target, a.type());
    boolean isUnsigned = DTypes.isUnsigned(dtype);
    boolean isFloor = op == BinaryOp.FLOOR_DIV || op == BinaryOp.FLOOR_MOD;
    boolean isQuotient = op == BinaryOp.DIV || op == BinaryOp.FLOOR_DIV;
    if (!isQuotient && op != BinaryOp.MOD && op != BinaryOp.FLOOR_MOD) {
      throw new UnsupportedCodeException(op.text() + " among quotients");
    }
    if (b instanceof Imm(long divisor) && divisor > 0 && (isUnsigned || isFloor)) {
      if (Long.bitCount(divisor) == 1) {
        int bits = Long.numberOfTrailingZeros(divisor);
        return isQuotient
            ? ints.shift(isUnsigned ? Op.SHR : Op.SAR, a, bits)
            : ints.and(a, ints.of(divisor - 1));
      }
    }
    if (a.type().isInt()) {
      return lanes(ints, dtype, isFloor && !isUnsigned, isQuotient, a, b);
    }
    if (isUnsigned) {
      return ints.op(isQuotient ? Op.UDIV : Op.UREM, a, b);
    }
    return words(ints, dtype, isFloor, isQuotient, a, b);
  }

  private static Operand words(
      IntWriter ints, DType dtype, boolean isFloor, boolean isQuotient, Operand a, Operand b) {
    if (dtype.bits() == Long.SIZE && !(b instanceof Imm(long divisor) && divisor != -1)) {
      // The quotient of the smallest number by -1 wraps around.
      Reg isMinusOne = ints.compare(Relation.EQ, ints.writer().inRegister(b), ints.of(-1));
      a = ints.choose(isMinusOne, ints.op(Op.NEG, a), a);
      Operand divisor = ints.choose(isMinusOne, ints.of(1), b);
      // The remainder is 0 whatever the sign, and the quotient is exact.
      return quotient(ints, dtype, isFloor, isQuotient, a, divisor);
    }
    return quotient(ints, dtype, isFloor, isQuotient, a, b);
  }

  private static Operand quotient(
      IntWriter ints, DType dtype, boolean isFloor, boolean isQuotient, Operand a, Operand b) {
    if (!isFloor) {
      return isQuotient ? ints.wrap(dtype, ints.op(Op.DIV, a, b)) : ints.op(Op.REM, a, b);
    }
    Reg rest = ints.op(Op.REM, a, b);
    Reg isOther = isOfOtherSign(ints, rest, b);
    if (!isQuotient) {
      return ints.choose(isOther, ints.add(rest, b), rest);
    }
    Reg towardsZero = ints.op(Op.DIV, a, b);
    Reg down = ints.sub(towardsZero, ints.of(1));
    return ints.wrap(dtype, ints.choose(isOther, down, towardsZero));
  }

  /** Whether a remainder is not 0 and has not the sign of the divisor. */
  private static Reg isOfOtherSign(IntWriter ints, Operand rest, Operand divisor) {
    Reg differ = ints.compare(Relation.LT, ints.xor(rest, divisor), ints.of(0));
    return ints.and(differ, ints.compare(Relation.NE, rest, ints.of(0)));
  }

  /** Quotients of integers of up to 32 bits are exact in float64, rounded towards 0. */
  private Operand lanes(
      IntWriter ints, DType dtype, boolean isFloor, boolean isQuotient, Operand a, Operand b) {
    if (ints.type().bits() != 32) {
      throw new UnsupportedCodeException("quotient of " + ints.type());
    }
    boolean isUnsigned = dtype.bits() == 32 && DTypes.isUnsigned(dtype);
    Reg quotient = truncatedQuotient(ints, isUnsigned, a, b);
    if (isQuotient && !isFloor) {
      return ints.wrap(dtype, quotient);
    }
    Reg rest = ints.sub(a, ints.op(Op.MUL, quotient, b));
    if (!isFloor) {
      return rest;
    }
    Reg isOther = isOfOtherSign(ints, rest, b);
    if (!isQuotient) {
      return ints.choose(isOther, ints.add(rest, b), rest);
    }
    Reg down = ints.sub(quotient, ints.of(1));
    return ints.wrap(dtype, ints.choose(isOther, down, quotient));
  }

  private Reg truncatedQuotient(IntWriter ints, boolean isUnsigned, Operand a, Operand b) {
    Type type = ints.type();
    LirWriter writer = ints.writer();
    if (2 * type.totalBits() > target.vectorBits() && type.lanes() > 1) {
      Type half = type.withLanes(type.lanes() / 2);
      IntWriter halves = new IntWriter(writer, target, half);
      Reg[] quotients = new Reg[2];
      for (int i = 0; i < 2; i++) {
        Op op = i == 0 ? Op.LOW_HALF : Op.HIGH_HALF;
        Reg dividend = writer.compute(op, half, a);
        quotients[i] = truncatedQuotient(halves, isUnsigned, dividend, writer.compute(op, half, b));
      }
      return writer.compute(Op.JOIN, type, quotients[0], quotients[1]);
    }
    LaneWriter doubles = new LaneWriter(writer, target, Type.floats(64, type.lanes()));
    Op widen = isUnsigned ? Op.UNSIGNED_TO_FLOAT : Op.TO_FLOAT;
    Reg quotient =
        doubles.div(
            writer.compute(widen, doubles.type(), a), writer.compute(widen, doubles.type(), b));
    if (!isUnsigned) {
      // The only quotient that is out of range is 2^31, which wraps around to what it becomes.
      return writer.compute(Op.TO_INT, type, quotient);
    }
    Reg shifted = doubles.sub(doubles.op(Op.TRUNC, quotient), doubles.of(0x1p31));
    Reg bits = writer.compute(Op.TO_INT, type, shifted);
    return ints.xor(bits, ints.of(0x8000_0000L));
  }
}
