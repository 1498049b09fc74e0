package org.relaxvm.rpc.client;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.wire.PacketCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles of the other side, each released once: when its last holder is closed and no request uses
 * it, or before the request that follows the discovery that nobody can reach a holder.
 */
public final class Handles {
  private static final Logger LOG = LoggerFactory.getLogger(Handles.class);
  private static final Cleaner CLEANER = Cleaner.create();

  private Handles() {}

  /**
   * Watches an object that users hold, the first holder of a handle.
   *
   * @param code the system call that releases the handle
   * @param args its arguments
   */
  public static Hold own(Object holder, Calls calls, PacketCode code, @Nullable Object... args) {
    return new Owned(calls, code, args).heldBy(holder);
  }

  /** A handle and the number of those that need it: holders, and requests that are under way. */
  private static final class Owned {
    private final Calls calls;
    private final PacketCode code;
    private final @Nullable Object[] args;
    private final AtomicInteger users = new AtomicInteger(1);

    Owned(Calls calls, PacketCode code, @Nullable Object... args) {
      this.calls = calls;
      this.code = code;
      this.args = args;
    }

    /** Takes over one use. The state of a holder must not refer to the holder. */
    Hold heldBy(Object holder) {
      Hold hold = new Hold(this);
      hold.watch = CLEANER.register(holder, hold::forgotten);
      return hold;
    }

    boolean use() {
      int count = users.get();
      while (count > 0 && !users.compareAndSet(count, count + 1)) {
        count = users.get();
      }
      return count > 0;
    }

    boolean isLastUse() {
      return users.decrementAndGet() == 0 && calls.conversation().isOpen();
    }

    void free() {
      try {
        calls.system(code, args);
      } catch (RpcException e) {
        LOG.debug("the session ended before a handle was released", e);
      }
    }

    void freeLater() {
      calls
          .conversation()
          .later(
              () -> {
                try {
                  calls.submit(code, args);
                } catch (RpcException e) {
                  LOG.debug("the session ended before a handle was released", e);
                }
              });
    }
  }

  /** What one holder has: a use of the handle until it is closed or unreachable. */
  public static final class Hold {
    private final Owned owned;
    private final AtomicBoolean gone = new AtomicBoolean();
    private Cleaner.@Nullable Cleanable watch;

    private Hold(Owned owned) {
      this.owned = owned;
    }

    /** Whether the holder was closed. */
    public boolean isClosed() {
      return gone.get();
    }

    /** Keeps the handle until {@link #endUse}; false when it is closed. */
    public boolean use() {
      return !gone.get() && owned.use();
    }

    /** Ends a use; where it was the last one, the handle goes before the next request. */
    public void endUse() {
      if (owned.isLastUse()) {
        owned.freeLater();
      }
    }

    /** A second holder of the handle; null when this one is closed. */
    public @Nullable Hold share(Object holder) {
      return use() ? owned.heldBy(holder) : null;
    }

    /** Closes the holder; the handle is released now if nobody else needs it. */
    public void close() {
      if (gone.compareAndSet(false, true)) {
        Cleaner.Cleanable cleanable = watch;
        if (cleanable != null) {
          cleanable.clean();
        }
        if (owned.isLastUse()) {
          owned.free();
        }
      }
    }

    /** Runs on the thread of the cleaner, which makes no requests. */
    private void forgotten() {
      if (gone.compareAndSet(false, true)) {
        endUse();
      }
    }
  }
}
