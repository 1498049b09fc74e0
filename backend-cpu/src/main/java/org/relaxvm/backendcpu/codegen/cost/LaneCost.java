package org.relaxvm.backendcpu.codegen.cost;

import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Estimates how many vector instructions an iteration of a loop is. HotSpot's C2 stops inlining
 * calls in a method with too much in it, and then makes an object of every vector.
 */
public final class LaneCost {
  /** The most for a loop whose iterations are written several times. */
  public static final int MOST_FOR_GROUPS = 24;

  /** The most for a loop that C2 still keeps vectors of in registers. */
  public static final int MOST_IN_LOOP = 48;

  /** What a function such as the exponential is made of. */
  private static final int FUNCTION = 30;

  /** What a function is made of that takes more steps, or those in a wider dtype. */
  private static final int LARGE_FUNCTION = 100;

  private LaneCost() {}

  /** The vector instructions of a statement and all inside. */
  public static int of(Node node) {
    return of(node, Set.of());
  }

  /** The vector instructions of a statement and all inside beside those of some expressions. */
  public static int of(Node node, Set<PrimExpr> given) {
    int cost = 0;
    for (PrimExpr expr : node.exprs()) {
      cost += of(expr, given);
    }
    for (Node child : node.children()) {
      cost += of(child, given);
    }
    return cost;
  }

  private static int of(PrimExpr expr, Set<PrimExpr> given) {
    if (given.contains(expr)) {
      return 0;
    }
    if (expr instanceof BufferLoad) {
      return 1;
    }
    int cost = expr.operands().isEmpty() ? 0 : 1;
    if (expr instanceof Call call && isFunction(call.op())) {
      cost = isSmall(call) ? FUNCTION : LARGE_FUNCTION;
    }
    for (PrimExpr operand : expr.operands()) {
      cost += of(operand, given);
    }
    return cost;
  }

  /** Whether an intrinsic is a function of many instructions. */
  public static boolean isFunction(Intrinsic op) {
    return switch (op) {
      case ABS, SQRT, RSQRT, CEIL, FLOOR, NEARBYINT, TRUNC, ISNAN, ISINF, ISFINITE, IF_THEN_ELSE ->
          false;
      default -> op.rule() == Intrinsic.Rule.FLOAT || op == Intrinsic.POW;
    };
  }

  private static boolean isSmall(Call call) {
    if (!call.dtype().equals(DType.FLOAT32) && !call.dtype().equals(DType.FLOAT64)) {
      return false;
    }
    return switch (call.op()) {
      case EXP, LOG, SIGMOID -> true;
      case TANH, ERF -> call.dtype().equals(DType.FLOAT32);
      case ACOS, ASIN, ATAN -> call.dtype().equals(DType.FLOAT64);
      default -> false;
    };
  }
}
