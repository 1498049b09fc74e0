package org.relaxvm.api.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Stream;

/**
 * The idle blocks of one size, last freed first, and the counters of that size. Thread-safe; an
 * allocation and a free take the lock once each and make no garbage.
 */
final class IdleBlocks {
  private final SpinLock lock = new SpinLock();

  private @Nullable DeviceMemory[] blocks = {};
  private @Nullable Stream[] streams = {};
  private int count;
  private long lastUse;
  private boolean closed;
  private long allocations;
  private long deviceAllocations;
  private long liveBlocks;

  /** A block and the stream that used it last. */
  record Idle(DeviceMemory memory, @Nullable Stream last) {}

  /** A snapshot; {@code lastUse} as for {@link #put}. */
  record Counters(
      long allocations, long deviceAllocations, long liveBlocks, long idleBlocks, long lastUse) {}

  /** The block that was freed last, for devices whose streams need no order; null when none. */
  @Nullable DeviceMemory takeLast() {
    lock.lock();
    try {
      if (count == 0) {
        return null;
      }
      // The references stay, for put(): a block that comes back as the next one, which is usual, is
      // then stored without a garbage-collector barrier.
      DeviceMemory memory = blocks[--count];
      countUse();
      return memory;
    } finally {
      lock.unlock();
    }
  }

  /** The block that the stream itself used last, else the one that was freed last, else null. */
  @Nullable Idle take(Stream stream) {
    lock.lock();
    try {
      if (count == 0) {
        return null;
      }
      int at = count - 1;
      while (at > 0 && !stream.equals(streams[at])) {
        at--;
      }
      if (!stream.equals(streams[at])) {
        at = count - 1;
      }
      DeviceMemory memory = blocks[at];
      Stream last = streams[at];
      Idle idle = memory == null ? null : new Idle(memory, last);
      remove(at);
      countUse();
      return idle;
    } finally {
      lock.unlock();
    }
  }

  /** Counts a block that the device gave. */
  void addFromDevice() {
    lock.lock();
    try {
      deviceAllocations++;
      countUse();
    } finally {
      lock.unlock();
    }
  }

  /** The block that has been idle the longest, to release it; null when none. */
  @Nullable Idle evict() {
    lock.lock();
    try {
      DeviceMemory memory = count == 0 ? null : blocks[0];
      if (memory == null) {
        return null;
      }
      Idle idle = new Idle(memory, streams[0]);
      remove(0);
      return idle;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps a freed block; false when closed or the Java heap is full, then the caller gives it to
   * the device.
   *
   * @param now the time of the pool's clock, which tells when the class was used last
   */
  boolean put(DeviceMemory memory, @Nullable Stream last, long now) {
    lock.lock();
    try {
      liveBlocks--;
      lastUse = now;
      if (closed) {
        return false;
      }
      if (count == blocks.length && !grow()) {
        return false;
      }
      store(memory, last);
      return true;
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same objects
  private void store(DeviceMemory memory, @Nullable Stream last) {
    if (blocks[count] != memory) {
      blocks[count] = memory;
    }
    if (streams[count] != last) {
      streams[count] = last;
    }
    count++;
  }

  private boolean grow() {
    int capacity = Math.max(4, count * 2);
    try {
      @Nullable Stream[] newStreams = Arrays.copyOf(streams, capacity);
      blocks = Arrays.copyOf(blocks, capacity);
      streams = newStreams;
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** Takes all idle blocks out. */
  List<Idle> drain() {
    List<Idle> drained = new ArrayList<>();
    lock.lock();
    try {
      for (int i = 0; i < count; i++) {
        DeviceMemory memory = blocks[i];
        if (memory != null) {
          drained.add(new Idle(memory, streams[i]));
        }
      }
      blocks = new DeviceMemory[0];
      streams = new Stream[0];
      count = 0;
      return drained;
    } finally {
      lock.unlock();
    }
  }

  /** Keeps no more blocks from now on. */
  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  Counters counters() {
    lock.lock();
    try {
      return new Counters(allocations, deviceAllocations, liveBlocks, count, lastUse);
    } finally {
      lock.unlock();
    }
  }

  private void remove(int at) {
    count--;
    System.arraycopy(blocks, at + 1, blocks, at, count - at);
    System.arraycopy(streams, at + 1, streams, at, count - at);
    blocks[count] = null;
    streams[count] = null;
  }

  private void countUse() {
    allocations++;
    liveBlocks++;
  }
}
