package org.relaxvm.api.parallel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.system.ThreadAffinity;

/**
 * A pool of daemon threads. Workers look, under one lock, first for a gang that gathers, then for a
 * range with pieces left. Only the oldest gang gathers and a worker in a range leaves it for a gang
 * after its piece, so a gang starts as soon as the pieces under way are done, and no two gangs ever
 * hold some of each other's threads. Nobody but a gang's caller waits for a worker to become free.
 */
final class ThreadWorkerPool implements WorkerPool {
  private final int parallelism;
  private final boolean closeable;
  private final List<Thread> threads = new ArrayList<>();
  // Whether the current thread is inside of a task of this pool.
  private final ThreadLocal<@Nullable Boolean> inside = new ThreadLocal<>();

  private final ReentrantLock lock = new ReentrantLock();

  // Made once: whoever takes the lock again must not fail for want of memory.
  private final BooleanSupplier tryLock = lock::tryLock;

  private final Condition workAvailable = lock.newCondition();
  private final Condition gangComplete = lock.newCondition();
  private final ArrayDeque<Gang> gangs = new ArrayDeque<>();
  private final ArrayDeque<RangeJob> ranges = new ArrayDeque<>();
  // Written under the lock, read between pieces without it.
  private volatile boolean gangGathers;
  // How often work was published.
  private final AtomicInteger publications = new AtomicInteger();
  private volatile boolean closed;

  private ThreadWorkerPool(int parallelism, boolean closeable) {
    this.parallelism = parallelism;
    this.closeable = closeable;
  }

  static ThreadWorkerPool start(int parallelism, boolean closeable) {
    if (parallelism < 1) {
      throw new CallException(
          ErrorKind.VALUE, "a worker pool needs at least 1 thread, but got " + parallelism);
    }
    ThreadWorkerPool pool = new ThreadWorkerPool(parallelism, closeable);
    ThreadAffinity affinity = ThreadAffinity.ofPool(parallelism);
    for (int i = 1; i < parallelism; i++) {
      int number = i;
      // The pool may outlive the code that made it, whose class loader it must not keep.
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .name("relaxvm-worker-" + number)
              .inheritInheritableThreadLocals(false)
              .unstarted(
                  () -> {
                    affinity.pin(number);
                    pool.serve(number);
                  });
      thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
      pool.threads.add(thread);
      thread.start();
    }
    return pool;
  }

  /** The worker threads, for tests. */
  List<Thread> threads() {
    return threads;
  }

  @Override
  public int parallelism() {
    return parallelism;
  }

  @Override
  public void parallelFor(long begin, long end, long grain, RangeTask task) {
    requireOpen();
    if (grain < 1) {
      throw new CallException(ErrorKind.VALUE, "the grain must be at least 1, but is " + grain);
    }
    if (begin >= end) {
      return;
    }
    if (end - begin < 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "the range from " + begin + " to " + end + " has more than 2^63-1 indices");
    }
    if (parallelism == 1 || end - begin <= grain) {
      runInside(() -> task.run(begin, end));
    } else {
      RangeJob job = new RangeJob(begin, end, grain, parallelism, task);
      runInside(() -> work(job));
    }
  }

  @Override
  public boolean isInParallelWork() {
    return inside.get() != null;
  }

  @Override
  public void runGang(int workers, GangTask task) {
    requireOpen();
    if (workers < 1 || workers > parallelism) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot run a gang of "
              + workers
              + " workers: the pool has "
              + parallelism
              + " threads, the caller included");
    }
    if (workers == 1) {
      runInside(() -> task.run(0, 1));
      return;
    }
    if (inside.get() != null) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot run a gang of "
              + workers
              + " workers from within parallel work of the same pool: its threads may all be"
              + " waiting for this one");
    }
    Gang gang = new Gang(workers, task);
    runInside(
        () -> {
          gather(gang);
          gang.work(0);
          gang.finish();
        });
  }

  @Override
  public void close() {
    if (closeable) {
      lock.lock();
      try {
        closed = true;
        workAvailable.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void work(RangeJob job) {
    try {
      publish(job);
      job.work(0, () -> false);
    } finally {
      // Whatever failed, no worker may go on with memory that the caller then frees.
      withdraw(job);
      job.finish();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new CallException(ErrorKind.VALUE, "this worker pool is closed: it takes no more work");
    }
  }

  private void runInside(Runnable work) {
    Boolean outer = inside.get();
    inside.set(true);
    try {
      work.run();
    } finally {
      if (outer == null) {
        inside.remove();
      }
    }
  }

  private void publish(RangeJob job) {
    takeLock();
    try {
      ranges.addLast(job);
      // One is enough: a worker that finds more to do wakes the next.
      workAvailable.signal();
    } finally {
      lock.unlock();
    }
    // Now, that whoever watches finds the lock free.
    publications.incrementAndGet();
  }

  private void withdraw(RangeJob job) {
    takeLock();
    try {
      ranges.remove(job);
    } finally {
      lock.unlock();
    }
  }

  private void gather(Gang gang) {
    lock.lock();
    try {
      requireOpen(); // again: after the last worker has ended, the wait would have no end
      gangs.addLast(gang);
      gangGathers = true;
      publications.incrementAndGet();
      workAvailable.signalAll();
      while (gangs.contains(gang)) {
        gangComplete.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What a worker thread does all its life. */
  private void serve(int thread) {
    inside.set(true);
    boolean open = true;
    while (open) {
      try {
        open = serveOnce(thread);
      } catch (OutOfMemoryError e) {
        // There was none for looking for work. Work that failed has told who waits for it.
        callOffGang(e);
      }
    }
  }

  /**
   * Lets go of those who gather, since this thread cannot join them: who waits for it may hold the
   * memory that it needs. Asks for no memory.
   */
  void callOffGang(OutOfMemoryError reason) {
    lock.lock();
    try {
      Gang gang = gangs.pollFirst();
      if (gang != null) {
        gang.callOff(reason);
        gangGathers = !gangs.isEmpty();
        gangComplete.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for work and does it. A method of its own: a waiting thread has no variable left that
   * keeps the last work, and with it the class loader of whoever gave it.
   */
  private boolean serveOnce(int thread) {
    Runnable work = next(thread);
    if (work != null) {
      work.run();
    }
    return work != null;
  }

  /** Waits for work; null when the pool is closed and everything is done. */
  private @Nullable Runnable next(int thread) {
    boolean watched = false;
    takeLock();
    try {
      while (true) {
        Gang gang = gangs.peekFirst();
        if (gang != null) {
          return joined(gang);
        }
        RangeJob job = nextRange();
        if (job != null) {
          workAvailable.signal();
          return () -> job.work(thread, () -> gangGathers);
        }
        if (closed) {
          return null;
        }
        if (watched) {
          workAvailable.awaitUninterruptibly();
        } else {
          watchForWork();
        }
        watched = !watched;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Lets go of the lock for a moment in which more work often comes: kernel follows on kernel. */
  private void watchForWork() {
    int seen = publications.get();
    lock.unlock();
    try {
      Patience.awaits(() -> publications.get() != seen || closed);
    } finally {
      takeLock();
    }
  }

  /** Takes the lock, which is held for moments only: to park for it would take longer. */
  private void takeLock() {
    if (!Patience.awaits(tryLock)) {
      lock.lock();
    }
  }

  private Runnable joined(Gang gang) {
    // Made first: whoever has joined is waited for.
    int[] index = new int[1];
    Runnable member = () -> gang.work(index[0]);
    index[0] = gang.join();
    if (gang.isComplete()) {
      gangs.removeFirst();
      gangGathers = !gangs.isEmpty();
      gangComplete.signalAll();
    }
    while (gangs.contains(gang)) {
      gangComplete.awaitUninterruptibly();
    }
    return member;
  }

  /** A range with pieces left, taken in turn. */
  private @Nullable RangeJob nextRange() {
    for (int i = ranges.size(); i > 0; i--) {
      RangeJob job = ranges.removeFirst();
      if (job.hasWork()) {
        ranges.addLast(job);
        return job;
      }
    }
    return null;
  }
}
