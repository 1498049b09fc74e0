package org.relaxvm.rpc.client;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.relaxvm.rpc.RemoteCallException;
import org.relaxvm.rpc.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handle that this client holds of the other side, and gives back once: when it is closed, or
 * before the request that follows the discovery that nobody can reach it.
 */
public final class Handles {
  private static final Logger LOG = LoggerFactory.getLogger(Handles.class);
  private static final Cleaner CLEANER = Cleaner.create();

  private Handles() {}

  /** The state of a handle, which does not refer to the object that users hold. */
  public static final class Owned {
    private final Conversation conversation;
    private final long handle;
    private final LongConsumer free;
    private final AtomicBoolean freed = new AtomicBoolean();

    Owned(Conversation conversation, long handle, LongConsumer free) {
      this.conversation = conversation;
      this.handle = handle;
      this.free = free;
    }

    /** Whether it was given back. */
    public boolean isFreed() {
      return freed.get();
    }

    /** Gives it back now. It is gone anyway where the session is. */
    public void free() {
      if (freed.compareAndSet(false, true) && conversation.isOpen()) {
        try {
          free.accept(handle);
        } catch (RpcException e) {
          LOG.debug("the session ended before a handle was given back", e);
        }
      }
    }

    private void freeLater() {
      conversation.later(
          () -> {
            try {
              free();
            } catch (RemoteCallException e) {
              LOG.debug("{} did not take a handle back", conversation.peer(), e);
            }
          });
    }
  }

  /**
   * Watches an object that users hold.
   *
   * @param free makes the request that gives the handle back; must not refer to the object
   */
  public static Owned own(
      Object holder, Conversation conversation, long handle, LongConsumer free) {
    Owned owned = new Owned(conversation, handle, free);
    CLEANER.register(holder, owned::freeLater);
    return owned;
  }
}
