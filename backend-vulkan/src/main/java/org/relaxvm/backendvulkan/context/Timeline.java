package org.relaxvm.backendvulkan.context;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.TimelinePoint;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;

/**
 * Counts what a stream has been given and the device has done. Streams come and go, but a timeline
 * lives as long as its device: the next stream counts on, so that a value means the same forever.
 *
 * <p>Thread-safe.
 */
public final class Timeline {
  private final DeviceContext context;
  private final DeviceCalls calls;
  private final long semaphore;

  /** Taken to use the semaphore, or for writing to destroy it. */
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

  private volatile boolean destroyed;
  private volatile long recorded;
  private volatile long submitted;
  private volatile long reached;
  private volatile @Nullable Runnable submitter;

  Timeline(DeviceContext context, DeviceCalls calls) {
    this.context = context;
    this.calls = calls;
    this.semaphore = calls.createTimeline();
  }

  /**
   * A stream counts from now on.
   *
   * @param flush hands over what is recorded and not submitted
   */
  void start(Runnable flush) {
    submitter = flush;
  }

  /** The stream counts no more; all that it recorded was submitted. */
  void stop() {
    submitter = null;
  }

  /** The value of work that is recorded next. Called by one thread at a time. */
  public long next() {
    return submitted + 1;
  }

  /** There is work that will reach the next value. */
  public void recorded() {
    recorded = submitted + 1;
  }

  /** Work was submitted that reaches the next value. */
  public void submitted() {
    long value = next();
    submitted = value;
    recorded = value;
  }

  /** The value that is reached when all work so far is done, submitted or not. */
  public long last() {
    return recorded;
  }

  /** The value that is reached when all submitted work is done. */
  public long lastSubmitted() {
    return submitted;
  }

  /** A value, for work that waits for it; it is submitted. */
  public TimelinePoint point(long value) {
    return new TimelinePoint(semaphore, value);
  }

  /** Sees to it that the device gets the work of a value. */
  public void flush(long value) {
    Runnable flush = submitter;
    if (value > submitted && flush != null) {
      flush.run();
    }
  }

  /** Whether the work of a value is done, or its device is closed. Does not block. */
  public boolean isReached(long value) {
    if (value <= reached) {
      return true;
    }
    use.readLock().lock();
    try {
      if (destroyed) {
        return true;
      }
      // Another thread may have seen more, or less: it only grows, and who sees less asks again.
      long now = calls.timelineValue(semaphore);
      reached = now;
      return value <= now;
    } catch (VulkanStatusException e) {
      throw context.failure(e, "tell whether work is done");
    } finally {
      use.readLock().unlock();
    }
  }

  /**
   * Waits until the work of a value is done. Nobody will ever do what was not submitted, because
   * recording it failed: that is not waited for.
   *
   * @param what for errors, such as {@code finish the work of a stream}
   */
  public void await(long value, String what) {
    flush(value);
    if (value <= reached) {
      return;
    }
    if (value > submitted) {
      context.requireUsable();
      return;
    }
    use.readLock().lock();
    try {
      if (!destroyed) {
        calls.awaitTimeline(point(value));
        reached = value;
      }
    } catch (VulkanStatusException e) {
      throw context.workFailure(e, what);
    } finally {
      use.readLock().unlock();
    }
  }

  void destroy() {
    use.writeLock().lock();
    try {
      destroyed = true;
      calls.destroyTimeline(semaphore);
    } finally {
      use.writeLock().unlock();
    }
  }
}
