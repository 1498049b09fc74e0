package org.relaxvm.backendcpu.codegen.loops;

import java.util.OptionalLong;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** Expressions as a multiple of a variable and a rest without it. */
public final class Affine {
  private Affine() {}

  /** Whether an expression depends on a variable. */
  @SuppressWarnings("ReferenceEquality") // of variables that is equality
  public static boolean uses(PrimExpr expr, Var var) {
    if (expr == var) {
      return true;
    }
    for (PrimExpr operand : expr.operands()) {
      if (uses(operand, var)) {
        return true;
      }
    }
    return false;
  }

  /** By how much an expression grows when a variable grows by one; empty when that varies. */
  @SuppressWarnings("ReferenceEquality") // of variables that is equality
  public static OptionalLong step(PrimExpr expr, Var var) {
    if (expr == var) {
      return OptionalLong.of(1);
    }
    if (!uses(expr, var)) {
      return OptionalLong.of(0);
    }
    return switch (expr) {
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b) when op == BinaryOp.ADD ->
          join(step(a, var), step(b, var), 1);
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b) when op == BinaryOp.SUB ->
          join(step(a, var), step(b, var), -1);
      case Binary(BinaryOp op, PrimExpr a, IntImm(DType dtype, long factor))
          when op == BinaryOp.MUL ->
          times(step(a, var), factor);
      case Binary(BinaryOp op, IntImm(DType dtype, long factor), PrimExpr b)
          when op == BinaryOp.MUL ->
          times(step(b, var), factor);
      case Cast(DType dtype, PrimExpr value) when isIndex(dtype) && isIndex(value.dtype()) ->
          step(value, var);
      default -> OptionalLong.empty();
    };
  }

  /** Whether a place is one further where a variable is one greater. */
  public static boolean isContiguous(PrimExpr place, Var var) {
    return step(place, var).equals(OptionalLong.of(1));
  }

  private static boolean isIndex(DType dtype) {
    return dtype.equals(DType.INT64) || dtype.equals(DType.INT32);
  }

  private static OptionalLong join(OptionalLong a, OptionalLong b, long sign) {
    return a.isPresent() && b.isPresent()
        ? OptionalLong.of(a.getAsLong() + sign * b.getAsLong())
        : OptionalLong.empty();
  }

  private static OptionalLong times(OptionalLong step, long factor) {
    return step.isPresent() ? OptionalLong.of(step.getAsLong() * factor) : step;
  }
}
