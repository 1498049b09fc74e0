package org.relaxvm.backendcpu.codegen.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.backendcpu.codegen.emit.ScalarEmitter.Local;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** Computes once what occurs several times in an expression. */
final class SharedValues {
  private SharedValues() {}

  /**
   * What occurs several times where it is evaluated in any case, inner expressions first, and is
   * not a part of what is known.
   */
  static List<PrimExpr> of(ScalarEmitter scalars, PrimExpr expr) {
    Map<PrimExpr, Integer> counts = new LinkedHashMap<>();
    count(scalars, expr, counts);
    List<PrimExpr> shared = new ArrayList<>();
    counts.forEach(
        (part, count) -> {
          if (count > 1) {
            shared.add(part);
          }
        });
    return shared;
  }

  private static void count(ScalarEmitter scalars, PrimExpr expr, Map<PrimExpr, Integer> counts) {
    if (expr instanceof Var
        || expr instanceof IntImm
        || expr instanceof FloatImm
        || scalars.knows(expr)) {
      return;
    }
    if (counts.containsKey(expr)) {
      counts.merge(expr, 1, Integer::sum);
      return;
    }
    if (expr instanceof Call call && call.op() == Intrinsic.IF_THEN_ELSE) {
      count(scalars, call.args().getFirst(), counts);
    } else if (!(expr instanceof BufferLoad)) {
      expr.operands().forEach(operand -> count(scalars, operand, counts));
    }
    counts.put(expr, 1);
  }

  /** Leaves the value of an expression on the stack as a scalar. */
  static void emit(ScalarEmitter scalars, PrimExpr expr) {
    Map<PrimExpr, Local> made = new HashMap<>();
    for (PrimExpr part : of(scalars, expr)) {
      Local local = scalars.newLocal(JvmKind.of(part.dtype()));
      scalars.emit(part);
      scalars.store(local);
      scalars.know(part, local);
      made.put(part, local);
    }
    scalars.emit(expr);
    made.keySet().forEach(scalars::forget);
  }
}
