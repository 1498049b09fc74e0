package org.relaxvm.backendcuda;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendsupport.gpu.device.Owned;
import org.relaxvm.backendsupport.profile.DeviceClock;
import org.relaxvm.backendsupport.profile.DeviceTimeline;
import org.relaxvm.backendsupport.profile.TimedWork;

/**
 * Tells the times of a device's work. A device tells only how long it was from one event to
 * another, in a float: so there is an event that others are measured from, and a new one now and
 * then, before the float becomes coarse. Ticks are nanoseconds since the first one.
 *
 * <p>Thread-safe.
 */
final class DeviceTimes implements Owned {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long NEW_ORIGIN_NANOS = 1_000_000_000L;

  private final DeviceContext context;
  private final Cuda cuda;
  private final DeviceClock clock;
  private final DeviceTimeline timeline;
  private @Nullable Origin origin;
  private boolean released;

  DeviceTimes(DeviceContext context, DeviceClock clock, DeviceTimeline timeline) {
    this.context = context;
    this.cuda = context.cuda();
    this.clock = clock;
    this.timeline = timeline;
  }

  /** An event that others are measured from, until nobody needs it any more. */
  private final class Origin {
    private final Handle.Context holder;
    private final Handle.Event event;
    private final long ticks;
    private int users = 1;

    Origin(Handle.Context holder, Handle.Event event, long ticks) {
      this.holder = holder;
      this.event = event;
      this.ticks = ticks;
    }

    long ticksOf(Handle.Event later) {
      float millis = cuda.millisBetween(holder, event, later);
      return ticks + Math.round(millis * NANOS_PER_MILLI);
    }
  }

  private synchronized void leave(Origin left) {
    left.users--;
    if (left.users == 0) {
      cuda.release(left.holder, left.event);
    }
  }

  /** An event that keeps the time, at what a stream was given last. */
  Handle.Event mark(Handle.Context holder, Handle.Stream stream) {
    Handle.Event mark = cuda.createEvent(holder, true);
    try {
      cuda.record(holder, mark, stream);
    } catch (CudaStatusException e) {
      cuda.release(holder, mark);
      throw e;
    }
    return mark;
  }

  /** Work was submitted between two events, which belong to the timeline now. */
  void submitted(
      Command command,
      long submittedNanos,
      Handle.Context holder,
      Handle.Event start,
      Handle.Event end) {
    Origin since;
    synchronized (this) {
      since = origin;
      if (since != null) {
        since.users++;
      }
    }
    if (since == null) {
      cuda.release(holder, start);
      cuda.release(holder, end);
      return;
    }
    TimedWork work = new Work(holder, start, end, since);
    switch (command.kind()) {
      case KERNEL, GEMM -> timeline.kernel(command.kernel(), -1, -1, submittedNanos, work);
      case RECORDING -> timeline.kernel("recording", -1, -1, submittedNanos, work);
      case COPY_IN -> timeline.copy("host to device", command.byteSize(), submittedNanos, work);
      case COPY_OUT -> timeline.copy("device to host", command.byteSize(), submittedNanos, work);
      case COPY_WITHIN -> timeline.copy("within device", command.byteSize(), submittedNanos, work);
      case COPY_PEER -> timeline.copy("device to device", command.byteSize(), submittedNanos, work);
    }
  }

  /** A stream has nothing to do: the clock is looked at, and what is done is told. */
  void idle(Handle.Context holder, Handle.Stream stream) {
    long before = System.nanoTime();
    Handle.Event mark = mark(holder, stream);
    boolean kept = false;
    try {
      cuda.synchronize(holder, stream);
      long after = System.nanoTime();
      kept = measure(holder, mark, before, after);
    } finally {
      if (!kept) {
        cuda.release(holder, mark);
      }
    }
    timeline.poll();
  }

  /** Gives whether the mark is what others are measured from now. */
  private synchronized boolean measure(
      Handle.Context holder, Handle.Event mark, long before, long after) {
    Origin since = origin;
    long ticks = since == null ? 0 : since.ticksOf(mark);
    clock.sample(before, ticks, after);
    if (released || (since != null && ticks - since.ticks < NEW_ORIGIN_NANOS)) {
      return false;
    }
    origin = new Origin(holder, mark, ticks);
    if (since != null) {
      leave(since);
    }
    return true;
  }

  @Override
  public synchronized void releaseHandles() {
    Origin last = origin;
    origin = null;
    released = true;
    if (last != null) {
      leave(last);
    }
  }

  private final class Work implements TimedWork {
    private final Handle.Context holder;
    private final Handle.Event start;
    private final Handle.Event end;
    private final Origin since;

    Work(Handle.Context holder, Handle.Event start, Handle.Event end, Origin since) {
      this.holder = holder;
      this.start = start;
      this.end = end;
      this.since = since;
    }

    @Override
    public boolean isComplete() {
      try {
        return cuda.isDone(holder, end);
      } catch (CudaStatusException e) {
        throw context.failure(e, "tell whether work is done");
      }
    }

    @Override
    public long startTicks() {
      return ticks(start);
    }

    @Override
    public long endTicks() {
      return ticks(end);
    }

    private long ticks(Handle.Event event) {
      try {
        return since.ticksOf(event);
      } catch (CudaStatusException e) {
        throw context.failure(e, "tell the times of work");
      }
    }

    @Override
    public void close() {
      cuda.release(holder, start);
      cuda.release(holder, end);
      leave(since);
    }
  }
}
