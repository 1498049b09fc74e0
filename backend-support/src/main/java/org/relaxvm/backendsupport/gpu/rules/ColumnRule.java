package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.LoopStage;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * Reductions whose results are adjacent as what they reduce does, such as a vector times a matrix
 * and sums of columns, where there are too few results to give each work-item one of its own: a
 * work-group reduces some neighbours, each of them in parts.
 */
final class ColumnRule {
  /** Above so many results per unit of the device, each work-item reduces alone. */
  private static final long ENOUGH_EACH = 1024;

  /** Below so many elements a work-item reduces alone. */
  private static final long SHORT = 64;

  private static final int COLUMNS = 32;
  private static final int MOST_ITEMS = 1024;

  private final GpuLimits limits;

  ColumnRule(GpuLimits limits) {
    this.limits = limits;
  }

  /** The launch of a stage. */
  Optional<Stmt> of(LoopStage stage) {
    int items = limits.workGroupSize(MOST_ITEMS);
    int columns = Math.min(COLUMNS, items / 2);
    if (columns < 2
        || stage.reduction().isEmpty()
        || stage.parallel().isEmpty()
        || isAtMost(WorkGroups.extent(stage.serial()), SHORT)
        || isMore(WorkGroups.extent(stage.parallel()), ENOUGH_EACH * limits.computeUnits())
        || !alongColumns(stage)) {
      return Optional.empty();
    }
    Var workGroup = Var.index("group");
    List<Buffer> shared = new ArrayList<>();
    return WorkGroupReduction.ofColumns(stage, items / columns, columns, workGroup, shared)
        .map(
            phases ->
                WorkGroups.grid(
                    ThreadAxis.BLOCK_X,
                    workGroup,
                    WorkGroups.parts(WorkGroups.extent(stage.parallel()), columns),
                    WorkGroups.memory(shared, phases)));
  }

  private static boolean alongColumns(LoopStage stage) {
    For last = stage.parallel().getLast();
    return stage.nest().loads().stream().anyMatch(load -> load.isContiguous(last));
  }

  private static boolean isMore(PrimExpr extent, long least) {
    return extent instanceof IntImm known && known.value() > least;
  }

  private static boolean isAtMost(PrimExpr extent, long most) {
    return extent instanceof IntImm known && known.value() <= most;
  }
}
