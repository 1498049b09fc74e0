package org.relaxvm.backendcpu.rules;

import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.analysis.Operations;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * What a loop has to do, in simple operations on one element. Loops of symbolic extent count as one
 * iteration, so this is the least that there is to do.
 *
 * @param turns iterations of the loop, or -1 when that is symbolic
 * @param perTurn operations
 * @param exact whether nothing inside is symbolic
 */
record Work(long turns, long perTurn, boolean exact) {
  /** About 10 microseconds of one thread. */
  private static final long WORTH_A_THREAD = 32768;

  private static final long MOST = 1L << 40;

  static Work of(PrimFunc function, Var counter) {
    Work[] found = new Work[1];
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof For loop && loop.loopVar().equals(counter)) {
          boolean[] exact = {true};
          long perTurn = Math.max(1, count(loop.body(), exact));
          found[0] = new Work(Nest.extentOr(loop.extent(), -1), perTurn, exact[0]);
        }
        super.visit(stmt);
      }
    }.visit(function.body());
    return found[0];
  }

  /** How many iterations are worth a thread. */
  long grain() {
    return Math.max(1, WORTH_A_THREAD / perTurn);
  }

  /** Whether it is known that one thread is enough. */
  boolean isTiny() {
    return turns >= 0 && (turns <= 1 || (exact && turns * perTurn < 2 * WORTH_A_THREAD));
  }

  private static long count(Stmt stmt, boolean[] exact) {
    return switch (stmt) {
      case For loop -> {
        exact[0] &= loop.extent() instanceof IntImm;
        long each = count(loop.body(), exact);
        yield Math.min(MOST, Nest.extentOr(loop.extent(), 1) * each);
      }
      case BlockRealize realize -> count(realize.block().body(), exact);
      case Seq seq -> seq.statements().stream().mapToLong(part -> count(part, exact)).sum();
      case IfThenElse choice -> count(choice.whenTrue(), exact);
      case Let let -> count(let.body(), exact);
      case BufferStore store -> 1 + Operations.count(store.value());
      default -> 1;
    };
  }
}
