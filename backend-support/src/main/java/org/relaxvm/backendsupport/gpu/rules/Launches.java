package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.loops.BlockLowering;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Attention;
import org.relaxvm.tir.analysis.LoopStage;
import org.relaxvm.tir.analysis.Stage;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.stmt.Stmt;

/** Gives each stage of a kernel to the first rule that applies. */
final class Launches {
  private static final int ITEMS = 256;

  private final GpuLimits limits;
  private final List<Stage> stages;
  private final List<Buffer> temporaries;
  private final RowRule rows;
  private final ContractionRule contractions;
  private final AttentionRule attention;
  private final ColumnRule columns;
  private final TransposeRule transposes;
  private final VectorRule vectors;

  /**
   * The launches of a kernel.
   *
   * @param temporaries gets buffers that blocks inside need
   */
  Launches(GpuLimits limits, List<Stage> stages, List<Buffer> temporaries) {
    this.limits = limits;
    this.stages = List.copyOf(stages);
    this.temporaries = temporaries;
    this.rows = new RowRule(limits);
    this.contractions = new ContractionRule(limits);
    this.attention = new AttentionRule(limits);
    this.columns = new ColumnRule(limits);
    this.transposes = new TransposeRule(limits);
    this.vectors = new VectorRule(limits, limits.workGroupSize(ITEMS));
  }

  List<Stmt> all() {
    List<Stmt> launches = new ArrayList<>();
    int next = 0;
    while (next < stages.size()) {
      next += add(next, launches);
    }
    return launches;
  }

  /** Adds a launch, and returns how many stages it covers. */
  private int add(int from, List<Stmt> launches) {
    List<LoopStage> next = following(from);
    if (next.isEmpty()) {
      launches.add(WorkGroups.single(BlockLowering.of(stages.get(from).statement(), temporaries)));
      return 1;
    }
    Optional<Stmt> whole = attention.of(next, (count, buffer) -> isOnlyIn(from, count, buffer));
    if (whole.isPresent()) {
      launches.add(whole.get());
      return Attention.STAGES;
    }
    Optional<ContractionRule.Tiles> tiles =
        contractions.of(next, buffer -> isOnlyIn(from, 2, buffer));
    if (tiles.isPresent()) {
      launches.addAll(tiles.get().launches());
      return tiles.get().stages();
    }
    List<LoopStage> beforeGemms =
        next.stream()
            .takeWhile(stage -> contractions.of(List.of(stage), buffer -> false).isEmpty())
            .toList();
    Optional<RowRule.Rows> row = rows.of(beforeGemms, temporaries);
    if (row.isPresent()) {
      launches.add(row.get().launch());
      return row.get().stages();
    }
    LoopStage stage = next.getFirst();
    launches.add(
        columns
            .of(stage)
            .or(() -> transposes.of(stage))
            .or(() -> vectors.of(stage, temporaries))
            .orElseGet(() -> ItemRule.of(stage, limits.workGroupSize(ITEMS), temporaries)));
    return 1;
  }

  /** The loop stages from an index on, up to the first other stage. */
  private List<LoopStage> following(int from) {
    return stages.subList(from, stages.size()).stream()
        .takeWhile(LoopStage.class::isInstance)
        .map(LoopStage.class::cast)
        .toList();
  }

  /** Whether a temporary is used by no other stages than some adjacent ones. */
  private boolean isOnlyIn(int from, int count, Buffer buffer) {
    if (!temporaries.contains(buffer)) {
      return false;
    }
    for (int i = 0; i < stages.size(); i++) {
      boolean outside = i < from || i >= from + count;
      if (outside && stages.get(i).uses(buffer)) {
        return false;
      }
    }
    return true;
  }
}
