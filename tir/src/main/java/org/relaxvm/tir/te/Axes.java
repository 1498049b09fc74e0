package org.relaxvm.tir.te;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/**
 * The axes of a block with a serial loop around it for each.
 *
 * @param loopVars the counters of the loops, which are the values of the axes
 */
record Axes(List<IterVar> iterVars, List<Var> loopVars) {
  static Axes none() {
    return new Axes(List.of(), List.of());
  }

  /** Axes from 0 on, named by a letter and a number. */
  static Axes of(List<? extends PrimExpr> extents, String letter, IterKind kind) {
    List<IterVar> iterVars = new ArrayList<>();
    List<Var> loopVars = new ArrayList<>();
    for (int i = 0; i < extents.size(); i++) {
      loopVars.add(Var.index(letter + i));
      Range domain = new Range(IntImm.of(0), extents.get(i));
      iterVars.add(new IterVar(Var.index("v_" + letter + i), domain, kind));
    }
    return new Axes(iterVars, loopVars);
  }

  /** These, then others within. */
  Axes and(Axes others) {
    List<IterVar> allIterVars = new ArrayList<>(iterVars);
    allIterVars.addAll(others.iterVars);
    List<Var> allLoopVars = new ArrayList<>(loopVars);
    allLoopVars.addAll(others.loopVars);
    return new Axes(allIterVars, allLoopVars);
  }

  /** The point where a block is. */
  List<PrimExpr> points() {
    return iterVars.stream().<PrimExpr>map(IterVar::var).toList();
  }

  /** The block within its loops. */
  Stmt loops(Block block) {
    Stmt body = BlockRealize.always(block, loopVars);
    for (int i = loopVars.size() - 1; i >= 0; i--) {
      body = For.serial(loopVars.get(i), iterVars.get(i).domain().extent(), body);
    }
    return body;
  }
}
