package org.relaxvm.backendvulkan.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.Timeline;
import org.relaxvm.backendvulkan.driver.BufferUse;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;

/**
 * Memory of the host that a device reaches, for bytes on their way: one buffer of a stream, used
 * round and round. A part is free again when the work that it was taken for is done.
 *
 * <p>Used by one thread at a time.
 */
public final class StagingRing {
  /** The most bytes that are taken at once: four such parts are on their way at the same time. */
  public static final int MOST_BYTES = 1 << 20;

  private static final long CAPACITY = 4L * MOST_BYTES;

  private final DeviceContext context;
  private final DeviceCalls calls;
  private final Timeline timeline;
  private final Deque<Mark> marks = new ArrayDeque<>();
  private @Nullable DeviceBuffer buffer;

  /** Positions grow for ever; what is between them is in use. */
  private long head;

  private long tail;

  /** All up to {@code end} is free when the timeline has the value. */
  private record Mark(long value, long end) {}

  /** Makes nothing yet. */
  public StagingRing(DeviceContext context, DeviceCalls calls, Timeline timeline) {
    this.context = context;
    this.calls = calls;
    this.timeline = timeline;
  }

  /** The memory, which the first call makes. */
  public DeviceBuffer buffer(String what) {
    DeviceBuffer made = buffer;
    if (made == null) {
      try {
        made = calls.createBuffer(CAPACITY, BufferUse.STAGING);
      } catch (VulkanStatusException e) {
        throw context.allocationFailure(e, what, CAPACITY);
      }
      buffer = made;
    }
    return made;
  }

  /**
   * Takes a part for work that is recorded next. Waits for older work when there is no room, and
   * submits what is recorded if it has to.
   *
   * @param byteSize up to {@link #MOST_BYTES}
   * @param alignment in bytes, a power of two
   * @return its first byte
   */
  public long take(long byteSize, long alignment) {
    long start = (head + alignment - 1) & -alignment;
    if (start % CAPACITY + byteSize > CAPACITY) {
      start = (start / CAPACITY + 1) * CAPACITY;
    }
    while (start + byteSize - tail > CAPACITY) {
      Mark oldest = marks.removeFirst();
      timeline.await(oldest.value(), "finish the copies of a stream");
      tail = oldest.end();
    }
    head = start + byteSize;
    long value = timeline.next();
    if (!marks.isEmpty() && marks.getLast().value() == value) {
      marks.removeLast();
    }
    marks.addLast(new Mark(value, head));
    return start % CAPACITY;
  }

  /**
   * Begins at its start again, so that a program that runs again gets the same parts; all work that
   * parts were taken for is done.
   */
  public void restart() {
    marks.clear();
    head = 0;
    tail = 0;
  }

  /** Destroys the memory; all work that parts were taken for is done. */
  public void destroy() {
    DeviceBuffer made = buffer;
    if (made != null) {
      buffer = null;
      calls.destroyBuffer(made);
    }
  }
}
