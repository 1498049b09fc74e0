package org.relaxvm.integrationtests.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Measures what cases allocate and how long they take on the processor. Runs all cases in one
 * thread of its own, so that a case that never ends is seen from outside.
 */
final class Watchdog {
  /** What one case took. */
  record Cost(long allocatedBytes, Duration processorTime) {}

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private volatile long beat = System.nanoTime();

  /** Runs a case in the calling thread, which must be the one that {@link #guard} made. */
  Cost measure(Runnable action) {
    beat = System.nanoTime();
    long bytes = threads.getCurrentThreadAllocatedBytes();
    long nanos = threads.getCurrentThreadCpuTime();
    action.run();
    return new Cost(
        threads.getCurrentThreadAllocatedBytes() - bytes,
        Duration.ofNanos(threads.getCurrentThreadCpuTime() - nanos));
  }

  /** Runs all cases in a new thread; fails with its stack when one of them does not end. */
  <T> T guard(Supplier<T> cases, Supplier<String> current) {
    FutureTask<T> task = new FutureTask<>(cases::get);
    Thread thread = Thread.ofPlatform().daemon().name("fuzz").start(task);
    while (true) {
      try {
        return task.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        if (System.nanoTime() - beat > PATIENCE.toNanos()) {
          AssertionError hung = new AssertionError(current.get() + " does not end");
          hung.setStackTrace(thread.getStackTrace());
          throw hung;
        }
      } catch (ExecutionException e) {
        throw new AssertionError(current.get() + " failed: " + e.getCause(), e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted in " + current.get(), e);
      }
    }
  }
}
