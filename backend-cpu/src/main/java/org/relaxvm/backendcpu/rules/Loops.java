package org.relaxvm.backendcpu.rules;

import java.util.List;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;

/** Steps that several rules take. */
final class Loops {
  private Loops() {}

  /** Makes a loop parallel, unless it is known to have too little to do. */
  static void parallel(Schedule schedule, Var counter) {
    Work work = Work.of(schedule.function(), counter);
    if (work.isTiny()) {
      return;
    }
    schedule.annotate(counter, Notes.GRAIN, work.grain());
    schedule.parallel(counter);
  }

  /**
   * The loop to run in lanes: its iterations are neighbours in all that is written, and in most of
   * what is read. None where an index is looked up by it.
   */
  static List<Var> lanes(Nest nest) {
    For best = null;
    long bestCount = -1;
    for (For loop : nest.contiguousInStores()) {
      boolean known = nest.loads().stream().allMatch(a -> a.step(loop.loopVar()).isPresent());
      long count = nest.loads().stream().filter(a -> a.isContiguous(loop)).count();
      if (known && count >= bestCount) {
        best = loop;
        bestCount = count;
      }
    }
    return best == null ? List.of() : List.of(best.loopVar());
  }

  /** Whether a block folds one value after the other with an operation whose order is free. */
  static boolean isPlainFold(Nest nest) {
    if (!(nest.block().body() instanceof BufferStore store)
        || !(store.value() instanceof Binary fold)) {
      return false;
    }
    BinaryOp op = fold.op();
    boolean free =
        op == BinaryOp.ADD
            || op == BinaryOp.MUL
            || op == BinaryOp.MIN
            || op == BinaryOp.MAX
            || op == BinaryOp.AND
            || op == BinaryOp.OR;
    PrimExpr own = store.buffer().load(store.indices());
    return free
        && (fold.a().equals(own) != fold.b().equals(own))
        && reads(fold.a().equals(own) ? fold.b() : fold.a(), store) == 0;
  }

  private static long reads(PrimExpr expr, BufferStore store) {
    long own = expr instanceof BufferLoad load && load.buffer().equals(store.buffer()) ? 1 : 0;
    return own + expr.operands().stream().mapToLong(operand -> reads(operand, store)).sum();
  }
}
