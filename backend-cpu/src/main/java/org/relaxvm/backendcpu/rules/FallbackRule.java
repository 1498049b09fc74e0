package org.relaxvm.backendcpu.rules;

import java.util.List;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.stmt.For;

/**
 * What no other rule knows: the outermost loop in parallel where its iterations are independent.
 */
final class FallbackRule implements Rule {
  @Override
  public boolean fits(Nest nest) {
    return !nest.isOpaque() && !nest.spatial().isEmpty();
  }

  @Override
  public void apply(Schedule schedule, Nest nest) {
    List<For> spatial = nest.spatial();
    Var outermost = schedule.loops(nest.name()).getFirst();
    if (spatial.getFirst().loopVar().equals(outermost)) {
      Loops.parallel(schedule, outermost);
    }
  }
}
