package org.relaxvm.backendsupport.profile;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.locks.ReentrantLock;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.events.DeviceCopyEvent;
import org.relaxvm.api.events.DeviceKernelEvent;
import org.relaxvm.api.events.Events;

/**
 * Work of a device whose times are not known yet. What is complete is emitted as {@link
 * DeviceKernelEvent} and {@link DeviceCopyEvent} whenever something is added, and when somebody
 * waited for the device anyway; nothing here waits for it.
 *
 * <p>A backend asks {@link #isOn()} before it makes a device record times:
 *
 * <pre>{@code
 * if (DeviceTimeline.isOn()) {
 *   timeline.kernel(function, bytes, operations, submittedNanos, timesOf(event));
 * }
 * }</pre>
 *
 * and calls {@link #poll()} after a stream was synchronised. At most 65,536 pieces wait; the oldest
 * go when there are more, and are {@linkplain #lost() counted}.
 *
 * <p>Thread-safe. Work that is handed over is closed here.
 */
public final class DeviceTimeline implements AutoCloseable {
  private static final int MOST_PENDING = 1 << 16;

  private final DeviceId device;
  private final DeviceClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();
  private long lost;
  private boolean closed;

  /** A timeline without work. */
  public DeviceTimeline(DeviceId device, DeviceClock clock) {
    this.device = device;
    this.clock = clock;
  }

  private sealed interface What {
    record Kernel(String function, long bytes, long operations) implements What {}

    record Copy(String kind, long bytes) implements What {}
  }

  private record Pending(What what, long submittedNanos, TimedWork work) {}

  /** Whether somebody records times of devices. Free while nobody records anything. */
  public static boolean isOn() {
    return Events.areOn() && (DeviceKernelEvent.isOn() || DeviceCopyEvent.isOn());
  }

  /**
   * A kernel was submitted.
   *
   * @param function name in the program's function table, or in the kernel library
   * @param bytes read and written; -1 when not known
   * @param operations on floats; -1 when not known
   * @param submittedNanos {@link System#nanoTime()} before that
   */
  public void kernel(
      String function, long bytes, long operations, long submittedNanos, TimedWork work) {
    add(new Pending(new What.Kernel(function, bytes, operations), submittedNanos, work));
  }

  /**
   * A copy was submitted.
   *
   * @param kind as in {@link DeviceCopyEvent}
   * @param submittedNanos {@link System#nanoTime()} before that
   */
  public void copy(String kind, long bytes, long submittedNanos, TimedWork work) {
    add(new Pending(new What.Copy(kind, bytes), submittedNanos, work));
  }

  /** Emits all that is complete. */
  public void poll() {
    lock.lock();
    try {
      for (Iterator<Pending> all = pending.iterator(); all.hasNext(); ) {
        if (settle(all.next())) {
          all.remove();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many pieces of work were never emitted: too many waited, or the device gave no times. */
  public long lost() {
    lock.lock();
    try {
      return lost;
    } finally {
      lock.unlock();
    }
  }

  /** Emits what is complete, and forgets the remainder; work that comes later is closed at once. */
  @Override
  public void close() {
    lock.lock();
    try {
      poll();
      closed = true;
      lost += pending.size();
      pending.forEach(left -> left.work.close());
      pending.clear();
    } finally {
      lock.unlock();
    }
  }

  private void add(Pending added) {
    lock.lock();
    try {
      // The first is the oldest: while it runs, few of the others are complete.
      while (!pending.isEmpty() && settle(pending.getFirst())) {
        pending.removeFirst();
      }
      if (closed || pending.size() == MOST_PENDING) {
        lost++;
        (closed ? added : pending.removeFirst()).work.close();
      }
      if (!closed) {
        pending.addLast(added);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Emits and closes work that is complete or failed. */
  private boolean settle(Pending next) {
    boolean settled = true;
    try {
      // Until the clock was compared with the host's, nobody can say when the work was done.
      settled = clock.isSet() && next.work.isComplete();
      if (settled) {
        emit(next);
      }
    } catch (BackendException _) {
      // Whoever waits for the device is told; here it is only a time that nobody knows.
      lost++;
    } finally {
      if (settled) {
        next.work.close();
      }
    }
    return settled;
  }

  private void emit(Pending done) {
    long start = done.work.startTicks();
    long ticks = done.work.endTicks() - start;
    if (ticks < 0) {
      lost++;
      return;
    }
    // Nothing starts before it is submitted, whatever the error of the clock.
    long startNanos = Math.max(clock.hostNanos(start), done.submittedNanos);
    long nanos = clock.nanos(ticks);
    switch (done.what) {
      case What.Kernel(String function, long bytes, long operations) ->
          DeviceKernelEvent.emit(function, device, startNanos, nanos, bytes, operations);
      case What.Copy(String kind, long bytes) ->
          DeviceCopyEvent.emit(device, kind, startNanos, nanos, bytes);
    }
  }
}
