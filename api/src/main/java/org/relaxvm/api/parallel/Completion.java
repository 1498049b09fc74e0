package org.relaxvm.api.parallel;

import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The end of parallel work: how many of its tasks are finished, and what failed first. One thread
 * waits for it, the one that made it. Once made it needs no memory of its own: whoever waits must
 * not miss the end of a task because there is none left.
 */
final class Completion {
  /** A task for two numbers, so that none has to be made for each pair of them. */
  @FunctionalInterface
  interface Work {
    void run(long first, long second);
  }

  // Neither this nor AtomicInteger links a call when it is first used, which takes memory;
  // AtomicReference does.
  private static final AtomicReferenceFieldUpdater<Completion, @Nullable Throwable> FAILURE =
      AtomicReferenceFieldUpdater.newUpdater(Completion.class, Throwable.class, "failure");

  private final Thread waiter = Thread.currentThread();
  private final AtomicInteger finished = new AtomicInteger();
  private volatile @Nullable Throwable failure;
  // How many tasks are waited for; nobody waits as long as it cannot be reached.
  private volatile int awaited = Integer.MAX_VALUE;
  private final BooleanSupplier reached = () -> finished.get() >= awaited;

  boolean hasFailed() {
    return failure != null;
  }

  /** Runs one task and keeps its failure. */
  void run(Work work, long first, long second) {
    try {
      // A future catches whatever a task throws, so that a worker survives it.
      FutureTask<@Nullable Void> future = new FutureTask<>(() -> work.run(first, second), null);
      future.run();
      if (future.state() == FutureTask.State.FAILED) {
        add(future.exceptionNow());
      }
    } catch (VirtualMachineError e) {
      // Too little memory or stack even for the future.
      fail(e);
    } finally {
      count();
    }
  }

  /** Keeps a failure if it is the first; asks for no memory. */
  void fail(Throwable reason) {
    FAILURE.compareAndSet(this, null, reason);
  }

  /** Counts a task that was run, or that need not be run any more. */
  void count() {
    if (finished.incrementAndGet() >= awaited) {
      LockSupport.unpark(waiter);
    }
  }

  private void add(Throwable thrown) {
    fail(thrown);
    Throwable first = failure;
    if (first != null && !first.equals(thrown)) {
      first.addSuppressed(thrown);
    }
  }

  /** Waits until as many tasks are finished, then raises the first failure if there is one. */
  void await(int tasks) {
    awaited = tasks;
    boolean interrupted = false;
    if (!reached.getAsBoolean() && !Patience.awaits(reached)) {
      while (!reached.getAsBoolean()) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      waiter.interrupt();
    }
    Throwable thrown = failure;
    // No switch over types, which would be linked here when it first runs.
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown != null) {
      throw new CallException(ErrorKind.RUNTIME, "a parallel task failed: " + thrown, thrown);
    }
  }
}
