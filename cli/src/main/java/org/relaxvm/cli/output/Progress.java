package org.relaxvm.cli.output;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A progress bar on the terminal for work that takes over a second; without a terminal it prints
 * nothing. Thread-safe.
 */
public final class Progress implements AutoCloseable {
  private static final long FIRST_NANOS = 1_000_000_000L;
  private static final long NEXT_NANOS = 100_000_000L;
  private static final int WIDTH = 30;

  private final Console console;
  private final String what;
  private final long total;
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong nextDraw = new AtomicLong(System.nanoTime() + FIRST_NANOS);
  private volatile boolean drawn;

  /** Starts counting towards {@code total} steps of {@code what}. */
  public Progress(Console console, String what, long total) {
    this.console = console;
    this.what = what;
    this.total = Math.max(1, total);
  }

  /** Counts one more step. */
  public void step() {
    long count = done.incrementAndGet();
    if (!console.errTerminal()) {
      return;
    }
    long now = System.nanoTime();
    long due = nextDraw.get();
    if (now - due >= 0 && nextDraw.compareAndSet(due, now + NEXT_NANOS)) {
      draw(Math.min(count, total));
    }
  }

  /** Shows that work without a known number of steps goes on. */
  public void pulse() {
    if (!console.errTerminal()) {
      return;
    }
    long now = System.nanoTime();
    long due = nextDraw.get();
    if (now - due >= 0 && nextDraw.compareAndSet(due, now + NEXT_NANOS)) {
      drawn = true;
      console.err().print("\rwarming up ...");
      console.err().flush();
    }
  }

  private synchronized void draw(long count) {
    drawn = true;
    console.err().print("\r" + bar(what, count, total));
    console.err().flush();
  }

  /** A bar as text. */
  static String bar(String what, long count, long total) {
    int filled = (int) (Math.min(count, total) * WIDTH / Math.max(1, total));
    return what
        + " ["
        + "#".repeat(filled)
        + "-".repeat(WIDTH - filled)
        + "] "
        + count
        + "/"
        + total;
  }

  /** Removes the bar. */
  @Override
  public void close() {
    if (drawn) {
      console.err().print("\r\u001b[K");
      console.err().flush();
    }
  }
}
