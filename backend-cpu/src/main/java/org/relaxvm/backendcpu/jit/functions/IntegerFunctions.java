package org.relaxvm.backendcpu.jit.functions;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.jit.lir.Lir;
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
import org.relaxvm.tir.expr.Intrinsic;

/**
 * Functions of integers and booleans, in words or in lanes of as many bits as the dtype has or
 * more. Operands are in the range of their dtype, extended to the type that holds them; so are
 * results. Immutable and thread-safe; a {@link LirWriter} is not.
 */
public final class IntegerFunctions {
  private final Target target;

  /**
   * Creates writers of functions.
   *
   * @param target decides what lanes can do
   */
  public IntegerFunctions(Target target) {
    this.target = target;
  }

  /**
   * Appends a function.
   *
   * @param op of integers
   * @param dtype of the operands and of the result
   * @param args words, or lanes of integers of one type
   * @throws UnsupportedCodeException if integers do not have the function, or lanes of the type do
   *     not
   */
  public Operand write(LirWriter writer, Intrinsic op, DType dtype, Operand... args) {
    if (args.length != op.arity()) {
      throw new IllegalArgumentException(
          "%s takes %d operands, but got %d".formatted(op.text(), op.arity(), args.length));
    }
    Type type = args[args.length - 1].type();
    IntWriter ints = new IntWriter(writer, target, type);
    Operand a = args[0];
    boolean isUnsigned = DTypes.isUnsigned(dtype);
    return switch (op) {
      case ABS -> isUnsigned ? a : ints.wrap(dtype, ints.op(Op.ABS, a));
      case BITWISE_NOT -> ints.wrap(dtype, ints.op(Op.NOT, a));
      case BITWISE_AND -> ints.and(a, args[1]);
      case BITWISE_OR -> ints.or(a, args[1]);
      case BITWISE_XOR -> ints.xor(a, args[1]);
      case SHIFT_LEFT -> ints.wrap(dtype, shiftWithin(ints, Op.SHL, dtype, a, args[1]));
      case SHIFT_RIGHT ->
          isUnsigned
              ? shiftWithin(ints, Op.SHR, dtype, a, args[1])
              : shiftSigned(ints, dtype, a, args[1]);
      case POW -> ints.wrap(dtype, pow(ints, isUnsigned, a, args[1]));
      case IF_THEN_ELSE -> ints.choose(writer.inRegister(a), args[1], args[2]);
      default -> throw new UnsupportedCodeException(op.text() + " of " + dtype);
    };
  }

  /** A shift that gives 0 for amounts out of range. */
  private static Operand shiftWithin(
      IntWriter ints, Op op, DType dtype, Operand a, Operand amount) {
    if (isConstant(amount)) {
      long count = constant(amount);
      boolean isWithin = count >= 0 && count < dtype.bits();
      return isWithin ? ints.shift(op, a, (int) count) : ints.of(0);
    }
    Reg shifted = ints.op(op, a, amount);
    return ints.choose(Relation.ULT, amount, ints.of(dtype.bits()), shifted, ints.of(0));
  }

  private static Operand shiftSigned(IntWriter ints, DType dtype, Operand a, Operand amount) {
    int most = dtype.bits() - 1;
    if (isConstant(amount)) {
      long count = constant(amount);
      return ints.shift(Op.SAR, a, count >= 0 && count < most ? (int) count : most);
    }
    return ints.op(Op.SAR, a, ints.op(Op.UMIN, amount, ints.of(most)));
  }

  private static boolean isConstant(Operand operand) {
    return operand instanceof Imm || (operand instanceof Const lanes && lanes.isSplat());
  }

  private static long constant(Operand operand) {
    if (operand instanceof Const lanes) {
      int unused = Long.SIZE - lanes.type().bits();
      return lanes.lane(0) << unused >> unused;
    }
    return ((Imm) operand).value();
  }

  /**
   * By squares. A negative exponent gives 0 unless the base is 1 or -1, of which its lowest bit
   * decides the sign.
   */
  private static Operand pow(IntWriter ints, boolean isUnsigned, Operand base, Operand exponent) {
    if (isConstant(exponent) && (isUnsigned || constant(exponent) >= 0)) {
      return powConstant(ints, base, constant(exponent));
    }
    LirWriter writer = ints.writer();
    Operand zero = ints.of(0);
    Operand one = ints.of(1);
    Reg square = ints.move(base);
    Reg left = ints.move(exponent);
    Reg result = ints.move(one);
    if (!isUnsigned) {
      Reg isNegative = ints.compare(Relation.LT, left, zero);
      Reg isFraction = ints.compare(Relation.UGT, ints.add(base, one), ints.of(2));
      isFraction = ints.or(isFraction, ints.compare(Relation.EQ, base, zero));
      result = ints.move(ints.choose(ints.and(isNegative, isFraction), zero, one));
      left = ints.move(ints.choose(isNegative, ints.and(left, one), left));
    }
    Reg counter = ints.move(new Imm(0));
    Reg limit = ints.move(ints.any(ints.compare(Relation.NE, left, zero)));
    writer.open();
    Reg isOdd = ints.compare(Relation.NE, ints.and(left, one), zero);
    Reg product = ints.op(Op.MUL, result, square);
    writer.set(result, Op.MOVE, ints.choose(isOdd, product, result));
    writer.set(square, Op.MUL, square, square);
    writer.set(left, Op.SHR, left, new Imm(1));
    Reg any = ints.any(ints.compare(Relation.NE, left, zero));
    writer.set(limit, Op.SELECT, any, new Imm(Long.SIZE), new Imm(0));
    List<Lir> body = writer.close();
    writer.set(limit, Op.SELECT, limit, new Imm(Long.SIZE), new Imm(0));
    writer.add(new Lir.Loop(counter, limit, 1, false, body));
    return result;
  }

  private static Operand powConstant(IntWriter ints, Operand base, long exponent) {
    Operand result = ints.of(1);
    Operand square = base;
    boolean isFirst = true;
    for (long left = exponent; left != 0; left >>>= 1) {
      if ((left & 1) != 0) {
        result = isFirst ? square : ints.op(Op.MUL, result, square);
        isFirst = false;
      }
      if (left != 1) {
        square = ints.op(Op.MUL, square, square);
      }
    }
    return result;
  }
}
