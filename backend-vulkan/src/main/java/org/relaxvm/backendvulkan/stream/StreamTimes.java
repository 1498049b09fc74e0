package org.relaxvm.backendvulkan.stream;

import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.events.DeviceCopyEvent;
import org.relaxvm.backendsupport.gpu.device.Command;
import org.relaxvm.backendsupport.profile.DeviceClock;
import org.relaxvm.backendsupport.profile.DeviceTimeline;
import org.relaxvm.backendsupport.profile.TimedWork;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.Timeline;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;

/** Tells the times of what a stream does, which was opened for it. */
public final class StreamTimes {
  private final DeviceContext context;
  private final DeviceClock clock;
  private final DeviceTimeline timeline;

  /** For a stream of a device. */
  public StreamTimes(DeviceContext context, DeviceClock clock, DeviceTimeline timeline) {
    this.context = context;
    this.clock = clock;
    this.timeline = timeline;
  }

  /**
   * Work was recorded.
   *
   * @param value of the stream's timeline that is reached when it is done
   * @param step its number in its batch
   */
  void recorded(
      Command command,
      long recordedNanos,
      Timeline stream,
      long value,
      BatchTimes times,
      int step) {
    command.addTo(timeline, recordedNanos, new Work(stream, value, times, step));
  }

  /** The host copied bytes itself, and is done. */
  public void copied(Command command, long startNanos) {
    DeviceCopyEvent.emit(
        context.id(),
        command.direction(),
        startNanos,
        System.nanoTime() - startNanos,
        command.byteSize());
  }

  /** The device did nothing but to look at its clock, between two times of the host. */
  void sampled(long hostBefore, long ticks, long hostAfter) {
    clock.sample(hostBefore, ticks, hostAfter);
    timeline.poll();
  }

  private final class Work implements TimedWork {
    private final Timeline stream;
    private final long value;
    private final BatchTimes times;
    private final int step;

    Work(Timeline stream, long value, BatchTimes times, int step) {
      this.stream = stream;
      this.value = value;
      this.times = times;
      this.step = step;
    }

    @Override
    public boolean isComplete() {
      if (!stream.isReached(value)) {
        return false;
      }
      try {
        if (!times.read()) {
          throw new BackendException(
              ErrorKind.RUNTIME, "the times of work of " + context.id() + " went with its stream");
        }
      } catch (VulkanStatusException e) {
        throw context.failure(e, "tell the times of work");
      }
      return true;
    }

    @Override
    public long startTicks() {
      return times.start(step);
    }

    @Override
    public long endTicks() {
      return times.end(step);
    }

    @Override
    public void close() {
      // Nothing is held for it alone.
    }
  }
}
