package org.relaxvm.tir.analysis;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.For;

/**
 * An element that a block works on.
 *
 * @param indices in terms of the counters of loops
 */
public record Access(Buffer buffer, List<PrimExpr> indices, boolean writes) {
  /** Copies the indices. */
  public Access {
    indices = List.copyOf(indices);
  }

  /** How far apart in memory the elements of two iterations are; empty when that varies. */
  public Optional<PrimExpr> step(Var counter) {
    List<PrimExpr> strides =
        buffer.strides().isEmpty() ? Exprs.rowMajorStrides(buffer.shape()) : buffer.strides();
    if (indices.stream().anyMatch(index -> Nest.uses(index, counter) && looksUp(index, counter))) {
      return Optional.empty();
    }
    PrimExpr here = Exprs.dot(indices, strides);
    PrimExpr next = Substitution.in(here, Map.of(counter, Exprs.add(counter, 1)));
    PrimExpr step = new Analyzer().simplify(Exprs.sub(next, here));
    return Nest.uses(step, counter) ? Optional.empty() : Optional.of(step);
  }

  /** Whether the iterations of a loop work on adjacent elements. */
  public boolean isContiguous(For loop) {
    return isStep(loop, 1);
  }

  /** Whether all iterations of a loop work on one element. */
  public boolean isUniform(For loop) {
    return isStep(loop, 0);
  }

  private boolean isStep(For loop, long step) {
    return step(loop.loopVar()).filter(s -> s.equals(IntImm.of(step))).isPresent();
  }

  /** Whether two nested loops move like one over both. */
  public boolean isOneRun(For outer, For inner) {
    Optional<PrimExpr> far = step(outer.loopVar());
    Optional<PrimExpr> near = step(inner.loopVar());
    return far.isPresent()
        && near.isPresent()
        && new Analyzer().canProveEqual(far.get(), Exprs.mul(near.get(), inner.extent()));
  }

  private static boolean looksUp(PrimExpr index, Var counter) {
    return (index instanceof BufferLoad && Nest.uses(index, counter))
        || index.operands().stream().anyMatch(operand -> looksUp(operand, counter));
  }
}
