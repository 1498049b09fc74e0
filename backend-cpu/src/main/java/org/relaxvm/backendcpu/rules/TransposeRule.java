package org.relaxvm.backendcpu.rules;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.analysis.Access;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.Runs;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.stmt.For;

/**
 * What is written along one axis and read along another: in tiles, so that lines of memory that are
 * read are used while they are near. The outer loop of a tile moves along the input, the inner one
 * along the output.
 */
final class TransposeRule implements Rule {
  /**
   * Bytes of a run that is read: long enough for the CPU to fetch it ahead, short enough that the
   * pages written meanwhile, one an element, stay known. Runs of 512 bytes take twice as long for a
   * float32 matrix of 4096 by 4096, runs of 16 KiB too.
   */
  private static final long READ_BYTES = 2048;

  /**
   * Elements of a run that is written: whole lines of memory, several since the CPU fetches pairs.
   */
  private static final long WRITTEN_TILE = 64;

  /** Matrices: with fewer of them, threads share each one. */
  private static final long FEW = 16;

  private final boolean fuses;

  /**
   * The rule.
   *
   * @param fuses whether all loops around tiles become one, of which it is harder to show that its
   *     iterations are independent
   */
  TransposeRule(boolean fuses) {
    this.fuses = fuses;
  }

  @Override
  public boolean fits(Nest nest) {
    return !nest.isReduction() && !nest.isOpaque() && !axes(nest).isEmpty();
  }

  /** The loop along the input and the one along the output. */
  private static List<For> axes(Nest nest) {
    for (For written : nest.contiguousInStores()) {
      for (Access load : nest.loads()) {
        if (load.isContiguous(written) || load.isUniform(written)) {
          continue;
        }
        for (For read : nest.spatial()) {
          if (load.isContiguous(read) && load.step(written.loopVar()).isPresent()) {
            return List.of(read, written);
          }
        }
      }
    }
    return List.of();
  }

  @Override
  public void apply(Schedule schedule, Nest nest) {
    List<Var> axes = axes(nest).stream().map(For::loopVar).toList();
    List<Var> outer = new ArrayList<>(schedule.loops(nest.name()));
    outer.removeAll(axes);
    List<Var> order = new ArrayList<>(outer);
    order.addAll(axes);
    schedule.reorder(order);
    long readTile = READ_BYTES / nest.stores().getFirst().buffer().dtype().elementByteSize();
    List<Var> read = schedule.splitBlocks(axes.get(0), readTile);
    List<Var> written = schedule.splitBlocks(axes.get(1), WRITTEN_TILE);
    schedule.reorder(List.of(read.get(0), written.get(0), read.get(1), written.get(1)));
    schedule.annotate(read.get(1), Notes.TILE_TRANSPOSE, true);
    schedule.vectorize(written.get(1));
    if (fuses) {
      outer.add(read.get(0));
      Loops.parallel(schedule, Runs.fuseAll(schedule, outer));
    } else if (outer.isEmpty()) {
      Loops.parallel(schedule, read.get(0));
    } else {
      // Indices computed from a fused counter of symbolic loops cannot be shown to be in bounds.
      Var around = outer.getFirst();
      Nest tiled = Nest.of(schedule.function(), nest.name());
      if (Nest.extentOr(tiled.loop(around).extent(), Long.MAX_VALUE) < FEW) {
        schedule.reorder(List.of(read.get(0), around));
        around = read.get(0);
      }
      Loops.parallel(schedule, around);
    }
  }
}
