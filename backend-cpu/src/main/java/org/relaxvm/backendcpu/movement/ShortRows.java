package org.relaxvm.backendcpu.movement;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.BlockMoves;
import org.relaxvm.backendcpu.kernel.Parallel;

/** Copies of rows so short that to begin one by one would take longer than to copy them. */
final class ShortRows {
  private static final int LONGEST = 1 << 10;
  private static final int MOST = 1 << 10;

  private ShortRows() {}

  /** Whether a walk goes over such rows. */
  static boolean fit(Sweep sweep, int bytes, Operand from, Operand to, BlockMoves moves) {
    int rank = sweep.rank();
    long row = sweep.dim(rank - 1) * bytes;
    return rank > 1
        && sweep.step(0) == bytes
        && sweep.step(1) == bytes
        && row >= moves.shortestRow()
        && row <= LONGEST
        && moves.fit(from.memory(), to.memory());
  }

  static void copy(
      @Nullable WorkerPool workers,
      Sweep sweep,
      int bytes,
      Operand from,
      Operand to,
      BlockMoves moves) {
    int axis = sweep.rank() - 2;
    int row = (int) sweep.dim(axis + 1) * bytes;
    Sweep rows = new Sweep(MOST, WideElements.of(sweep, from, 0), WideElements.of(sweep, to, 1));
    Parallel.run(
        workers,
        rows.runs(),
        rows.runLength() * sweep.dim(axis + 1),
        (first, end) -> {
          rows.new Walker()
              .walk(
                  first,
                  end,
                  (at, count) ->
                      moves.rows(
                          row,
                          from.memory(),
                          at[0],
                          rows.step(0),
                          to.memory(),
                          at[1],
                          rows.step(1),
                          count));
        });
  }
}
