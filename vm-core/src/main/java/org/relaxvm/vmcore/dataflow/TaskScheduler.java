package org.relaxvm.vmcore.dataflow;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/**
 * Hands out the tasks of one run of a region to threads, each when all that it waits for is done,
 * the first in program order first. Brief tasks are executed by the thread that ends the last task
 * they wait for.
 *
 * <p>What a task did happens before the tasks that wait for it. A thread that comes late, or not at
 * all, is not waited for. Thread-safe.
 */
public final class TaskScheduler {
  private static final long SPIN_NANOS = 50_000;

  private final RegionPlan plan;
  private final AtomicIntegerArray waitsFor;
  private final AtomicInteger undone;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final BitSet ready;
  // How often a task became ready, or the run ended: for threads that spin.
  private volatile int publications;

  /** A run of a region, with no task done. */
  public TaskScheduler(RegionPlan plan) {
    this.plan = plan;
    int count = plan.tasks().length;
    this.waitsFor = new AtomicIntegerArray(plan.predecessors());
    this.undone = new AtomicInteger(count);
    this.ready = new BitSet(count);
    for (int task = 0; task < count; task++) {
      if (plan.predecessors()[task] == 0) {
        ready.set(task);
      }
    }
  }

  /**
   * Executes tasks until all are done, by this thread or by others.
   *
   * @param body executes a task; must not fail
   */
  public void work(IntConsumer body) {
    int[] brief = new int[plan.tasks().length];
    for (int task = take(); task >= 0; task = take()) {
      int top = 0;
      brief[top++] = task;
      while (top > 0) {
        int next = brief[--top];
        body.accept(next);
        top = finish(next, brief, top);
      }
    }
  }

  /** Whether all tasks are done. */
  public boolean isDone() {
    return undone.get() == 0;
  }

  /** Ends a task; brief tasks that become ready are added to a stack. */
  private int finish(int task, int[] brief, int top) {
    int size = top;
    boolean hasPublished = false;
    for (int next : plan.successors()[task]) {
      if (waitsFor.decrementAndGet(next) == 0) {
        if (plan.isBrief()[next]) {
          brief[size++] = next;
        } else {
          publish(next);
          hasPublished = true;
        }
      }
    }
    if (undone.decrementAndGet() == 0 || hasPublished) {
      announce();
    }
    return size;
  }

  private void publish(int task) {
    lock.lock();
    try {
      ready.set(task);
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private void announce() {
    lock.lock();
    try {
      publications++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a task; -1 when all are done. */
  private int take() {
    while (true) {
      int seen = publications;
      lock.lock();
      try {
        int task = ready.nextSetBit(0);
        if (task >= 0) {
          ready.clear(task);
          return task;
        }
      } finally {
        lock.unlock();
      }
      if (undone.get() == 0) {
        return -1;
      }
      await(seen);
    }
  }

  private void await(int seen) {
    long start = System.nanoTime();
    while (publications == seen) {
      Thread.onSpinWait();
      if (System.nanoTime() - start > SPIN_NANOS) {
        lock.lock();
        try {
          while (publications == seen && undone.get() > 0) {
            changed.awaitUninterruptibly();
          }
        } finally {
          lock.unlock();
        }
        return;
      }
    }
  }
}
