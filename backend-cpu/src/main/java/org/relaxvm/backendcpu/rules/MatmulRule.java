package org.relaxvm.backendcpu.rules;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.Runs;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.stmt.For;

/**
 * Matrix products and what is like them: columns in lanes, and four rows at once for each row of
 * the second matrix that is read. Rows that are left share blocks of columns among threads, as a
 * product with a single row does.
 */
final class MatmulRule implements Rule {
  private static final long ROWS = 4;
  private static final long COLUMNS = 512;

  @Override
  public boolean fits(Nest nest) {
    return nest.isReduction() && !nest.isOpaque() && !rows(nest).isEmpty();
  }

  /** The innermost loop along which something is read again that moves along the columns. */
  private static List<Var> rows(Nest nest) {
    List<Var> columns = ColumnReductionRule.columns(nest);
    if (columns.isEmpty()) {
      return columns;
    }
    For column = nest.loop(columns.getFirst());
    for (For loop : nest.spatial().reversed()) {
      if (!loop.equals(column)
          && nest.loads().stream().anyMatch(a -> a.isContiguous(column) && a.isUniform(loop))) {
        return List.of(loop.loopVar());
      }
    }
    return List.of();
  }

  @Override
  public void apply(Schedule schedule, Nest nest) {
    String block = nest.name();
    Var row = rows(nest).getFirst();
    Var column = ColumnReductionRule.columns(nest).getFirst();
    List<Var> outer = new ArrayList<>(nest.spatial().stream().map(For::loopVar).toList());
    outer.removeAll(List.of(row, column));
    List<Var> depth = nest.reduction().stream().map(For::loopVar).toList();
    List<Var> order = new ArrayList<>(outer);
    order.addAll(List.of(row, column));
    order.addAll(depth);
    schedule.reorder(order);
    if (nest.block().init().isPresent()) {
      String init = schedule.decomposeReduction(block, schedule.loops(block).getFirst());
      new ElementwiseRule().apply(schedule, Nest.of(schedule.function(), init));
    }
    boolean few = Nest.extentOr(nest.loop(row).extent(), ROWS) < ROWS;
    if (few) {
      fewRows(schedule, block, outer, row, column);
      return;
    }
    List<Var> parts = schedule.splitRemainder(row, ROWS);
    List<Var> tile = new ArrayList<>(List.of(column));
    tile.addAll(depth);
    tile.add(parts.get(1));
    schedule.reorder(tile);
    schedule.unroll(parts.get(1));
    schedule.vectorize(column);
    if (!outer.isEmpty()) {
      if (parts.size() > 2) {
        schedule.vectorize(columnOfRest(schedule, block, depth));
      }
      Loops.parallel(schedule, Runs.fuseAll(schedule, outer));
      return;
    }
    Loops.parallel(schedule, parts.get(0));
    if (parts.size() > 2) {
      List<Var> rest = schedule.loops(block + "_rest");
      fewRows(schedule, block + "_rest", List.of(), rest.get(0), rest.get(1));
    }
  }

  private static Var columnOfRest(Schedule schedule, String block, List<Var> depth) {
    List<Var> rest = schedule.loops(block + "_rest");
    return rest.get(rest.size() - depth.size() - 1);
  }

  /**
   * Blocks of columns outside of the rows. They and what is around them are concurrent; where their
   * number only shows in a call, only one of the two, since it cannot be shown of both together.
   */
  private static void fewRows(
      Schedule schedule, String name, List<Var> outer, Var row, Var column) {
    List<Var> blocks = schedule.splitBlocks(column, COLUMNS);
    Var block = blocks.getFirst();
    schedule.reorder(List.of(block, row));
    schedule.vectorize(blocks.get(1));
    Nest nest = Nest.of(schedule.function(), name);
    List<Var> shared = new ArrayList<>(outer);
    if (nest.loop(block).extent() instanceof IntImm) {
      shared.add(block);
    } else if (outer.stream().allMatch(loop -> nest.loop(loop).extent().equals(IntImm.of(1)))) {
      List<Var> order = new ArrayList<>(List.of(block));
      order.addAll(outer);
      schedule.reorder(order);
      shared = List.of(block);
    }
    Loops.parallel(schedule, Runs.fuseAll(schedule, shared));
  }
}
