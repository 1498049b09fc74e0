package org.relaxvm.backendcpu.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.Attempt;
import org.relaxvm.tir.schedule.Runs;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.stmt.For;

/**
 * Reductions along rows, and whatever works on the same rows in front of and after them: softmax,
 * norms. All stages of a row follow each other in one parallel loop over rows, so that the row
 * stays near. The reduction may add up in lanes.
 *
 * <p>A reduction over all axes has no rows; it runs on one thread, with lanes.
 */
final class RowPasses {
  private static final int MOST_STAGES = 10;

  private RowPasses() {}

  /**
   * A kernel with the first of these stages merged, as many as possible.
   *
   * @param kernel the result
   * @param stages how many
   */
  record Merged(PrimFunc kernel, int stages) {}

  /** Merges the first stages, if there is a reduction along rows among them. */
  static Optional<Merged> of(PrimFunc function, List<Nest> stages, Attempt attempt) {
    List<Nest> nests = new ArrayList<>();
    for (Nest nest : stages.subList(0, Math.min(stages.size(), MOST_STAGES))) {
      if (nest.isOpaque() || (nest.isReduction() && !isAlongRows(nest))) {
        break;
      }
      nests.add(nest);
    }
    for (int count = nests.size(); count > 0; count--) {
      List<Nest> first = nests.subList(0, count);
      if (first.stream().noneMatch(RowPasses::isAlongRows)) {
        return Optional.empty();
      }
      int most = first.stream().mapToInt(RowPasses::leading).min().orElse(0);
      for (int depth = most; depth >= (count > 1 ? 1 : most); depth--) {
        int rows = depth;
        Optional<PrimFunc> merged = attempt.on(function, schedule -> merge(schedule, first, rows));
        if (merged.isPresent()) {
          return Optional.of(new Merged(merged.get(), count));
        }
      }
    }
    return Optional.empty();
  }

  /** Whether a reduction moves through memory element by element. */
  private static boolean isAlongRows(Nest nest) {
    return nest.isReduction()
        && !nest.reduction().isEmpty()
        && ColumnReductionRule.columns(nest).isEmpty()
        && nest.loads().stream().anyMatch(load -> load.isContiguous(nest.reduction().getLast()));
  }

  /** How many loops come in front of the first one of the reduction. */
  private static int leading(Nest nest) {
    List<For> spatial = nest.spatial();
    int leading = 0;
    while (leading < spatial.size() && spatial.get(leading).equals(nest.loops().get(leading))) {
      leading++;
    }
    return leading;
  }

  private static void merge(Schedule schedule, List<Nest> nests, int depth) {
    List<Var> rows = new ArrayList<>();
    for (Nest nest : nests) {
      String block = nest.name();
      if (depth > 0) {
        rows.add(Runs.fuseAll(schedule, schedule.loops(block).subList(0, depth)));
      }
      List<Var> loops = schedule.loops(block);
      List<Var> inside = loops.subList(Math.min(1, depth), loops.size());
      if (nest.isReduction()) {
        reduce(schedule, block, inside);
      } else if (!inside.isEmpty()) {
        inLanes(schedule, block, Runs.fuse(schedule, block, inside));
      }
    }
    if (rows.size() > 1) {
      Loops.parallel(schedule, schedule.merge(rows));
    } else if (!rows.isEmpty()) {
      Loops.parallel(schedule, rows.getFirst());
    }
  }

  private static void reduce(Schedule schedule, String block, List<Var> inside) {
    Nest nest = Nest.of(schedule.function(), block);
    List<Var> depth =
        new ArrayList<>(
            inside.stream().filter(v -> nest.reduction().contains(nest.loop(v))).toList());
    depth = Runs.fuse(schedule, block, depth);
    if (nest.block().init().isPresent()) {
      schedule.decomposeReduction(block, depth.getFirst());
    }
    Nest now = Nest.of(schedule.function(), block);
    For last = now.loop(depth.getLast());
    if (Loops.isPlainFold(now)
        && now.stores().stream().allMatch(store -> store.isUniform(last))
        && now.loads().stream().allMatch(a -> a.isContiguous(last) || a.isUniform(last))) {
      schedule.annotate(last.loopVar(), Notes.REDUCE_LANES, true);
    }
  }

  private static void inLanes(Schedule schedule, String block, List<Var> inside) {
    Nest nest = Nest.of(schedule.function(), block);
    List<Var> lanes = Loops.lanes(nest).stream().filter(inside::contains).toList();
    if (lanes.isEmpty()) {
      return;
    }
    Var lane = lanes.getFirst();
    if (!inside.getLast().equals(lane)) {
      List<Var> order = new ArrayList<>(inside);
      order.remove(lane);
      order.add(lane);
      schedule.reorder(order);
    }
    schedule.vectorize(lane);
  }
}
