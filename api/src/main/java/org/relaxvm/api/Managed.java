package org.relaxvm.api;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;

/**
 * A value with counted owners. It is created with one owner, whoever made it, and is disposed of at
 * once when the last owner lets go; no garbage collection is involved.
 *
 * <p>Rules of ownership:
 *
 * <ul>
 *   <li>arguments of a call are <em>borrowed</em>: the callee retains what it keeps;
 *   <li>storing into a register, a tuple field or a closure capture <em>retains</em>; overwriting,
 *       killing and frame exit <em>release</em>;
 *   <li>a result is <em>transferred</em>: its owner is the caller;
 *   <li>what a user holds is a handle with an owner of its own: {@link #close()} gives up that one
 *       owner, and closing again does nothing.
 * </ul>
 *
 * <p>Thread-safe: counting is atomic. {@link #dispose()} runs once, in the thread that let go last.
 */
public abstract class Managed implements AutoCloseable {
  // Far below zero, so that a late retain is seen as such however many race with the last release.
  private static final int DEAD = Integer.MIN_VALUE / 2;

  private static final @Nullable Object[] NO_PARTS = {};

  private static final VarHandle MORE_OWNERS;
  private static final VarHandle CLOSED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MORE_OWNERS = lookup.findVarHandle(Managed.class, "moreOwners", int.class);
      CLOSED = lookup.findVarHandle(Managed.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // Owners beside one, so that a new value needs no write here: a volatile one costs more than all
  // else of making a small object. Negative once the value is disposed of.
  private volatile int moreOwners;

  @SuppressWarnings("UnusedVariable") // accessed through CLOSED
  private volatile boolean closed;

  private LeakNet.@Nullable Watch watch;

  // The next of the dead values whose parts are still to be let go of; see disposeDeeply.
  private @Nullable Managed nextDead;

  /** Creates the value with its maker as the one owner. */
  protected Managed() {}

  /**
   * Adds an owner.
   *
   * @throws CallException a {@code ValueError} when the value is already disposed of
   */
  public final void retain() {
    int before = (int) MORE_OWNERS.getAndAdd(this, 1);
    if (before < 0) {
      MORE_OWNERS.getAndAdd(this, -1);
      throw new CallException(
          ErrorKind.VALUE, "this " + describeKind() + " is closed: it cannot be used any more");
    }
  }

  /**
   * Takes an owner away; the last one disposes of the value and lets go of what it owns, however
   * deeply that is nested.
   *
   * @throws RuntimeException the first failure of giving something back, an {@link Error} likewise;
   *     all else is released all the same
   */
  public final void release() {
    if (dropOwner()) {
      if (parts().length == 0) {
        disposeAlone();
      } else {
        disposeDeeply();
      }
    }
  }

  /** Takes an owner away and tells whether it was the last. */
  private boolean dropOwner() {
    while (true) {
      int before = moreOwners;
      if (before < 0) {
        throw new IllegalStateException("a " + describeKind() + " was released more than retained");
      }
      if (MORE_OWNERS.compareAndSet(this, before, before == 0 ? DEAD : before - 1)) {
        return before == 0;
      }
    }
  }

  // A program can nest tuples and closures deeper than the Java stack, so parts that have parts of
  // their own wait in a queue. It is linked through the values: letting go must not need memory.
  private void disposeDeeply() {
    Managed last = this;
    Throwable failure = null;
    for (Managed dead = this; dead != null; dead = dead.takeNextDead()) {
      try {
        dead.disposeAlone();
      } catch (RuntimeException | Error e) {
        failure = FirstFailure.of(failure, e);
      }
      for (Object part : dead.parts()) {
        try {
          if (part instanceof Managed managed && dead.giveUp(managed)) {
            if (managed.parts().length == 0) {
              managed.disposeAlone();
            } else {
              last.nextDead = managed;
              last = managed;
            }
          }
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
      }
    }
    FirstFailure.raise(failure);
  }

  private @Nullable Managed takeNextDead() {
    Managed next = nextDead;
    nextDead = null;
    return next;
  }

  private void disposeAlone() {
    LeakNet.Watch told = watch;
    if (told != null) {
      told.closed();
    }
    dispose();
  }

  private boolean giveUp(Managed part) {
    return (!partsAreHandles() || CLOSED.compareAndSet(part, false, true)) && part.dropOwner();
  }

  /** Gives up the handle's owner; closing again does nothing. */
  @Override
  public final void close() {
    if (CLOSED.compareAndSet(this, false, true)) {
      release();
    }
  }

  /** Whether the value has an owner left and so may be used. */
  public final boolean isLive() {
    return moreOwners >= 0;
  }

  /**
   * An independent handle on the same content with one owner, the caller: closing either leaves the
   * other usable.
   */
  public abstract Managed newHandle();

  /** The values that this one is an owner of and lets go of when it is disposed of. */
  @Nullable Object[] parts() {
    return NO_PARTS;
  }

  /** Whether the parts are handles, which a user may have closed before. */
  boolean partsAreHandles() {
    return false;
  }

  /** Releases what the value holds; called once. */
  protected abstract void dispose();

  /**
   * What {@link #dispose()} does, as an action that does not refer to this value; null when no
   * memory of an allocator depends on it.
   */
  @Nullable Runnable contentReleaser() {
    return null;
  }

  final void watchedBy(LeakNet.Watch net) {
    this.watch = net;
  }

  @SuppressWarnings("ReferenceEquality") // identity is meant: equal tensors have separate owners
  final boolean isSameAs(@Nullable Object other) {
    return this == other;
  }

  /** What messages call this value, such as {@code tensor}. */
  protected abstract String describeKind();

  /** Adds an owner when the value is a managed one. */
  public static void retain(@Nullable Object value) {
    if (value instanceof Managed managed) {
      managed.retain();
    }
  }

  /** Adds an owner to each managed value, or to none when one of them is closed. */
  static void retainAll(@Nullable Object[] values) {
    int retained = 0;
    try {
      for (; retained < values.length; retained++) {
        retain(values[retained]);
      }
    } finally {
      if (retained < values.length) {
        for (int i = 0; i < retained; i++) {
          release(values[i]);
        }
      }
    }
  }

  /** Takes an owner away when the value is a managed one. */
  public static void release(@Nullable Object value) {
    if (value instanceof Managed managed) {
      managed.release();
    }
  }
}
