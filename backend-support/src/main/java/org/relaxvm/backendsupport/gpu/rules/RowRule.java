package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.loops.BlockLowering;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Access;
import org.relaxvm.tir.analysis.LoopStage;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * Reductions along rows, and whatever works on the same rows in front of and after them, such as
 * softmax and norms: one launch, a work-group for each row, all work-items of which share the row.
 */
final class RowRule {
  private static final int MOST_STAGES = 12;

  /** Below so many elements a work-item reduces alone. */
  private static final long SHORT = 32;

  private static final int MOST_ITEMS = 256;

  private final GpuLimits limits;

  RowRule(GpuLimits limits) {
    this.limits = limits;
  }

  /**
   * A launch.
   *
   * @param stages how many it covers
   */
  record Rows(Stmt launch, int stages) {}

  /**
   * The first of these stages, as many as possible, in one launch.
   *
   * @param allocated gets buffers that blocks inside need
   */
  Optional<Rows> of(List<LoopStage> stages, List<Buffer> allocated) {
    int most = Math.min(stages.size(), MOST_STAGES);
    for (int count = most; count > 0; count--) {
      List<LoopStage> first = stages.subList(0, count);
      if (first.stream().noneMatch(stage -> isAlongRows(stage))) {
        return Optional.empty();
      }
      // What only follows the last reduction on other rows has no part in it.
      int depth = depth(first);
      if ((depth > 0 || count == 1) && first.stream().anyMatch(s -> reducesTogether(s, depth))) {
        return Optional.of(new Rows(launch(first, depth, allocated), count));
      }
    }
    return Optional.empty();
  }

  /** Whether neighbours in memory are reduced, and there are enough of them. */
  private static boolean isAlongRows(LoopStage stage) {
    return stage.reduction().isPresent()
        && !(WorkGroups.extent(stage.serial()) instanceof IntImm known && known.value() < SHORT)
        && (stage.parallel().isEmpty()
            || stage.nest().loads().stream()
                .noneMatch(load -> isReduced(load, stage) && isAlongColumns(load, stage)));
  }

  /** Whether a load reads another element in each iteration of the reduction. */
  private static boolean isReduced(Access load, LoopStage stage) {
    return !stage.serial().stream().allMatch(load::isUniform);
  }

  private static boolean isAlongColumns(Access load, LoopStage stage) {
    return load.isContiguous(stage.parallel().getLast());
  }

  private static boolean reducesTogether(LoopStage stage, int depth) {
    return isAlongRows(stage) && isFew(inner(stage, depth));
  }

  private static boolean isFew(List<For> loops) {
    return WorkGroups.extent(loops) instanceof IntImm known && known.value() <= 4;
  }

  private static List<For> inner(LoopStage stage, int depth) {
    return stage.parallel().subList(depth, stage.parallel().size());
  }

  /** How many leading loops all of these stages share, so that each iteration keeps to itself. */
  private static int depth(List<LoopStage> stages) {
    int most = stages.stream().mapToInt(stage -> leading(stage)).min().orElse(0);
    for (int depth = most; depth > 0; depth--) {
      if (haveEqualLoops(stages, depth) && keepToThemselves(stages, depth)) {
        return depth;
      }
    }
    return 0;
  }

  /** How many parallel loops come in front of all others. */
  private static int leading(LoopStage stage) {
    int leading = 0;
    List<For> loops = stage.nest().loops();
    while (leading < stage.parallel().size()
        && stage.parallel().get(leading).equals(loops.get(leading))) {
      leading++;
    }
    return leading;
  }

  private static boolean haveEqualLoops(List<LoopStage> stages, int depth) {
    List<For> first = stages.getFirst().parallel();
    for (LoopStage stage : stages) {
      for (int i = 0; i < depth; i++) {
        For loop = stage.parallel().get(i);
        if (!loop.extent().equals(first.get(i).extent())
            || !loop.min().equals(first.get(i).min())) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether all that is written along the way is only used in the same iteration of the loops. */
  private static boolean keepToThemselves(List<LoopStage> stages, int depth) {
    Set<Buffer> written = new HashSet<>();
    stages.forEach(stage -> stage.nest().stores().forEach(store -> written.add(store.buffer())));
    Map<Buffer, List<Integer>> axes = new HashMap<>();
    for (LoopStage stage : stages) {
      for (Access access : stage.nest().accesses()) {
        if (written.contains(access.buffer())) {
          List<Integer> found = rowAxes(stage, access, depth);
          if (found.isEmpty()
              || !found.equals(axes.computeIfAbsent(access.buffer(), buffer -> found))) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** For each of the leading loops, the axis along which it alone moves; none unless all do. */
  private static List<Integer> rowAxes(LoopStage stage, Access access, int depth) {
    List<Integer> axes = new ArrayList<>();
    for (int i = 0; i < depth; i++) {
      int axis = access.indices().indexOf(stage.parallel().get(i).loopVar());
      if (axis < 0) {
        return List.of();
      }
      axes.add(axis);
    }
    return axes;
  }

  private Stmt launch(List<LoopStage> stages, int depth, List<Buffer> allocated) {
    List<For> rows = stages.getFirst().parallel().subList(0, depth);
    PrimExpr longest = IntImm.of(1);
    for (LoopStage stage : stages) {
      PrimExpr work =
          Exprs.mul(WorkGroups.extent(inner(stage, depth)), WorkGroups.extent(stage.serial()));
      longest = work instanceof IntImm ? Exprs.max(longest, work) : IntImm.of(MOST_ITEMS);
    }
    int items = WorkGroups.workGroupSize(longest, limits.workGroupSize(MOST_ITEMS));
    Var row = Var.index("row");
    Map<Var, PrimExpr> counters = WorkGroups.counters(rows, row);
    List<Buffer> shared = new ArrayList<>();
    List<Stmt> phases = new ArrayList<>();
    for (LoopStage stage : stages) {
      Map<Var, PrimExpr> here = new HashMap<>();
      for (int i = 0; i < depth; i++) {
        PrimExpr value = counters.get(rows.get(i).loopVar());
        here.put(stage.parallel().get(i).loopVar(), value == null ? row : value);
      }
      Stmt phase = phase(stage, depth, items, shared, allocated);
      phases.add(new Substitution(here).rewrite(phase));
    }
    Stmt body = Seq.of(phases);
    return WorkGroups.grid(
        ThreadAxis.BLOCK_X,
        row,
        WorkGroups.extent(rows),
        shared.isEmpty() ? body : WorkGroups.memory(shared, body));
  }

  private Stmt phase(
      LoopStage stage, int depth, int items, List<Buffer> shared, List<Buffer> allocated) {
    List<For> inner = inner(stage, depth);
    if (reducesTogether(stage, depth)) {
      Optional<Stmt> together = WorkGroupReduction.of(stage, items, shared);
      if (together.isPresent()) {
        return ItemRule.loops(inner, together.get());
      }
    }
    PrimExpr total = WorkGroups.extent(inner);
    Stmt body = BlockLowering.of(ItemRule.body(stage), allocated);
    Var index = Var.index("i");
    Var iteration = Var.index("turn");
    return WorkGroups.phase(
        items,
        item ->
            For.serial(
                iteration,
                WorkGroups.parts(total, items),
                new Let(
                    index,
                    Exprs.add(Exprs.mul(iteration, items), item),
                    WorkGroups.guarded(
                        Exprs.lt(index, total), WorkGroups.at(inner, index, body)))));
  }

  /** Whether a stage reads what another one gives. */
  static boolean reads(Nest nest, Buffer buffer) {
    return nest.accesses().stream().anyMatch(access -> access.buffer().equals(buffer));
  }
}
