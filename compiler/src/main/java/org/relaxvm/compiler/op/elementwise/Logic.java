package org.relaxvm.compiler.op.elementwise;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.elementwise.BinaryDef.Domain;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.op.BinaryOps;

/**
 * Logic of two tensors of one dtype, which are broadcast, by booleans and by bits; each may be a
 * scalar instead. Results have the dtype of the operands.
 *
 * <p>Source: docs/spec/op-set.md, section 2.2.
 */
public final class Logic {
  /** Whether both are true; booleans. */
  public static final OpDef LOGICAL_AND =
      BinaryDef.number("logical_and", Domain.BOOLEANS, BinaryOps::logicalAnd);

  /** Whether either is true; booleans. */
  public static final OpDef LOGICAL_OR =
      BinaryDef.number("logical_or", Domain.BOOLEANS, BinaryOps::logicalOr);

  /** Whether one of them is true; booleans. */
  public static final OpDef LOGICAL_XOR =
      BinaryDef.number("logical_xor", Domain.BOOLEANS, BinaryOps::logicalXor);

  /** The bits that both have; integers or booleans. */
  public static final OpDef BITWISE_AND =
      bits("bitwise_and", Intrinsic.BITWISE_AND, BinaryOps::logicalAnd);

  /** The bits that either has; integers or booleans. */
  public static final OpDef BITWISE_OR =
      bits("bitwise_or", Intrinsic.BITWISE_OR, BinaryOps::logicalOr);

  /** The bits that one of them has; integers or booleans. */
  public static final OpDef BITWISE_XOR =
      bits("bitwise_xor", Intrinsic.BITWISE_XOR, BinaryOps::logicalXor);

  /** The bits moved up; 0 for a number of bits that the dtype has not. Integers. */
  public static final OpDef LEFT_SHIFT = shift("left_shift", Intrinsic.SHIFT_LEFT);

  /** The bits moved down, filled with the sign of signed integers. Integers. */
  public static final OpDef RIGHT_SHIFT = shift("right_shift", Intrinsic.SHIFT_RIGHT);

  private Logic() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(
        LOGICAL_AND,
        LOGICAL_OR,
        LOGICAL_XOR,
        BITWISE_AND,
        BITWISE_OR,
        BITWISE_XOR,
        LEFT_SHIFT,
        RIGHT_SHIFT);
  }

  /** Whether both are true; booleans. */
  public static Call logicalAnd(Expr x1, Expr x2) {
    return Call.of(LOGICAL_AND, x1, x2);
  }

  /** Whether either is true; booleans. */
  public static Call logicalOr(Expr x1, Expr x2) {
    return Call.of(LOGICAL_OR, x1, x2);
  }

  /** Whether one of them is true; booleans. */
  public static Call logicalXor(Expr x1, Expr x2) {
    return Call.of(LOGICAL_XOR, x1, x2);
  }

  /** The bits that both have; integers or booleans. */
  public static Call bitwiseAnd(Expr x1, Expr x2) {
    return Call.of(BITWISE_AND, x1, x2);
  }

  /** The bits that either has; integers or booleans. */
  public static Call bitwiseOr(Expr x1, Expr x2) {
    return Call.of(BITWISE_OR, x1, x2);
  }

  /** The bits that one of them has; integers or booleans. */
  public static Call bitwiseXor(Expr x1, Expr x2) {
    return Call.of(BITWISE_XOR, x1, x2);
  }

  /** The bits moved up; 0 for a number of bits that the dtype has not. Integers. */
  public static Call leftShift(Expr x1, Expr x2) {
    return Call.of(LEFT_SHIFT, x1, x2);
  }

  /** The bits moved down, filled with the sign of signed integers. Integers. */
  public static Call rightShift(Expr x1, Expr x2) {
    return Call.of(RIGHT_SHIFT, x1, x2);
  }

  private static OpDef bits(String name, Intrinsic function, BinaryDef.Body ofBooleans) {
    return BinaryDef.number(
        name,
        Domain.INTEGERS_OR_BOOLEANS,
        (k, output, a, b) ->
            a.dtype().equals(DType.BOOL)
                ? ofBooleans.of(k, output, a, b)
                : BinaryOps.bits(k, output, function, a, b));
  }

  private static OpDef shift(String name, Intrinsic function) {
    return BinaryDef.number(
        name, Domain.INTEGERS, (k, output, a, b) -> BinaryOps.bits(k, output, function, a, b));
  }
}
