package org.relaxvm.backendcpu.codegen.cost;

import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Estimates how many vector instructions a turn of a loop is. HotSpot's C2 stops to inline calls in
 * a method with too much in it, and then makes an object of every vector.
 */
public final class LaneCost {
  /** The most for a loop whose turns are written several times. */
  public static final int MOST_FOR_GROUPS = 24;

  /** What a function such as the exponential is made of. */
  private static final int FUNCTION = 30;

  private LaneCost() {}

  /** The vector instructions of a statement and all inside. */
  public static int of(Node node) {
    int cost = 0;
    for (PrimExpr expr : node.exprs()) {
      cost += of(expr);
    }
    for (Node child : node.children()) {
      cost += of(child);
    }
    return cost;
  }

  private static int of(PrimExpr expr) {
    if (expr instanceof BufferLoad) {
      return 1;
    }
    int cost = expr.operands().isEmpty() ? 0 : 1;
    if (expr instanceof Call call && isFunction(call.op())) {
      cost = FUNCTION;
    }
    for (PrimExpr operand : expr.operands()) {
      cost += of(operand);
    }
    return cost;
  }

  private static boolean isFunction(Intrinsic op) {
    return switch (op) {
      case ABS, SQRT, RSQRT, CEIL, FLOOR, NEARBYINT, TRUNC, ISNAN, ISINF, ISFINITE, IF_THEN_ELSE ->
          false;
      default -> op.rule() == Intrinsic.Rule.FLOAT || op == Intrinsic.POW;
    };
  }
}
