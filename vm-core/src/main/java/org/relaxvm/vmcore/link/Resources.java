package org.relaxvm.vmcore.link;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.FirstFailure;

/** What a virtual machine holds and releases: the latest first, every one even if others fail. */
public final class Resources {
  private final ArrayDeque<Runnable> actions = new ArrayDeque<>();

  /** Adds something to be released. */
  public void add(Runnable giveBack) {
    actions.addFirst(giveBack);
  }

  /** Adds something to be released after everything else. */
  public void addLast(Runnable giveBack) {
    actions.addLast(giveBack);
  }

  /**
   * Releases everything.
   *
   * @throws RuntimeException the first failure, the others as suppressed ones; an {@link Error}
   *     likewise
   */
  public void close() {
    FirstFailure.raise(closeAll());
  }

  /** Releases everything after an error, to which failures are added. */
  public void closeAfter(Throwable error) {
    Throwable failure = closeAll();
    if (failure != null && !failure.equals(error)) {
      error.addSuppressed(failure);
    }
  }

  private @Nullable Throwable closeAll() {
    Throwable failure = null;
    for (Runnable action = actions.pollFirst(); action != null; action = actions.pollFirst()) {
      try {
        action.run();
      } catch (RuntimeException | Error e) {
        if (failure == null) {
          failure = e;
        } else if (!failure.equals(e)) {
          failure.addSuppressed(e);
        }
      }
    }
    return failure;
  }
}
