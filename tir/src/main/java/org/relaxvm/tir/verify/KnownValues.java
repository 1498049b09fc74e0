package org.relaxvm.tir.verify;

import java.util.List;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Walks over a kernel with what is known of its variables at each statement: the ranges of
 * counters, the values of axes, the conditions around.
 */
abstract class KnownValues extends CheckVisitor {
  final Analyzer analyzer = new Analyzer();

  @Override
  public void visit(PrimFunc function) {
    for (Buffer buffer : function.buffers()) {
      for (PrimExpr extent : buffer.shape()) {
        if (extent instanceof Var var) {
          analyzer.markNonNegative(var);
        }
      }
    }
    super.visit(function);
  }

  @Override
  void check(Stmt stmt) {
    switch (stmt) {
      case For loop -> {
        visit(loop.min());
        visit(loop.extent());
        if (analyzer.bound(loop.extent()).max() <= 0) {
          // What never runs can do no harm, and from what cannot be anything follows.
          return;
        }
        try (Analyzer.Scope scope = analyzer.scope()) {
          bind(loop);
          visit(loop.body());
        }
      }
      case Let let -> {
        visit(let.value());
        try (Analyzer.Scope scope = analyzer.scope()) {
          if (StableFacts.isStable(let.value(), let.body())) {
            analyzer.bind(let.var(), let.value());
          }
          visit(let.body());
        }
      }
      case IfThenElse choice -> {
        visit(choice.condition());
        PrimExpr condition = choice.condition();
        where(condition, choice.whenTrue(), () -> visit(choice.whenTrue()));
        choice
            .whenFalse()
            .ifPresent(other -> where(Exprs.not(condition), other, () -> visit(other)));
      }
      case BlockRealize realize -> {
        realize.iterValues().forEach(this::visit);
        visit(realize.predicate());
        where(realize.predicate(), realize, () -> enter(realize));
      }
      default -> super.check(stmt);
    }
  }

  private void bind(For loop) {
    if (StableFacts.isStable(loop.extent(), loop.body())
        && StableFacts.isStable(loop.min(), loop.body())) {
      analyzer.bind(loop.loopVar(), new Range(loop.min(), loop.extent()));
    }
  }

  private void enter(BlockRealize realize) {
    List<IterVar> axes = realize.block().iterVars();
    for (int i = 0; i < axes.size(); i++) {
      PrimExpr value = realize.iterValues().get(i);
      if (StableFacts.isStable(value, realize)) {
        // That it lies in the domain is checked by whoever runs the block.
        analyzer.bind(axes.get(i).var(), value);
      }
    }
    visitBody(realize.block());
  }

  /** Walks a statement that runs where a condition holds, if it can. */
  private void where(PrimExpr condition, Stmt statement, Runnable walk) {
    if (condition.equals(IntImm.of(true))) {
      walk.run();
      return;
    }
    if (analyzer.canProve(Exprs.not(condition))) {
      // As with loops without iterations.
      return;
    }
    where(StableFacts.of(condition, statement), walk);
  }

  private void where(PrimExpr condition, Runnable walk) {
    if (analyzer.canProve(Exprs.not(condition))) {
      return;
    }
    try (Analyzer.Scope scope = analyzer.withConstraint(condition)) {
      // That its parts exclude each other may only show when all of them are known.
      for (PrimExpr part : Exprs.conjuncts(condition)) {
        if (analyzer.canProve(Exprs.not(part))) {
          return;
        }
      }
      walk.run();
    }
  }

  /** What runs in a block; what it says of itself is not walked through. */
  void visitBody(Block block) {
    block.allocBuffers().forEach(this::visitBufferDefinition);
    block.init().ifPresent(this::visit);
    visit(block.body());
  }

  @Override
  public void visit(PrimExpr expr) {
    if (expr instanceof Call call && call.op() == Intrinsic.IF_THEN_ELSE) {
      PrimExpr condition = call.args().get(0);
      visit(condition);
      where(condition, () -> visit(call.args().get(1)));
      where(Exprs.not(condition), () -> visit(call.args().get(2)));
    } else {
      super.visit(expr);
    }
  }
}
