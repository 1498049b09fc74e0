package org.relaxvm.tir.analysis;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.verify.Verifier;

/** Which loops of an unscheduled kernel have independent iterations. */
final class Independence {
  private Independence() {}

  /** The loop variables of the spatial loops of which it is proven. */
  static Set<Var> of(PrimFunc function, List<Nest> nests) {
    Set<Var> independent = new HashSet<>();
    for (Nest nest : nests) {
      if (nest.isOpaque()) {
        continue;
      }
      Set<Var> candidates = new HashSet<>();
      for (For loop : nest.spatial()) {
        boolean single = loop.extent() instanceof IntImm extent && extent.value() <= 1;
        (single ? independent : candidates).add(loop.loopVar());
      }
      try {
        List<For> unproven = Verifier.unprovenLoops(concurrent(function, candidates));
        unproven.forEach(loop -> candidates.remove(loop.loopVar()));
        independent.addAll(candidates);
      } catch (InvalidProgramException allWriteOneElement) {
        // The stage runs on one work-item.
      }
    }
    return independent;
  }

  private static PrimFunc concurrent(PrimFunc function, Set<Var> counters) {
    return new IrMutator() {
      @Override
      public Stmt rewrite(Stmt stmt) {
        Stmt changed = super.rewrite(stmt);
        return changed instanceof For loop && counters.contains(loop.loopVar())
            ? new For(
                loop.loopVar(),
                loop.min(),
                loop.extent(),
                ForKind.PARALLEL,
                Optional.empty(),
                loop.body(),
                loop.annotations())
            : changed;
      }
    }.rewrite(function);
  }
}
