package org.relaxvm.backendvulkan.stream;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendsupport.gpu.device.Command;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.Timeline;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.TimelinePoint;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;

/**
 * Collects the steps of a stream in batches and submits them. A batch that is equal to an earlier
 * one is not recorded again.
 *
 * <p><b>When.</b> A batch is submitted when somebody needs it done, and when it is full: the first
 * after a wait is full with 8 steps, since the device has nothing to do, and each later one with
 * twice as many as the one before, up to 64. Whether the device is busy plays no part: a program
 * that runs again is cut into the same batches only by a rule that does not depend on time.
 *
 * <p>Used by one thread at a time.
 */
public final class Recorder {
  private static final int FIRST_STEPS = 8;

  /** Batches that are on their way; when there are more, the oldest is waited for. */
  private static final int MOST_BATCHES = 32;

  private final DeviceContext context;
  private final DeviceCalls calls;
  private final Timeline timeline;
  private final @Nullable StreamTimes times;
  private final RecordingCache recordings;
  private final List<TimelinePoint> waits = new ArrayList<>();
  private @Nullable Batch open;
  private int mostSteps = FIRST_STEPS;

  /** The last value of the timeline when the host last waited for all. */
  private long awaited;

  /**
   * Records for a timeline.
   *
   * @param times is told what is recorded and when it is done; null when nobody asks
   */
  public Recorder(
      DeviceContext context, DeviceCalls calls, Timeline timeline, @Nullable StreamTimes times) {
    this.context = context;
    this.calls = calls;
    this.timeline = timeline;
    this.times = times;
    this.recordings = new RecordingCache(context, calls, timeline);
    this.awaited = timeline.last();
  }

  /** Makes steps that are recorded from now on wait for work of another stream. */
  public void waitFor(TimelinePoint point) {
    for (TimelinePoint known : waits) {
      if (known.semaphore() == point.semaphore() && known.value() >= point.value()) {
        return;
      }
    }
    waits.removeIf(known -> known.semaphore() == point.semaphore());
    waits.add(point);
  }

  /** Whether steps wait for another stream that were not recorded yet. */
  public boolean hasWaits() {
    return !waits.isEmpty();
  }

  /**
   * Whether nothing came since the host waited for all. The device may be done although this says
   * no: what is asked decides what is recorded, which must not depend on time.
   */
  public boolean isIdle() {
    return waits.isEmpty() && timeline.last() == awaited;
  }

  /** Adds a step, after all that came before. */
  public void record(Command command, Step step) {
    long now = times == null ? 0 : System.nanoTime();
    Batch batch = batch();
    int number = batch.add(step);
    BatchTimes batchTimes = batch.times();
    if (times != null && batchTimes != null) {
      times.recorded(command, now, timeline, batch.value(), batchTimes, number);
    }
    if (batch.steps().size() >= mostSteps) {
      mostSteps = Math.min(Batch.MOST_STEPS, 2 * mostSteps);
      submit();
    }
  }

  /**
   * Sees to it that the next step has the timeline's next value: what was recorded before new waits
   * must not wait, so that it is submitted alone.
   */
  public void prepare() {
    if (!waits.isEmpty()) {
      submit();
    }
  }

  private Batch batch() {
    prepare();
    Batch batch = open;
    if (batch == null) {
      batch = new Batch(timeline.next(), waits, times == null ? null : new BatchTimes(calls));
      waits.clear();
      open = batch;
    }
    timeline.recorded();
    return batch;
  }

  /** Opens a batch, if only for what it waits for. */
  public void begin() {
    batch();
  }

  /** Lets the device look at its clock and nothing else; all that it had is done. */
  public void sample(StreamTimes told) {
    Batch batch = batch();
    BatchTimes batchTimes = batch.times();
    if (batchTimes == null) {
      return;
    }
    int number = batch.add(new Step.Nothing());
    long before = System.nanoTime();
    await();
    long after = System.nanoTime();
    try {
      batchTimes.read();
    } catch (VulkanStatusException e) {
      throw context.failure(e, "tell what time it is");
    }
    told.sampled(before, batchTimes.start(number), after);
  }

  /** Submits what is recorded. */
  public void submit() {
    Batch batch = open;
    if (batch == null) {
      return;
    }
    open = null;
    if (context.isLost()) {
      // Whoever waits for what is dropped here must not take it for done.
      context.requireUsable();
    }
    timeline.await(timeline.lastSubmitted() - MOST_BATCHES, "finish the work of a stream");
    try {
      Recording recording = recordings.of(batch);
      calls.submit(recording.commands(), batch.waits(), timeline.point(batch.value()));
      recording.submitted(batch.value());
    } catch (VulkanStatusException e) {
      // What was collected is gone, and nobody could give it again.
      throw context.workFailure(e, "be given the work of a stream");
    }
    timeline.submitted();
    context.sweep();
  }

  /** Submits what is recorded, for somebody who waits for it. */
  public void flush() {
    mostSteps = FIRST_STEPS;
    submit();
  }

  /**
   * Waits for what other streams were to do first, and for all that was submitted. What was freed
   * and is not in use any more goes then.
   */
  public void await() {
    flush();
    if (!waits.isEmpty()) {
      // Without steps it is done when what it waits for is.
      begin();
      submit();
    }
    timeline.await(timeline.lastSubmitted(), "finish the work of a stream");
    awaited = timeline.last();
    context.sweep();
  }

  /** Destroys what it holds; all that was submitted is done. */
  public void destroy() {
    open = null;
    recordings.destroy();
  }
}
