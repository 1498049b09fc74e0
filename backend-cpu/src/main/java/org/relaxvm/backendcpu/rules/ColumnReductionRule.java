package org.relaxvm.backendcpu.rules;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.Runs;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.stmt.For;

/**
 * A reduction over outer axes: columns in lanes, with several iterations of the reduction for each
 * time that a result is loaded and stored. The loops around run in parallel, or blocks of columns
 * where there are none or few.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "How are column sums blocked?"
 */
final class ColumnReductionRule implements Rule {
  private static final long COLUMNS = 2048;
  private static final long TURNS = 8;

  /** Places around the columns: with fewer of them, threads share the columns. */
  private static final long FEW = 16;

  @Override
  public boolean fits(Nest nest) {
    return nest.isReduction() && !nest.isOpaque() && !columns(nest).isEmpty();
  }

  /** The loop over columns, if there is one along which no operand is read with gaps. */
  static List<Var> columns(Nest nest) {
    List<Var> lanes = Loops.lanes(nest);
    if (lanes.isEmpty()) {
      return lanes;
    }
    For loop = nest.loop(lanes.getFirst());
    boolean plain = nest.loads().stream().allMatch(a -> a.isContiguous(loop) || a.isUniform(loop));
    return plain && nest.loads().stream().anyMatch(a -> a.isContiguous(loop)) ? lanes : List.of();
  }

  @Override
  public void apply(Schedule schedule, Nest nest) {
    String block = nest.name();
    Var column = columns(nest).getFirst();
    List<Var> outer = new ArrayList<>(nest.spatial().stream().map(For::loopVar).toList());
    outer.remove(column);
    List<Var> depth = new ArrayList<>(nest.reduction().stream().map(For::loopVar).toList());
    List<Var> order = new ArrayList<>(outer);
    order.add(column);
    order.addAll(depth);
    schedule.reorder(order);
    boolean few =
        outer.stream().mapToLong(v -> turns(nest, v)).reduce(1, ColumnReductionRule::times) < FEW;
    if (few && turns(nest, column) > COLUMNS) {
      List<Var> blocks = schedule.splitBlocks(column, COLUMNS);
      outer.addFirst(blocks.get(0));
      schedule.reorder(outer);
      outer = List.of(blocks.get(0));
      column = blocks.get(1);
    }
    if (nest.block().init().isPresent()) {
      schedule.vectorize(schedule.loops(schedule.decomposeReduction(block, column)).getLast());
    }
    inLanes(schedule, block, column, depth);
    if (!outer.isEmpty()) {
      Loops.parallel(schedule, Runs.fuseAll(schedule, outer));
    }
  }

  private static long turns(Nest nest, Var counter) {
    return Nest.extentOr(nest.loop(counter).extent(), Long.MAX_VALUE);
  }

  /** The product, or the largest number. */
  private static long times(long a, long b) {
    return a != 0 && b > Long.MAX_VALUE / a ? Long.MAX_VALUE : a * b;
  }

  private static void inLanes(Schedule schedule, String block, Var column, List<Var> depth) {
    Var last = depth.getLast();
    List<Var> order = new ArrayList<>(depth);
    order.add(column);
    schedule.reorder(order);
    // A short reduction stays in registers anyhow.
    if (Nest.extentOr(Nest.of(schedule.function(), block).loop(last).extent(), TURNS) >= TURNS) {
      List<Var> parts = schedule.splitRemainder(last, TURNS);
      schedule.reorder(List.of(parts.get(0), column, parts.get(1)));
      schedule.unroll(parts.get(1));
      if (parts.size() > 2) {
        schedule.vectorize(schedule.loops(block + "_rest").getLast());
      }
    } else {
      schedule.reorder(List.of(column, last));
      schedule.unroll(last);
    }
    schedule.vectorize(column);
  }
}
