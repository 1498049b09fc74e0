package org.relaxvm.tir.schedule;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.For;

/** Makes one loop of several. */
public final class Runs {
  private Runs() {}

  /**
   * Fuses neighbours among loops where that makes one run in memory for all operands.
   *
   * @param counters of loops that are nested in each other with nothing between them
   * @return those that are left, from the outside in
   */
  public static List<Var> fuse(Schedule schedule, String block, List<Var> counters) {
    List<Var> left = new ArrayList<>(counters);
    for (int i = left.size() - 2; i >= 0; i--) {
      Nest nest = Nest.of(schedule.function(), block);
      For outer = nest.loop(left.get(i));
      For inner = nest.loop(left.get(i + 1));
      boolean plain =
          !nest.valueUses().contains(outer.loopVar())
              && !nest.valueUses().contains(inner.loopVar());
      if (plain && nest.accesses().stream().allMatch(a -> a.isOneRun(outer, inner))) {
        Var fused = schedule.fuse(outer.loopVar(), inner.loopVar());
        left.subList(i, i + 2).clear();
        left.add(i, fused);
      }
    }
    return left;
  }

  /** Fuses all of these loops, which are nested in each other with nothing between them. */
  public static Var fuseAll(Schedule schedule, List<Var> counters) {
    Var fused = counters.getFirst();
    for (Var next : counters.subList(1, counters.size())) {
      fused = schedule.fuse(fused, next);
    }
    return fused;
  }
}
