package org.relaxvm.backendcpu.codegen.cost;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.PrimExpr;

/** Finds parts of an expression that become methods, where it is too long for one. */
public final class Splitting {
  private static final long PART = CodeSize.LIMIT / 2;

  private Splitting() {}

  /** The parts that are in no other part, which are split in turn; none of short expressions. */
  public static List<PrimExpr> of(PrimExpr expr) {
    List<PrimExpr> parts = new ArrayList<>();
    if (CodeSize.of(expr) > CodeSize.LIMIT) {
      expr.operands().forEach(operand -> size(operand, parts));
    }
    return parts;
  }

  /** How long an expression is without its parts. */
  private static long size(PrimExpr expr, List<PrimExpr> parts) {
    List<PrimExpr> inside = new ArrayList<>();
    long size = CodeSize.PER_EXPRESSION;
    for (PrimExpr operand : expr.operands()) {
      size += size(operand, inside);
    }
    if (size > PART) {
      parts.add(expr);
      return CodeSize.PER_EXPRESSION;
    }
    parts.addAll(inside);
    return size;
  }
}
