package org.relaxvm.rpc.transport;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes links whose deadline has passed. One daemon thread serves all links of the process; it
 * sleeps until the next deadline, and ends when no link is left.
 *
 * <p>Setting a deadline costs one volatile write as long as it is later than the next one, so a
 * limit for each request is nearly free. A blocking read of a channel takes no time limit of its
 * own.
 */
final class Deadlines {
  private static final Deadlines SHARED = new Deadlines();

  private final Set<AbstractLink> links = ConcurrentHashMap.newKeySet();
  private volatile long wakeAt = Link.NEVER;
  private volatile Thread watcher = Thread.currentThread();
  private boolean running;

  private Deadlines() {}

  static Deadlines shared() {
    return SHARED;
  }

  synchronized void add(AbstractLink link) {
    links.add(link);
    if (!running) {
      running = true;
      wakeAt = Link.NEVER;
      watcher = Thread.ofPlatform().daemon().name("relaxvm-rpc-deadlines").start(this::watch);
    }
  }

  synchronized void remove(AbstractLink link) {
    links.remove(link);
    if (links.isEmpty()) {
      LockSupport.unpark(watcher);
    }
  }

  void changed(long deadline) {
    if (deadline < wakeAt) {
      LockSupport.unpark(watcher);
    }
  }

  private void watch() {
    while (isNeeded()) {
      wakeAt = Link.NEVER;
      long now = System.nanoTime();
      long next = Link.NEVER;
      for (AbstractLink link : links) {
        long deadline = link.deadline();
        if (deadline != Link.NEVER && deadline - now <= 0) {
          link.expire();
        } else {
          next = Math.min(next, deadline);
        }
      }
      wakeAt = next;
      // A deadline that was set since the scan began left a permit.
      if (next == Link.NEVER) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, next - System.nanoTime());
      }
    }
  }

  private synchronized boolean isNeeded() {
    if (links.isEmpty()) {
      running = false;
      return false;
    }
    return true;
  }
}
