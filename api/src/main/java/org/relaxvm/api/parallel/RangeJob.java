package org.relaxvm.api.parallel;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A range that is being worked on: hands out its pieces to whoever asks. Each thread has a share of
 * neighbouring pieces that it takes first, always the same one, since the caches of its core may
 * hold what they work on: kernel follows on kernel over the same tensors. Then it helps the others.
 */
final class RangeJob {
  // Pieces per thread: enough that a slow thread does not keep the others waiting.
  private static final int PIECES_PER_THREAD = 4;

  private final long begin;
  private final long end;
  private final long pieceLength;
  private final int pieceCount;
  private final Completion.Work work;
  // The next piece of each share. Not an array of atomics, which takes memory when it is first
  // used.
  private final AtomicInteger[] next;
  private final Completion completion = new Completion();

  RangeJob(long begin, long end, long grain, int parallelism, WorkerPool.RangeTask task) {
    this.begin = begin;
    this.end = end;
    long even = Math.ceilDiv(end - begin, (long) parallelism * PIECES_PER_THREAD);
    this.pieceLength = Math.max(grain, even);
    this.pieceCount = Math.toIntExact(Math.ceilDiv(end - begin, pieceLength));
    this.work = task::run;
    this.next = new AtomicInteger[Math.min(parallelism, pieceCount)];
    for (int share = 0; share < next.length; share++) {
      next[share] = new AtomicInteger(first(share));
    }
  }

  /** The first piece of a share, which is one past the last of the share in front. */
  private int first(int share) {
    return (int) ((long) pieceCount * share / next.length);
  }

  /** Whether pieces are left that nobody has taken. */
  boolean hasWork() {
    for (int share = 0; share < next.length; share++) {
      if (next[share].get() < first(share + 1)) {
        return !completion.hasFailed();
      }
    }
    return false;
  }

  /**
   * Works on pieces until none is left, one has failed, or the worker is wanted elsewhere.
   *
   * @param thread the number of the thread in its pool; 0 is whoever has called
   */
  void work(int thread, BooleanSupplier wantedElsewhere) {
    while (!completion.hasFailed()) {
      int piece = take(thread);
      if (piece < 0) {
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

  /** A piece of a thread's own share, or of the next share that has one; -1 when none is left. */
  private int take(int thread) {
    for (int i = 0; i < next.length; i++) {
      int share = (thread + i) % next.length;
      int last = first(share + 1);
      if (next[share].get() < last) {
        int piece = next[share].getAndIncrement();
        if (piece < last) {
          return piece;
        }
      }
    }
    return -1;
  }

  /** Hands out no more pieces, waits for those under way, and raises the first failure. */
  void finish() {
    // A worker that came too late to get a piece is not waited for.
    int taken = 0;
    for (int share = 0; share < next.length; share++) {
      int last = first(share + 1);
      taken += Math.min(last, next[share].getAndSet(last)) - first(share);
    }
    completion.await(taken);
  }
}
