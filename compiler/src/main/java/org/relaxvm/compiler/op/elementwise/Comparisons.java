package org.relaxvm.compiler.op.elementwise;

import java.util.List;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.elementwise.BinaryDef.Domain;
import org.relaxvm.tir.expr.BinaryOp;

/**
 * Comparisons of two tensors of one dtype, which are broadcast; each may be a scalar instead.
 * Results are bool. Numbers where nothing else is said.
 *
 * <p>Source: docs/spec/op-set.md, section 2.2.
 */
public final class Comparisons {
  /** Whether both are equal; any dtype. */
  public static final OpDef EQUAL = BinaryDef.comparison("equal", Domain.ANY, BinaryOp.EQ);

  /** Whether both differ, also when one is NaN; any dtype. */
  public static final OpDef NOT_EQUAL = BinaryDef.comparison("not_equal", Domain.ANY, BinaryOp.NE);

  /** {@code x1 < x2}. */
  public static final OpDef LESS = BinaryDef.comparison("less", Domain.NUMBERS, BinaryOp.LT);

  /** {@code x1 <= x2}. */
  public static final OpDef LESS_EQUAL =
      BinaryDef.comparison("less_equal", Domain.NUMBERS, BinaryOp.LE);

  /** {@code x1 > x2}. */
  public static final OpDef GREATER = BinaryDef.comparison("greater", Domain.NUMBERS, BinaryOp.GT);

  /** {@code x1 >= x2}. */
  public static final OpDef GREATER_EQUAL =
      BinaryDef.comparison("greater_equal", Domain.NUMBERS, BinaryOp.GE);

  private Comparisons() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL);
  }

  /** Whether both are equal; any dtype. */
  public static Call equal(Expr x1, Expr x2) {
    return Call.of(EQUAL, x1, x2);
  }

  /** Whether both differ, also when one is NaN; any dtype. */
  public static Call notEqual(Expr x1, Expr x2) {
    return Call.of(NOT_EQUAL, x1, x2);
  }

  /** {@code x1 < x2}. */
  public static Call less(Expr x1, Expr x2) {
    return Call.of(LESS, x1, x2);
  }

  /** {@code x1 <= x2}. */
  public static Call lessEqual(Expr x1, Expr x2) {
    return Call.of(LESS_EQUAL, x1, x2);
  }

  /** {@code x1 > x2}. */
  public static Call greater(Expr x1, Expr x2) {
    return Call.of(GREATER, x1, x2);
  }

  /** {@code x1 >= x2}. */
  public static Call greaterEqual(Expr x1, Expr x2) {
    return Call.of(GREATER_EQUAL, x1, x2);
  }
}
