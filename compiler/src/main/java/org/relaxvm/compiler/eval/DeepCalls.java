package org.relaxvm.compiler.eval;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Nested calls of programs are nested calls of Java, of which a thread has room for a few hundred.
 * At each so many of them a new thread goes on, while the others wait.
 */
final class DeepCalls {
  private static final int CALLS_PER_THREAD = 50;
  private static final long STACK_BYTES = 16L << 20;

  private DeepCalls() {}

  /** The value of a call that has {@code depth} calls around it. */
  static Object at(int depth, Supplier<Object> call) {
    return depth > 0 && depth % CALLS_PER_THREAD == 0 ? inNewThread(call) : call.get();
  }

  private static Object inNewThread(Supplier<Object> call) {
    FutureTask<Object> task = new FutureTask<>(call::get);
    Thread thread = new Thread(null, task, "relaxvm-evaluator", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    boolean wasInterrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          wasInterrupted = true;
          thread.interrupt();
        }
      }
    } catch (ExecutionException e) {
      throw sameOf(e);
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What the call threw, to be thrown again. */
  private static RuntimeException sameOf(ExecutionException thrown) {
    return switch (thrown.getCause()) {
      case Error error -> throw error;
      case RuntimeException exception -> exception;
      case null, default -> new IllegalStateException(thrown);
    };
  }
}
