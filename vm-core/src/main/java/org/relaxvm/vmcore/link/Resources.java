package org.relaxvm.vmcore.link;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What a virtual machine holds and gives back: the latest first, every one even if others fail. */
public final class Resources {
  private final ArrayDeque<Runnable> actions = new ArrayDeque<>();

  /** Adds something to be given back. */
  public void add(Runnable giveBack) {
    actions.addFirst(giveBack);
  }

  /** Adds something to be given back after everything else. */
  public void addLast(Runnable giveBack) {
    actions.addLast(giveBack);
  }

  /**
   * Gives everything back.
   *
   * @throws RuntimeException the first failure, the others as suppressed ones
   */
  public void close() {
    @Nullable RuntimeException failure = closeAll();
    if (failure != null) {
      throw failure;
    }
  }

  /** Gives everything back after an error, to which failures are added. */
  public void closeAfter(Throwable error) {
    RuntimeException failure = closeAll();
    if (failure != null) {
      error.addSuppressed(failure);
    }
  }

  private @Nullable RuntimeException closeAll() {
    RuntimeException failure = null;
    for (Runnable action = actions.pollFirst(); action != null; action = actions.pollFirst()) {
      try {
        action.run();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    return failure;
  }
}
