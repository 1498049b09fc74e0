package org.relaxvm.api.parallel;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A range that is being worked on: hands out its pieces to whoever asks. */
final class RangeJob {
  // Pieces per thread: enough that a slow thread does not keep the others waiting.
  private static final int PIECES_PER_THREAD = 4;

  private final long begin;
  private final long end;
  private final long pieceLength;
  private final int pieceCount;
  private final Completion.Work work;
  private final AtomicInteger nextPiece = new AtomicInteger();
  private final Completion completion = new Completion();

  RangeJob(long begin, long end, long grain, int parallelism, WorkerPool.RangeTask task) {
    this.begin = begin;
    this.end = end;
    long even = Math.ceilDiv(end - begin, (long) parallelism * PIECES_PER_THREAD);
    this.pieceLength = Math.max(grain, even);
    this.pieceCount = Math.toIntExact(Math.ceilDiv(end - begin, pieceLength));
    this.work = task::run;
  }

  /** Whether pieces are left that nobody has taken. */
  boolean hasWork() {
    return nextPiece.get() < pieceCount && !completion.hasFailed();
  }

  /** Works on pieces until none is left, one has failed, or the worker is wanted elsewhere. */
  void work(BooleanSupplier wantedElsewhere) {
    while (hasWork()) {
      int piece = nextPiece.getAndIncrement();
      if (piece >= pieceCount) {
        return;
      }
      long from = begin + piece * pieceLength;
      long to = piece == pieceCount - 1 ? end : from + pieceLength;
      completion.run(work, from, to);
      if (wantedElsewhere.getAsBoolean()) {
        return;
      }
    }
  }

  /** Hands out no more pieces, waits for those under way, and raises the first failure. */
  void finish() {
    // A worker that came too late to get a piece is not waited for.
    completion.await(Math.min(pieceCount, nextPiece.getAndSet(pieceCount)));
  }
}
