package org.relaxvm.backendvulkan.context;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendvulkan.driver.DeviceCalls;

/**
 * The timelines of a device, and what nobody needs any more but work that was given to a stream:
 * Vulkan destroys things at once. Such a thing waits for all work that there was when it was
 * released, which is simpler than to know who uses it and waits little longer.
 *
 * <p>Thread-safe.
 */
final class Retirement {
  private final List<Timeline> all = new ArrayList<>();
  private final Deque<Timeline> unused = new ArrayDeque<>();
  private final Deque<Retired> retired = new ArrayDeque<>();

  private record Point(Timeline timeline, long value) {
    boolean isReached() {
      try {
        return timeline.isReached(value);
      } catch (RelaxException _) {
        // The device is lost: what it still does nobody knows before it is closed.
        return false;
      }
    }
  }

  private record Retired(List<Point> after, Runnable destroy) {}

  /** A timeline that no stream uses, with what hands over the work of its next stream. */
  synchronized Timeline timeline(DeviceContext context, DeviceCalls calls, Runnable flush) {
    @Nullable Timeline free = unused.poll();
    if (free == null) {
      free = new Timeline(context, calls);
      all.add(free);
    }
    free.start(flush);
    return free;
  }

  synchronized void giveBack(Timeline timeline) {
    timeline.stop();
    unused.add(timeline);
  }

  /** Destroys something when all work of now is done. */
  synchronized void retire(Runnable destroy) {
    List<Point> after = new ArrayList<>(0);
    for (Timeline timeline : all) {
      Point last = new Point(timeline, timeline.last());
      if (!last.isReached()) {
        after.add(last);
      }
    }
    if (after.isEmpty()) {
      destroy.run();
    } else {
      retired.add(new Retired(after, destroy));
    }
  }

  /** Destroys what no work uses any more. */
  synchronized void sweep() {
    while (!retired.isEmpty() && retired.getFirst().after().stream().allMatch(Point::isReached)) {
      retired.removeFirst().destroy().run();
    }
  }

  /**
   * Waits until everything that was released can be destroyed.
   *
   * @return whether there was something
   */
  boolean drain() {
    List<Retired> waiting;
    synchronized (this) {
      waiting = List.copyOf(retired);
    }
    for (Retired one : waiting) {
      for (Point point : one.after()) {
        point.timeline().await(point.value(), "finish the work before memory is given back");
      }
    }
    sweep();
    return !waiting.isEmpty();
  }

  /** Destroys everything; the device is idle. */
  synchronized void close() {
    retired.forEach(one -> one.destroy().run());
    retired.clear();
    all.forEach(Timeline::destroy);
    all.clear();
    unused.clear();
  }
}
