package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.analysis.Groups;
import org.relaxvm.backendsupport.gpu.analysis.Stage;
import org.relaxvm.backendsupport.gpu.analysis.Uses;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.stmt.Stmt;

/** Gives each unit of a kernel to the first rule that can do with it. */
final class Launches {
  private static final int ITEMS = 256;

  private final GpuLimits limits;
  private final List<Unit> units;
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
  Launches(GpuLimits limits, List<Unit> units, List<Buffer> temporaries) {
    this.limits = limits;
    this.units = List.copyOf(units);
    this.temporaries = temporaries;
    this.rows = new RowRule(limits);
    this.contractions = new ContractionRule(limits);
    this.attention = new AttentionRule(limits);
    this.columns = new ColumnRule(limits);
    this.transposes = new TransposeRule(limits);
    this.vectors = new VectorRule(limits, limits.groupSize(ITEMS));
  }

  List<Stmt> all() {
    List<Stmt> launches = new ArrayList<>();
    int next = 0;
    while (next < units.size()) {
      next += add(next, launches);
    }
    return launches;
  }

  /** Adds a launch; how many units it covers. */
  private int add(int from, List<Stmt> launches) {
    List<Stage> stages = following(from);
    if (stages.isEmpty()) {
      launches.add(Groups.single(Plain.of(units.get(from).statement(), temporaries)));
      return 1;
    }
    Optional<Stmt> whole = attention.of(stages, (count, buffer) -> isOnlyIn(from, count, buffer));
    if (whole.isPresent()) {
      launches.add(whole.get());
      return AttentionParts.STAGES;
    }
    Optional<ContractionRule.Tiles> tiles =
        contractions.of(stages, buffer -> isOnlyIn(from, 2, buffer));
    if (tiles.isPresent()) {
      launches.addAll(tiles.get().launches());
      return tiles.get().stages();
    }
    List<Stage> beforeProducts =
        stages.stream()
            .takeWhile(stage -> contractions.of(List.of(stage), buffer -> false).isEmpty())
            .toList();
    Optional<RowRule.Rows> row = rows.of(beforeProducts, temporaries);
    if (row.isPresent()) {
      launches.add(row.get().launch());
      return row.get().stages();
    }
    Stage stage = stages.getFirst();
    launches.add(
        columns
            .of(stage)
            .or(() -> transposes.of(stage))
            .or(() -> vectors.of(stage, temporaries))
            .orElseGet(() -> ItemRule.of(stage, limits.groupSize(ITEMS), temporaries)));
    return 1;
  }

  /** The stages from an index on, up to what is none. */
  private List<Stage> following(int from) {
    return units.subList(from, units.size()).stream()
        .map(Unit::stage)
        .takeWhile(Optional::isPresent)
        .map(Optional::get)
        .toList();
  }

  /** Whether a temporary is used by no other unit than some that follow each other. */
  private boolean isOnlyIn(int from, int count, Buffer buffer) {
    if (!temporaries.contains(buffer)) {
      return false;
    }
    for (int i = 0; i < units.size(); i++) {
      boolean outside = i < from || i >= from + count;
      if (outside && Uses.of(units.get(i).statement()).contains(buffer)) {
        return false;
      }
    }
    return true;
  }
}
