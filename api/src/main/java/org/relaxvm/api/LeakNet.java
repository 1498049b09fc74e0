package org.relaxvm.api;

import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.events.LeakEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The net under results that a user forgets to close: when a watched value is garbage, what it
 * holds is released and a warning is logged. It is no substitute for closing: memory comes back
 * late, or never when no garbage is collected.
 *
 * <p>Only values with memory of an allocator are watched; the fields of a tuple are watched one by
 * one, because a user may keep a field and forget the tuple.
 *
 * <p>Thread-safe.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does the leak detector watch the fields of a tuple
 * and not the tuple?"
 */
public final class LeakNet {
  private static final Logger LOG = LoggerFactory.getLogger(LeakNet.class);

  private final boolean trace;
  private @Nullable Cleaner cleaner;

  /**
   * Makes a net, which starts a thread when it first watches something.
   *
   * @param trace whether warnings show where the value was made, which costs a stack trace each
   */
  public LeakNet(boolean trace) {
    this.trace = trace;
  }

  /**
   * Watches a handle that a user has got and nobody else.
   *
   * @param origin where the value comes from, such as {@code function main}
   */
  public void watch(@Nullable Object handle, String origin) {
    if (!(handle instanceof Tuple outermost)) {
      watchAlone(handle, origin);
      return;
    }
    // Not recursive: a program decides how deep it nests tuples.
    ArrayDeque<Tuple> waiting = new ArrayDeque<>(List.of(outermost));
    while (!waiting.isEmpty()) {
      for (Object field : waiting.removeFirst().fields()) {
        if (field instanceof Tuple tuple) {
          waiting.addLast(tuple);
        } else {
          watchAlone(field, origin);
        }
      }
    }
  }

  private void watchAlone(@Nullable Object handle, String origin) {
    if (handle instanceof Managed managed) {
      Runnable giveBack = managed.contentReleaser();
      if (giveBack != null) {
        Leak leak = new Leak(managed.describeKind(), origin, giveBack, trace ? new Site() : null);
        // Told of a close before the cleaner can act: it must never give back a second time.
        Watch told = new Watch(leak);
        managed.watchedBy(told);
        told.cleanable = cleaner().register(managed, leak);
      }
    }
  }

  /**
   * Watches something that is no value and that a user has got to close.
   *
   * @param handle what the user holds
   * @param kind what messages call it
   * @param origin where it comes from, such as {@code the capture of function main}
   * @param giveBack closes it; must not refer to the handle
   * @return what to do when it is closed in time
   */
  public Runnable watch(Object handle, String kind, String origin, Runnable giveBack) {
    Watch told = new Watch(new Leak(kind, origin, giveBack, trace ? new Site() : null));
    told.cleanable = cleaner().register(handle, told.leak);
    return told::closed;
  }

  private synchronized Cleaner cleaner() {
    Cleaner made = cleaner;
    if (made == null) {
      made = Cleaner.create(LeakNet::newThread);
      cleaner = made;
    }
    return made;
  }

  private static Thread newThread(Runnable work) {
    Thread thread =
        Thread.ofVirtual()
            .name("relaxvm-leak-net")
            .inheritInheritableThreadLocals(false)
            .unstarted(work);
    // The net may outlive the code that first used it, whose class loader it must not keep.
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    return thread;
  }

  /** Told when a watched value is closed in time. */
  static final class Watch {
    private final Leak leak;
    private volatile Cleaner.@Nullable Cleanable cleanable;

    Watch(Leak leak) {
      this.leak = leak;
    }

    void closed() {
      leak.closed = true;
      Cleaner.Cleanable registered = cleanable;
      if (registered != null) {
        registered.clean();
      }
    }
  }

  /** Releases what a forgotten value holds; does not refer to the value. */
  private static final class Leak implements Runnable {
    private final String kind;
    private final String origin;
    private final Runnable giveBack;
    private final @Nullable Site site;
    private volatile boolean closed;

    Leak(String kind, String origin, Runnable giveBack, @Nullable Site site) {
      this.kind = kind;
      this.origin = origin;
      this.giveBack = giveBack;
      this.site = site;
    }

    @Override
    public void run() {
      if (!closed) {
        LOG.warn(
            "a {} that {} returned was never closed; its memory is released only now{}",
            kind,
            origin,
            site == null ? " (traceLeaks(true) on the builder shows where it was made)" : "",
            site);
        if (Events.areOn()) {
          LeakEvent.emit(kind, origin, site == null ? "" : site.frames());
        }
        giveBack.run();
      }
    }
  }

  /** Where a value was made. */
  private static final class Site extends Throwable {
    private static final long serialVersionUID = 1L;

    Site() {
      super("the value was made here");
    }

    String frames() {
      return Arrays.stream(getStackTrace())
          .dropWhile(frame -> frame.getClassName().equals(LeakNet.class.getName()))
          .map(StackTraceElement::toString)
          .collect(Collectors.joining("\n"));
    }
  }
}
