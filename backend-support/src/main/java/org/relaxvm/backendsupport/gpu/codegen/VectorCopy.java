package org.relaxvm.backendsupport.gpu.codegen;

import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;

/**
 * A loop that copies adjacent elements in memory of the device into an array of a work-item, or out
 * of it; or from shared memory into such an array, where their number divides the index of the
 * first one.
 *
 * @param memory of the device or of the work-group
 * @param first the index of the first element
 * @param registers the array, from its start on
 * @param lanes how many elements
 * @param loads whether they come from memory
 */
record VectorCopy(Buffer memory, PrimExpr first, Buffer registers, int lanes, boolean loads) {
  /** What a loop copies; empty when it does anything else, or is not vectorized. */
  static Optional<VectorCopy> of(For loop) {
    if (loop.kind() != ForKind.VECTORIZED
        || !loop.min().equals(IntImm.of(0))
        || !(loop.extent() instanceof IntImm extent)
        || extent.value() < 1
        || extent.value() > Short.MAX_VALUE
        || !(loop.body() instanceof BufferStore store)
        || !(store.value() instanceof BufferLoad load)) {
      return Optional.empty();
    }
    Var lane = loop.loopVar();
    PrimExpr to = store.indices().getFirst();
    PrimExpr from = load.indices().getFirst();
    int lanes = (int) extent.value();
    if (isRegisters(store.buffer()) && to.equals(lane)) {
      return of(load.buffer(), from, store.buffer(), lane, lanes, true);
    }
    return isRegisters(load.buffer()) && from.equals(lane)
        ? of(store.buffer(), to, load.buffer(), lane, lanes, false)
        : Optional.empty();
  }

  private static Optional<VectorCopy> of(
      Buffer memory, PrimExpr index, Buffer registers, Var lane, int lanes, boolean loads) {
    PrimExpr next = Substitution.in(index, Map.of(lane, Exprs.add(lane, 1)));
    Analyzer analyzer = new Analyzer();
    PrimExpr step = analyzer.simplify(Exprs.sub(next, index));
    PrimExpr first = Substitution.in(index, Map.of(lane, IntImm.of(0)));
    boolean fits =
        memory.scope() == MemoryScope.GLOBAL
            || (memory.scope() == MemoryScope.SHARED
                && loads
                && analyzer.isMultipleOf(first, lanes));
    return fits && step.equals(IntImm.of(1))
        ? Optional.of(new VectorCopy(memory, first, registers, lanes, loads))
        : Optional.empty();
  }

  private static boolean isRegisters(Buffer buffer) {
    return buffer.scope() == MemoryScope.LOCAL;
  }
}
