package org.relaxvm.backendvulkan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.Timeline;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.TimelinePoint;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;

/**
 * Collects the commands of a stream and submits them: when somebody needs them done, when there are
 * many, and when the device would have nothing to do otherwise.
 *
 * <p>Used by one thread at a time.
 */
final class Recorder {
  /** After so many commands the device is looked at, whether it has nothing to do. */
  private static final int LOOK_AFTER = 8;

  /** Batches that are on their way; when there are more, the oldest is waited for. */
  private static final int MOST_BATCHES = 32;

  private final DeviceContext context;
  private final DeviceCalls calls;
  private final Timeline timeline;
  private final @Nullable StreamTimes times;
  private final Deque<Batch> underWay = new ArrayDeque<>();
  private final List<TimelinePoint> waits = new ArrayList<>();
  private @Nullable Batch open;

  /** Records for a timeline. */
  Recorder(
      DeviceContext context, DeviceCalls calls, Timeline timeline, @Nullable StreamTimes times) {
    this.context = context;
    this.calls = calls;
    this.timeline = timeline;
    this.times = times;
  }

  /** Records one command. */
  interface Recording {
    void into(Batch batch);
  }

  /** Makes commands that are recorded from now on wait for work of another stream. */
  void waitFor(TimelinePoint point) {
    waits.removeIf(known -> known.semaphore() == point.semaphore());
    waits.add(point);
  }

  /** Whether commands wait for another stream that were not recorded yet. */
  boolean hasWaits() {
    return !waits.isEmpty();
  }

  /** Records a command, behind all that came before. */
  void record(Command command, Recording recording) {
    long now = times == null ? 0 : System.nanoTime();
    try {
      Batch batch = batch();
      int first = batch.start();
      recording.into(batch);
      batch.stop();
      BatchTimes noted = batch.times();
      if (times != null && noted != null) {
        times.recorded(command, now, timeline, batch.value(), noted, first);
      }
      if (batch.count() == Batch.MOST_COMMANDS || (isTimeToLook(batch) && isDeviceIdle())) {
        submit();
      }
    } catch (VulkanStatusException e) {
      throw context.failure(e, command.toString());
    }
  }

  private static boolean isTimeToLook(Batch batch) {
    return batch.count() % LOOK_AFTER == 0;
  }

  private boolean isDeviceIdle() {
    return timeline.isReached(timeline.lastSubmitted());
  }

  /**
   * Sees to it that the next command has the timeline's next value: what was recorded before new
   * waits must not wait, so that it is submitted alone.
   */
  void prepare() {
    if (!waits.isEmpty()) {
      submit();
    }
  }

  private Batch batch() {
    prepare();
    Batch batch = open;
    if (batch == null) {
      batch = unused();
      batch.begin(timeline.next());
      batch.waits().addAll(waits);
      waits.clear();
      open = batch;
    }
    timeline.recorded();
    return batch;
  }

  /** Opens a batch, if only for what it waits for. */
  void begin() {
    try {
      batch();
    } catch (VulkanStatusException e) {
      throw context.failure(e, "wait for another stream");
    }
  }

  /** Lets the device look at its clock and nothing else; all that it had is done. */
  void sample(StreamTimes told) {
    begin();
    Batch batch = open;
    BatchTimes noted = batch == null ? null : batch.times();
    if (batch == null || noted == null) {
      return;
    }
    int stamp = batch.start();
    long before = System.nanoTime();
    await();
    long after = System.nanoTime();
    try {
      noted.read();
    } catch (VulkanStatusException e) {
      throw context.failure(e, "tell what time it is");
    }
    told.sampled(before, noted.ticks(stamp), after);
  }

  private Batch unused() {
    Batch oldest = underWay.peek();
    if (oldest != null && underWay.size() >= MOST_BATCHES) {
      timeline.await(oldest.value(), "finish the work of a stream");
    }
    if (oldest != null && timeline.isReached(oldest.value())) {
      return underWay.remove();
    }
    return new Batch(calls, times != null);
  }

  /** Submits what is recorded. */
  void submit() {
    Batch batch = open;
    if (batch == null) {
      return;
    }
    open = null;
    // Whatever happens, it is destroyed with the others.
    underWay.add(batch);
    if (context.isLost()) {
      return;
    }
    try {
      batch.commands().end();
      calls.submit(batch.commands(), batch.waits(), timeline.point(batch.value()));
    } catch (VulkanStatusException e) {
      // What was recorded is gone, and nobody could record it again.
      throw context.workFailure(e, "be given the work of a stream");
    }
    timeline.submitted();
    context.sweep();
  }

  /** Waits for what other streams were to do first, and for all that was submitted. */
  void await() {
    submit();
    if (!waits.isEmpty()) {
      // Without commands it is done when what it waits for is.
      begin();
      submit();
    }
    timeline.await(timeline.lastSubmitted(), "finish the work of a stream");
  }

  /** Destroys what it holds; all that was submitted is done. */
  void destroy() {
    Batch batch = open;
    if (batch != null) {
      open = null;
      batch.destroy();
    }
    underWay.forEach(Batch::destroy);
    underWay.clear();
  }
}
