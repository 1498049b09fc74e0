package org.relaxvm.backendcpu.rules;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.Runs;
import org.relaxvm.tir.schedule.Schedule;

/**
 * Each element on its own: what lies in one run in all operands becomes one loop, the run of the
 * output runs in lanes, all around it in parallel. Axes along which an operand is broadcast stay
 * apart. Where an index is looked up anew for each element, nothing runs in lanes.
 */
final class ElementwiseRule implements Rule {
  /** Elements of a piece of a single long run. */
  static final long RUN = 16384;

  @Override
  public boolean fits(Nest nest) {
    return !nest.isReduction() && !nest.isOpaque() && !nest.loops().isEmpty();
  }

  @Override
  public void apply(Schedule schedule, Nest nest) {
    String block = nest.name();
    List<Var> loops = Runs.fuse(schedule, block, schedule.loops(block));
    Nest fused = Nest.of(schedule.function(), block);
    List<Var> lanes = Loops.lanes(fused);
    if (lanes.isEmpty()) {
      Loops.parallel(schedule, Runs.fuseAll(schedule, loops));
      return;
    }
    Var lane = lanes.getFirst();
    List<Var> outer = new ArrayList<>(loops);
    outer.remove(lane);
    if (outer.isEmpty()) {
      if (Nest.extentOr(fused.loop(lane).extent(), Long.MAX_VALUE) > RUN) {
        List<Var> pieces = schedule.splitBlocks(lane, RUN);
        outer.add(pieces.get(0));
        lane = pieces.get(1);
      }
    } else if (!loops.getLast().equals(lane)) {
      List<Var> order = new ArrayList<>(outer);
      order.add(lane);
      schedule.reorder(order);
    }
    schedule.vectorize(lane);
    if (!outer.isEmpty()) {
      Loops.parallel(schedule, Runs.fuseAll(schedule, outer));
    }
  }
}
