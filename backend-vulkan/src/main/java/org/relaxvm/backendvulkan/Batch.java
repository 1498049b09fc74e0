package org.relaxvm.backendvulkan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendvulkan.driver.Commands;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.TimelinePoint;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;

/**
 * Commands that are submitted together, with what they need until they are done. Used again
 * afterwards, by one thread at a time.
 */
final class Batch {
  /** The most commands of a batch. */
  static final int MOST_COMMANDS = 64;

  private final DeviceCalls calls;
  private final Commands commands;
  private final DescriptorArena descriptors;
  private final long queryPool;
  private final List<TimelinePoint> waits = new ArrayList<>();
  private @Nullable BatchTimes times;
  private int count;
  private long value;

  /**
   * Makes room.
   *
   * @param timed whether the times of commands are noted
   */
  Batch(DeviceCalls calls, boolean timed) {
    this.calls = calls;
    this.commands = calls.createCommands();
    this.descriptors = new DescriptorArena(calls);
    this.queryPool = timed ? queries(calls, commands) : 0;
  }

  private static long queries(DeviceCalls calls, Commands commands) {
    try {
      return calls.createQueryPool(2 * MOST_COMMANDS);
    } catch (VulkanStatusException e) {
      commands.destroy();
      throw e;
    }
  }

  /** Starts anew; what it had is done. */
  void begin(long value) {
    this.value = value;
    count = 0;
    waits.clear();
    settleTimes();
    descriptors.reset();
    if (queryPool != 0) {
      calls.resetQueries(queryPool, 2 * MOST_COMMANDS);
      times = new BatchTimes(calls, queryPool);
    }
    commands.begin();
  }

  private void settleTimes() {
    BatchTimes before = times;
    if (before != null) {
      before.read();
      before.close();
      times = null;
    }
  }

  /** The value of its stream's timeline that is reached when it is done. */
  long value() {
    return value;
  }

  int count() {
    return count;
  }

  Commands commands() {
    return commands;
  }

  DescriptorArena descriptors() {
    return descriptors;
  }

  /** What must be reached before it starts. */
  List<TimelinePoint> waits() {
    return waits;
  }

  /** Where times are noted; null when nobody asks. */
  @Nullable BatchTimes times() {
    return times;
  }

  /** Begins a command, which sees what all before it did; gives the number of its first time. */
  int start() {
    commands.barrier();
    count++;
    return stamp();
  }

  /** Ends a command. */
  void stop() {
    stamp();
  }

  private int stamp() {
    BatchTimes noted = times;
    if (noted == null) {
      return -1;
    }
    int index = noted.next();
    commands.timestamp(queryPool, index);
    return index;
  }

  /** Destroys what it holds; what it had is done. */
  void destroy() {
    BatchTimes noted = times;
    if (noted != null) {
      noted.close();
    }
    if (queryPool != 0) {
      calls.destroyQueryPool(queryPool);
    }
    descriptors.destroy();
    commands.destroy();
  }
}
