package org.relaxvm.api.parallel;

import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The end of a piece of parallel work: who still works on it, and what failed first. One thread
 * waits for it, the one that made it.
 */
final class Completion {
  // About as long as a short piece takes: parking and waking up costs more.
  private static final int SPINS = 200;

  private final Thread waiter = Thread.currentThread();
  private final AtomicInteger helpers = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** A helper begins. */
  void enter() {
    helpers.incrementAndGet();
  }

  /** A helper is done with all that it does. */
  void leave() {
    if (helpers.decrementAndGet() == 0) {
      LockSupport.unpark(waiter);
    }
  }

  boolean hasFailed() {
    return failure.get() != null;
  }

  /** Runs one piece and keeps its failure. */
  void run(Runnable piece) {
    // A future catches whatever a task throws, so that a worker survives it.
    FutureTask<@Nullable Void> future = new FutureTask<>(piece, null);
    future.run();
    if (future.state() == FutureTask.State.FAILED) {
      add(future.exceptionNow());
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

  /** Waits for the helpers, then raises the first failure if there is one. */
  void await() {
    boolean interrupted = false;
    for (int spin = 0; helpers.get() > 0; spin++) {
      if (spin < SPINS) {
        Thread.onSpinWait();
      } else {
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
