package org.relaxvm.api.parallel;

import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The end of parallel work: how many of its tasks are finished, and what failed first. One thread
 * waits for it, the one that made it.
 */
final class Completion {
  private final Thread waiter = Thread.currentThread();
  private final AtomicInteger finished = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  // How many tasks are waited for; nobody waits as long as it cannot be reached.
  private volatile int awaited = Integer.MAX_VALUE;

  boolean hasFailed() {
    return failure.get() != null;
  }

  /** Runs one task and keeps its failure. */
  void run(Runnable task) {
    try {
      // A future catches whatever a task throws, so that a worker survives it.
      FutureTask<@Nullable Void> future = new FutureTask<>(task, null);
      future.run();
      if (future.state() == FutureTask.State.FAILED) {
        add(future.exceptionNow());
      }
    } catch (VirtualMachineError e) {
      // Too little memory or stack even for the future.
      failure.compareAndSet(null, e);
    } finally {
      count();
    }
  }

  /** Keeps a failure of what is no task; asks for no memory. */
  void fail(Throwable reason) {
    failure.compareAndSet(null, reason);
  }

  /** Counts a task that was run, or that need not be run any more. */
  void count() {
    if (finished.incrementAndGet() >= awaited) {
      LockSupport.unpark(waiter);
    }
  }

  private void add(Throwable thrown) {
    if (!failure.compareAndSet(null, thrown)) {
      Throwable first = failure.get();
      if (first != null && !first.equals(thrown)) {
        first.addSuppressed(thrown);
      }
    }
  }

  /** Waits until as many tasks are finished, then raises the first failure if there is one. */
  void await(int tasks) {
    awaited = tasks;
    boolean interrupted = false;
    if (finished.get() < tasks && !Patience.awaits(() -> finished.get() >= tasks)) {
      while (finished.get() < tasks) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      waiter.interrupt();
    }
    switch (failure.get()) {
      case null -> {}
      case RuntimeException thrown -> throw thrown;
      case Error thrown -> throw thrown;
      case Throwable thrown ->
          throw new CallException(ErrorKind.RUNTIME, "a parallel task failed: " + thrown, thrown);
    }
  }
}
