package org.relaxvm.tir.schedule.loops;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Statements;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** A loop as two. */
public record LoopSplit(For outer, List<Var> counters) {
  public static LoopSplit of(For loop, long factor) {
    if (factor < 1) {
      throw Refusal.of(
          "to split the loop over " + loop.loopVar() + " by " + factor,
          "the inner loop needs 1 iteration or more");
    }
    if (loop.kind() != ForKind.SERIAL) {
      throw Refusal.of(
          "to split the loop over " + loop.loopVar(),
          "it is " + loop.kind().text() + " already: split it first");
    }
    Var old = loop.loopVar();
    Var outer = new Var(old.name() + "_0", old.dtype());
    Var inner = new Var(old.name() + "_1", old.dtype());
    PrimExpr innerExtent = new IntImm(old.dtype(), factor);
    PrimExpr number = Exprs.add(Exprs.mul(outer, innerExtent), inner);
    Stmt body = new Substitution(Map.of(old, Exprs.add(loop.min(), number))).rewrite(loop.body());
    if (!divides(loop.extent(), factor)) {
      PrimExpr inside = Exprs.lt(number, loop.extent());
      body = onlyBlocks(body) ? Guards.add(body, inside) : guard(inside, body);
    }
    For innerLoop = For.serial(inner, innerExtent, body);
    PrimExpr outerExtent = Exprs.ceilDiv(loop.extent(), innerExtent);
    return new LoopSplit(
        Statements.serial(outer, outerExtent, innerLoop, loop.annotations()),
        List.of(outer, inner));
  }

  private static Stmt guard(PrimExpr condition, Stmt body) {
    return new IfThenElse(condition, body, Optional.empty());
  }

  private static boolean divides(PrimExpr extent, long factor) {
    return factor == 1 || (extent instanceof IntImm known && known.value() % factor == 0);
  }

  private static boolean onlyBlocks(Stmt stmt) {
    return switch (stmt) {
      case BlockRealize block -> true;
      case For loop -> onlyBlocks(loop.body());
      case Seq seq -> seq.statements().stream().allMatch(LoopSplit::onlyBlocks);
      default -> false;
    };
  }
}
