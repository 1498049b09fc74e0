package org.relaxvm.api.memory;

import static java.util.Comparator.comparingLong;

import java.util.ArrayList;
import java.util.List;

/**
 * Keeps what a pool holds in proportion to what is in use: {@link #FACTOR} times the most that was
 * in use at once of late, and {@link #FREE_BYTES} in any case. Does its work only when the device
 * is asked for a block, since nothing else makes a pool grow. Thread-safe.
 *
 * <p>Rationale: docs/rationale/api.md, "Why may a pool hold four times the peak in use?"
 */
final class PoolLimit {
  /** A pool that holds so little is left alone. */
  static final long FREE_BYTES = 16L << 20;

  /** Bytes held for each byte in use at the peak. */
  static final int FACTOR = 4;

  /** Device allocations after which a peak begins to be forgotten; after as many more it is. */
  static final int WINDOW = 1024;

  private final IdleBlocks[] classes;
  private final MemoryLedger ledger;
  private long earlierPeak;
  private long recentPeak;
  private volatile long now;

  /** A limit over the idle blocks of all size classes. */
  PoolLimit(IdleBlocks[] classes, MemoryLedger ledger) {
    this.classes = classes;
    this.ledger = ledger;
  }

  /** The pool's clock: how often the device was asked. */
  long now() {
    return now;
  }

  private record IdleClass(int index, long lastUse) {}

  /**
   * Releases idle blocks until a new one of a class is within the limit and the budget.
   *
   * @param unpooledBytes bytes in use outside of the classes
   */
  void makeRoom(int index, long unpooledBytes) {
    long blockBytes = SizeClasses.blockBytes(index);
    List<IdleClass> idle = new ArrayList<>();
    long live = unpooledBytes + blockBytes;
    // From the largest, which goes first of those that were used last at the same time.
    for (int i = classes.length - 1; i > 0; i--) {
      IdleBlocks.Counters counters = classes[i].counters();
      live += counters.liveBlocks() * SizeClasses.blockBytes(i);
      if (counters.idleBlocks() > 0) {
        idle.add(new IdleClass(i, counters.lastUse()));
      }
    }
    long most = Math.min(limit(live), ledger.budgetBytes()) - blockBytes;
    if (ledger.reservedBytes() > most / 2) {
      giveSmallerBack(index);
    }
    if (ledger.reservedBytes() > most) {
      idle.sort(comparingLong(IdleClass::lastUse));
      for (IdleClass oldest : idle) {
        giveBack(oldest.index(), most);
      }
    }
  }

  private synchronized long limit(long liveBytes) {
    recentPeak = Math.max(recentPeak, liveBytes);
    long peak = Math.max(recentPeak, earlierPeak);
    now++;
    if (now % WINDOW == 0) {
      earlierPeak = recentPeak;
      recentPeak = liveBytes;
    }
    return Math.max(FREE_BYTES, peak > Long.MAX_VALUE / FACTOR ? Long.MAX_VALUE : FACTOR * peak);
  }

  /** Releases one idle block for which a new block of a class can stand in. */
  private void giveSmallerBack(int index) {
    long least = SizeClasses.blockBytes(index) / 2;
    for (int i = index - 1; i > 0 && SizeClasses.blockBytes(i) >= least; i--) {
      IdleBlocks.Idle block = classes[i].evict();
      if (block != null) {
        ledger.give(block.memory(), block.last());
        return;
      }
    }
  }

  private void giveBack(int index, long most) {
    while (ledger.reservedBytes() > most) {
      IdleBlocks.Idle block = classes[index].evict();
      if (block == null) {
        return;
      }
      ledger.give(block.memory(), block.last());
    }
  }
}
