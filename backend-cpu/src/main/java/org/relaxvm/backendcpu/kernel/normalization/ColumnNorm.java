package org.relaxvm.backendcpu.kernel.normalization;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.Parallel;

/**
 * Hands out normalizations of adjacent lines. Where there are few runs of lines, threads share each
 * of them: its statistics are those of pieces, which only the shape cuts, so that results do not
 * depend on the number of threads.
 */
final class ColumnNorm<A> {
  private static final long COST_PER_ELEMENT = 4;
  private static final long PIECE = 1 << 14;
  private static final long MANY = 16;

  private final @Nullable WorkerPool workers;
  private final ColumnLayout layout;
  private final Supplier<ColumnPass<A>> passes;
  private final long runs;
  private final long runsOfPiece;
  private final long pieces;
  private final long costOfPiece;

  ColumnNorm(@Nullable WorkerPool workers, ColumnLayout layout, Supplier<ColumnPass<A>> passes) {
    this.workers = workers;
    this.layout = layout;
    this.passes = passes;
    this.runs = layout.positions().runs();
    long elements = (long) layout.positions().runLength() * layout.widest();
    this.runsOfPiece = Math.max(1, PIECE / elements);
    this.pieces = (runs + runsOfPiece - 1) / runsOfPiece;
    this.costOfPiece = Math.min(runs, runsOfPiece) * elements * COST_PER_ELEMENT;
  }

  void run() {
    Sweep lines = layout.lines();
    if (pieces > 1 && lines.runs() < MANY) {
      lines.forEach(this::share);
      return;
    }
    Parallel.run(
        workers,
        lines.runs(),
        pieces * costOfPiece,
        (from, to) -> {
          ColumnPass<A> pass = passes.get();
          lines.new Walker()
              .walk(
                  from,
                  to,
                  (at, count) ->
                      pass.normalize(at, count, pass.measure(at, count, 0, runs), 0, runs));
        });
  }

  private void share(long[] at, int count) {
    Moments[] parts = new Moments[Math.toIntExact(pieces)];
    Parallel.run(
        workers,
        pieces,
        costOfPiece,
        (from, to) -> {
          ColumnPass<A> pass = passes.get();
          for (long i = from; i < to; i++) {
            parts[(int) i] = pass.measure(at, count, i * runsOfPiece, end(i));
          }
        });
    Moments all = parts[0];
    for (int i = 1; i < parts.length; i++) {
      all.join(parts[i]);
    }
    Parallel.run(
        workers,
        pieces,
        costOfPiece,
        (from, to) -> passes.get().normalize(at, count, all, from * runsOfPiece, end(to - 1)));
  }

  private long end(long piece) {
    return Math.min(runs, (piece + 1) * runsOfPiece);
  }
}
