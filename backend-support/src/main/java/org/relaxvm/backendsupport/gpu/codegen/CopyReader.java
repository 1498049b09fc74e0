package org.relaxvm.backendsupport.gpu.codegen;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Stmt;

/** Finds out which statements are copies to shared memory. */
final class CopyReader {
  /**
   * A copy of neighbours, and zeros after them.
   *
   * @param count how many there are; empty where it is all of them
   */
  record Found(
      Buffer to,
      PrimExpr toIndex,
      Buffer from,
      PrimExpr fromIndex,
      int lanes,
      Optional<PrimExpr> count) {}

  private final @Nullable Var lane;
  private final int lanes;
  private final Analyzer analyzer = new Analyzer();
  private PrimExpr always = IntImm.of(true);
  private @Nullable PrimExpr room;
  private boolean sound = true;

  private CopyReader(@Nullable Var lane, int lanes) {
    this.lane = lane;
    this.lanes = lanes;
  }

  /** What a statement copies; empty when it does anything else. */
  static Optional<Found> of(Stmt stmt) {
    if (stmt instanceof BufferStore store) {
      return new CopyReader(null, 1).read(store);
    }
    return stmt instanceof For loop
            && loop.kind() == ForKind.VECTORIZED
            && loop.min().equals(IntImm.of(0))
            && loop.extent() instanceof IntImm extent
            && extent.value() > 0
            && extent.value() <= Short.MAX_VALUE
            && loop.body() instanceof BufferStore store
        ? new CopyReader(loop.loopVar(), (int) extent.value()).read(store)
        : Optional.empty();
  }

  private Optional<Found> read(BufferStore store) {
    PrimExpr value = store.value();
    while (value instanceof Call call
        && call.op() == Intrinsic.IF_THEN_ELSE
        && call.args().get(2) instanceof FloatImm other
        && Double.doubleToLongBits(other.value()) == 0) {
      Exprs.conjuncts(call.args().getFirst()).forEach(this::take);
      value = call.args().get(1);
    }
    PrimExpr to = store.indices().getFirst();
    if (!sound
        || !(value instanceof BufferLoad load)
        || load.buffer().scope() != MemoryScope.GLOBAL
        || store.buffer().scope() != MemoryScope.SHARED
        || looksUp(load.indices().getFirst())
        || !isStep(load.indices().getFirst(), 1)
        || !isStep(to, 1)
        || !analyzer.isMultipleOf(first(to), lanes)) {
      return Optional.empty();
    }
    return Optional.of(
        new Found(
            store.buffer(),
            first(to),
            load.buffer(),
            first(load.indices().getFirst()),
            lanes,
            count()));
  }

  /** A condition: one of all elements, or that an element is in front of an end. */
  private void take(PrimExpr condition) {
    if (lane == null || !Nest.uses(condition, lane)) {
      always = Exprs.and(always, condition);
    } else if (room == null
        && condition instanceof Binary(BinaryOp op, PrimExpr index, PrimExpr end)
        && op == BinaryOp.LT
        && index.dtype().equals(DType.INT64)
        && isStep(index, 1)
        && !Nest.uses(end, lane)) {
      room = Exprs.sub(end, first(index));
    } else {
      sound = false;
    }
  }

  private Optional<PrimExpr> count() {
    PrimExpr some = IntImm.of(lanes);
    if (room != null) {
      some = Exprs.min(some, Exprs.max(IntImm.of(0), room));
    }
    if (!always.equals(IntImm.of(true))) {
      some = Exprs.select(always, some, IntImm.of(0));
    }
    return some.equals(IntImm.of(lanes)) ? Optional.empty() : Optional.of(some);
  }

  private PrimExpr first(PrimExpr index) {
    return lane == null ? index : Substitution.in(index, Map.of(lane, IntImm.of(0)));
  }

  private boolean isStep(PrimExpr index, long step) {
    if (lane == null) {
      return true;
    }
    PrimExpr next = Substitution.in(index, Map.of(lane, Exprs.add(lane, 1)));
    return analyzer.simplify(Exprs.sub(next, index)).equals(IntImm.of(step));
  }

  private static boolean looksUp(PrimExpr expr) {
    return expr instanceof BufferLoad || expr.operands().stream().anyMatch(CopyReader::looksUp);
  }
}
