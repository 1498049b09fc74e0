package org.relaxvm.cli.output;

import java.util.function.LongSupplier;
import org.relaxvm.vmcore.program.LoadProgress;

/**
 * A progress bar on the terminal for programs whose loading takes over a second; where standard
 * error is no terminal it prints nothing. Confined to the thread that loads.
 */
public final class LoadBar implements LoadProgress, AutoCloseable {
  private static final long FIRST_NANOS = 1_000_000_000L;
  private static final long NEXT_NANOS = 100_000_000L;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final Console console;
  private final LongSupplier clock;
  private long nextDraw;
  private boolean isDrawn;

  /** A bar for a program that is loaded from now on. */
  public LoadBar(Console console) {
    this(console, System::nanoTime);
  }

  LoadBar(Console console, LongSupplier clock) {
    this.console = console;
    this.clock = clock;
    this.nextDraw = clock.getAsLong() + FIRST_NANOS;
  }

  @Override
  public void report(String work, long done, long total) {
    if (!console.errTerminal()) {
      return;
    }
    long now = clock.getAsLong();
    if (now - nextDraw >= 0) {
      nextDraw = now + NEXT_NANOS;
      isDrawn = true;
      console.err().print(CLEAR_LINE + Progress.bar(work, done, total));
      console.err().flush();
    }
  }

  /** Removes the bar. */
  @Override
  public void close() {
    if (isDrawn) {
      console.err().print(CLEAR_LINE);
      console.err().flush();
    }
  }
}
