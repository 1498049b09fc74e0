package org.relaxvm.backendvulkan.stream;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendvulkan.driver.TimelinePoint;

/** Steps that are collected to be submitted together. Used by one thread at a time. */
final class Batch {
  /** The most steps of a batch. */
  static final int MOST_STEPS = 64;

  private final long value;
  private final List<Step> steps = new ArrayList<>();
  private final List<TimelinePoint> waits;
  private final @Nullable BatchTimes times;

  /**
   * An empty batch.
   *
   * @param value of its stream's timeline that is reached when it is done
   * @param waits what must be reached before it starts
   * @param times where times are recorded; null when nobody asks
   */
  Batch(long value, List<TimelinePoint> waits, @Nullable BatchTimes times) {
    this.value = value;
    this.waits = List.copyOf(waits);
    this.times = times;
  }

  /** Adds a step, which sees what all before it did; gives its number. */
  int add(Step step) {
    steps.add(step);
    return steps.size() - 1;
  }

  long value() {
    return value;
  }

  List<Step> steps() {
    return steps;
  }

  List<TimelinePoint> waits() {
    return waits;
  }

  @Nullable BatchTimes times() {
    return times;
  }
}
