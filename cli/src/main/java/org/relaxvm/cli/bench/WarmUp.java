package org.relaxvm.cli.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.relaxvm.cli.output.Progress;

/**
 * The calls before the measured ones.
 *
 * <p>Calls are grouped in windows of at least {@value #WINDOW_CALLS} calls and 20 ms. The speed is
 * steady when the median of two windows in a row is not more than 5 % below the lowest median of
 * the windows before. Warm-up ends then, or after {@value #MOST_CALLS} calls or 10 s.
 *
 * <p>Rationale: docs/rationale/cli.md, "When is a warm-up over?"
 *
 * @param calls the number of calls
 * @param nanos how long they took
 * @param isSteady whether the speed was steady at the end; true for a number that was chosen
 * @param isChosen whether the number of calls was chosen
 */
public record WarmUp(int calls, long nanos, boolean isSteady, boolean isChosen) {
  static final int WINDOW_CALLS = 5;
  static final int MOST_CALLS = 100_000;
  static final long WINDOW_NANOS = 20_000_000L;
  static final long MOST_NANOS = 10_000_000_000L;

  private static final double FALL = 0.95;
  private static final int STEADY_WINDOWS = 2;

  /** Makes so many calls, or calls until the speed is steady for a negative number. */
  public static WarmUp run(Runnable call, int chosen, Progress progress) {
    return run(call, chosen, progress, System::nanoTime);
  }

  static WarmUp run(Runnable call, int chosen, Progress progress, LongSupplier clock) {
    long begin = clock.getAsLong();
    if (chosen < 0) {
      return untilSteady(call, progress, clock, begin);
    }
    for (int i = 0; i < chosen; i++) {
      call.run();
      progress.step();
    }
    return new WarmUp(chosen, clock.getAsLong() - begin, true, true);
  }

  private static WarmUp untilSteady(
      Runnable call, Progress progress, LongSupplier clock, long begin) {
    long[] window = new long[MOST_CALLS];
    int calls = 0;
    int inWindow = 0;
    int steady = 0;
    long lowest = Long.MAX_VALUE;
    long windowBegin = begin;
    long now = begin;
    while (steady < STEADY_WINDOWS && calls < MOST_CALLS && now - begin < MOST_NANOS) {
      long before = now;
      call.run();
      progress.pulse();
      now = clock.getAsLong();
      window[inWindow++] = now - before;
      calls++;
      if (inWindow >= WINDOW_CALLS && now - windowBegin >= WINDOW_NANOS) {
        long median = median(window, inWindow);
        steady = lowest != Long.MAX_VALUE && median >= FALL * lowest ? steady + 1 : 0;
        lowest = Math.min(lowest, median);
        inWindow = 0;
        windowBegin = now;
      }
    }
    return new WarmUp(calls, now - begin, steady == STEADY_WINDOWS, false);
  }

  private static long median(long[] window, int length) {
    long[] sorted = Arrays.copyOf(window, length);
    Arrays.sort(sorted);
    return sorted[(length - 1) / 2];
  }

  /** Such as {@code 480 calls in 0.6 s, then steady}. */
  public String text() {
    String made =
        String.format(
            Locale.ROOT, "%d %s in %.1f s", calls, calls == 1 ? "call" : "calls", nanos / 1e9);
    return isChosen ? made : made + (isSteady ? ", then steady" : ", not steady by then");
  }
}
