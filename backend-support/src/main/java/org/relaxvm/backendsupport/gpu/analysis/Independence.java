package org.relaxvm.backendsupport.gpu.analysis;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.analysis.Stages;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.verify.Verifier;

/** Which loops of a kernel may run their iterations at the same time. */
public final class Independence {
  private Independence() {}

  /** The counters of the loops along spatial axes of which it can be shown. */
  public static Set<Var> of(PrimFunc function) {
    Set<Var> independent = new HashSet<>();
    for (String name : Stages.of(function)) {
      Nest nest = Nest.of(function, name);
      if (nest.isOpaque()) {
        continue;
      }
      Set<Var> candidates = new HashSet<>();
      for (For loop : nest.spatial()) {
        boolean single = loop.extent() instanceof IntImm turns && turns.value() <= 1;
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
