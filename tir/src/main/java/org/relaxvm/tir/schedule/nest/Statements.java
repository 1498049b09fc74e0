package org.relaxvm.tir.schedule.nest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Makes the statements that primitives produce. */
public final class Statements {
  private Statements() {}

  /** Whether an expression depends on a variable. */
  @SuppressWarnings("ReferenceEquality") // of variables that is equality
  public static boolean uses(PrimExpr expr, Var var) {
    return expr == var || expr.operands().stream().anyMatch(operand -> uses(operand, var));
  }

  /** A loop with another body. */
  public static For with(For loop, Stmt body) {
    return new For(
        loop.loopVar(),
        loop.min(),
        loop.extent(),
        loop.kind(),
        loop.thread(),
        body,
        loop.annotations());
  }

  /** A serial loop from 0 with annotations. */
  public static For serial(
      Var counter, PrimExpr extent, Stmt body, Map<String, Object> annotations) {
    return For.serial(counter, extent, body).withAnnotations(annotations);
  }

  /** Statements one after the other, without sequences in sequences. */
  public static Stmt sequence(List<Stmt> statements) {
    List<Stmt> flat = new ArrayList<>();
    for (Stmt stmt : statements) {
      if (stmt instanceof Seq seq) {
        flat.addAll(seq.statements());
      } else {
        flat.add(stmt);
      }
    }
    return Seq.of(flat);
  }
}
