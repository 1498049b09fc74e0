package org.relaxvm.tir.expr;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Makes expressions. Integers and booleans that are known are folded, and what changes nothing is
 * left out ({@code x + 0}, {@code x * 1}, {@code x // 1}); operands are never reordered. A constant
 * integer takes the dtype of the other side.
 *
 * <p>Source: docs/spec/relax-ir.md, section 2.1.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why does building an expression fold integers but never
 * reorder?"
 */
public final class Exprs {
  private Exprs() {}

  /** The sum. */
  public static PrimExpr add(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.ADD, a, b);
  }

  /** The sum with a constant. */
  public static PrimExpr add(PrimExpr a, long b) {
    return add(a, IntImm.of(b));
  }

  /** The difference. */
  public static PrimExpr sub(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.SUB, a, b);
  }

  /** The difference from a constant. */
  public static PrimExpr sub(PrimExpr a, long b) {
    return sub(a, IntImm.of(b));
  }

  /** The product. */
  public static PrimExpr mul(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.MUL, a, b);
  }

  /** The product with a constant. */
  public static PrimExpr mul(PrimExpr a, long b) {
    return mul(a, IntImm.of(b));
  }

  /** The quotient, of integers towards negative infinity. */
  public static PrimExpr floorDiv(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.FLOOR_DIV, a, b);
  }

  /** The quotient by a constant. */
  public static PrimExpr floorDiv(PrimExpr a, long b) {
    return floorDiv(a, IntImm.of(b));
  }

  /** The quotient towards positive infinity of integers, of which the second is positive. */
  public static PrimExpr ceilDiv(PrimExpr a, PrimExpr b) {
    return floorDiv(sub(add(a, b), 1), b);
  }

  /** The remainder of {@link #floorDiv}. */
  public static PrimExpr floorMod(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.FLOOR_MOD, a, b);
  }

  /** The remainder of a division by a constant. */
  public static PrimExpr floorMod(PrimExpr a, long b) {
    return floorMod(a, IntImm.of(b));
  }

  /** The smaller one. */
  public static PrimExpr min(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.MIN, a, b);
  }

  /** The larger one. */
  public static PrimExpr max(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.MAX, a, b);
  }

  /** Whether the first is less. */
  public static PrimExpr lt(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.LT, a, b);
  }

  /** Whether the first is less or equal. */
  public static PrimExpr le(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.LE, a, b);
  }

  /** Whether both are equal. */
  public static PrimExpr eq(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.EQ, a, b);
  }

  /** Whether both hold. */
  public static PrimExpr and(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.AND, a, b);
  }

  /** The conditions that a condition joins by {@link #and}, from left to right; itself if none. */
  public static List<PrimExpr> conjuncts(PrimExpr condition) {
    if (condition instanceof Binary(BinaryOp op, PrimExpr a, PrimExpr b) && op == BinaryOp.AND) {
      List<PrimExpr> parts = new ArrayList<>(conjuncts(a));
      parts.addAll(conjuncts(b));
      return parts;
    }
    return List.of(condition);
  }

  /** Whether one holds. */
  public static PrimExpr or(PrimExpr a, PrimExpr b) {
    return binary(BinaryOp.OR, a, b);
  }

  /** The opposite of a boolean. */
  public static PrimExpr not(PrimExpr a) {
    return a instanceof IntImm known ? IntImm.of(known.value() == 0) : new Not(a);
  }

  /** The value as another dtype. */
  public static PrimExpr cast(DType dtype, PrimExpr value) {
    if (value.dtype().equals(dtype)) {
      return value;
    }
    if (value instanceof IntImm known) {
      if (dtype.equals(DType.BOOL)) {
        return IntImm.of(known.value() != 0);
      }
      if (DTypes.isInteger(dtype)) {
        return new IntImm(dtype, IntegerMath.wrap(dtype, known.value()));
      }
    }
    return new Cast(dtype, value);
  }

  /** A function of scalars. */
  public static PrimExpr call(Intrinsic op, PrimExpr... args) {
    return new Call(op, List.of(args));
  }

  /** One of two values, of which only the one that counts is evaluated. */
  public static PrimExpr ifThenElse(PrimExpr condition, PrimExpr whenTrue, PrimExpr whenFalse) {
    if (condition instanceof IntImm known) {
      return known.value() != 0 ? whenTrue : whenFalse;
    }
    return call(Intrinsic.IF_THEN_ELSE, condition, whenTrue, whenFalse);
  }

  /** One of two values, of which both may be evaluated. */
  public static PrimExpr select(PrimExpr condition, PrimExpr whenTrue, PrimExpr whenFalse) {
    if (condition instanceof IntImm known) {
      return known.value() != 0 ? whenTrue : whenFalse;
    }
    return new Select(condition, whenTrue, whenFalse);
  }

  /** A constant of any dtype. */
  public static PrimExpr constant(DType dtype, double value) {
    if (dtype.isFloat()) {
      return new FloatImm(dtype, value);
    }
    if (value != Math.rint(value) || Math.abs(value) >= 0x1p63) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "the constant " + value + " does not fit " + dtype);
    }
    return new IntImm(dtype, (long) value);
  }

  /** An operation on two scalars. */
  public static PrimExpr binary(BinaryOp op, PrimExpr left, PrimExpr right) {
    // The second of two constants takes the dtype of the first; never both that of the other.
    PrimExpr b = right instanceof IntImm imm ? like(imm, left) : right;
    PrimExpr a = left instanceof IntImm imm ? like(imm, b) : left;
    PrimExpr folded = DTypes.isIntegral(a.dtype()) ? fold(op, a, b) : null;
    return folded != null ? folded : new Binary(op, a, b);
  }

  /** An expression of the same kind with other operands, folded like a new one. */
  public static PrimExpr rebuild(PrimExpr expr, List<PrimExpr> operands) {
    return switch (expr) {
      case Binary binary -> binary(binary.op(), operands.get(0), operands.get(1));
      case Not not -> not(operands.getFirst());
      case Cast cast -> cast(cast.dtype(), operands.getFirst());
      case Select select -> select(operands.get(0), operands.get(1), operands.get(2));
      case Call call when call.op() == Intrinsic.IF_THEN_ELSE ->
          ifThenElse(operands.get(0), operands.get(1), operands.get(2));
      default -> expr.withOperands(operands);
    };
  }

  /** The dot product of indices and strides: an offset in memory, in elements. */
  public static PrimExpr dot(List<PrimExpr> a, List<PrimExpr> b) {
    PrimExpr sum = IntImm.of(0);
    for (int i = 0; i < a.size(); i++) {
      sum = add(sum, mul(a.get(i), b.get(i)));
    }
    return sum;
  }

  /** The strides of a contiguous row-major array, in elements. */
  public static List<PrimExpr> rowMajorStrides(List<PrimExpr> shape) {
    List<PrimExpr> strides = new ArrayList<>();
    PrimExpr step = IntImm.of(1);
    for (PrimExpr extent : shape.reversed()) {
      strides.add(step);
      step = mul(step, extent);
    }
    return strides.reversed();
  }

  /** The product of extents; 1 of none. */
  public static PrimExpr product(List<PrimExpr> extents) {
    PrimExpr product = IntImm.of(1);
    for (PrimExpr extent : extents) {
      product = mul(product, extent);
    }
    return product;
  }

  /** The row-major offset of an index, in elements. */
  public static PrimExpr rowMajorOffset(List<PrimExpr> index, List<PrimExpr> shape) {
    return dot(index, rowMajorStrides(shape));
  }

  /** The index of the element at a row-major offset; the inverse of {@link #rowMajorOffset}. */
  public static List<PrimExpr> rowMajorIndex(PrimExpr offset, List<PrimExpr> shape) {
    List<PrimExpr> strides = rowMajorStrides(shape);
    List<PrimExpr> index = new ArrayList<>();
    for (int axis = 0; axis < shape.size(); axis++) {
      PrimExpr quotient = floorDiv(offset, strides.get(axis));
      index.add(axis == 0 ? quotient : floorMod(quotient, shape.get(axis)));
    }
    return index;
  }

  private static PrimExpr like(IntImm constant, PrimExpr other) {
    DType dtype = other.dtype();
    if (constant.dtype().equals(dtype) || !DTypes.isScalar(dtype) || dtype.equals(DType.BOOL)) {
      return constant;
    }
    return dtype.isFloat()
        ? new FloatImm(dtype, constant.value())
        : new IntImm(dtype, constant.value());
  }

  private static @Nullable PrimExpr fold(BinaryOp op, PrimExpr a, PrimExpr b) {
    if (a instanceof IntImm x && b instanceof IntImm y && x.dtype().equals(y.dtype())) {
      return foldConstants(op, x, y);
    }
    return switch (op) {
      case ADD -> is(b, 0) ? a : is(a, 0) ? b : null;
      case SUB -> is(b, 0) ? a : null;
      case MUL -> is(b, 1) || is(a, 0) ? a : is(a, 1) || is(b, 0) ? b : null;
      case DIV, FLOOR_DIV -> is(b, 1) ? a : null;
      case MOD, FLOOR_MOD -> is(b, 1) ? new IntImm(a.dtype(), 0) : null;
      case MIN, MAX -> a.equals(b) ? a : null;
      case AND -> is(a, 1) || is(b, 0) ? b : is(b, 1) || is(a, 0) ? a : null;
      case OR -> is(a, 0) || is(b, 1) ? b : is(b, 0) || is(a, 1) ? a : null;
      default -> null;
    };
  }

  private static @Nullable PrimExpr foldConstants(BinaryOp op, IntImm x, IntImm y) {
    boolean divides =
        switch (op) {
          case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> true;
          default -> false;
        };
    boolean bool = x.dtype().equals(DType.BOOL);
    if ((divides && y.value() == 0) || (bool && op.kind() == BinaryOp.Kind.ARITHMETIC)) {
      return null;
    }
    long value = IntegerMath.apply(op, x.dtype(), x.value(), y.value());
    return op.kind() == BinaryOp.Kind.ARITHMETIC
        ? new IntImm(x.dtype(), value)
        : IntImm.of(value != 0);
  }

  private static boolean is(PrimExpr expr, long value) {
    return expr instanceof IntImm known && known.value() == value;
  }
}
