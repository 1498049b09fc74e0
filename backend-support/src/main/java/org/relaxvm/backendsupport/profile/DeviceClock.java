package org.relaxvm.backendsupport.profile;

import org.jspecify.annotations.Nullable;

/**
 * Converts times of a device's clock to {@link System#nanoTime()}. The two have different starts,
 * and one of them goes a little faster: samples of both, taken now and then, tell how much.
 *
 * <p>Two samples make the line: the most exact of the first second, and the most exact of those
 * since, which newer ones replace. The rate between them is believed when they are far enough apart
 * for their errors; until then a tick is what the device says that it is.
 *
 * <p>Thread-safe.
 */
public final class DeviceClock {
  /** What clocks may differ: more is a mistake of a sample. */
  private static final double MOST_DRIFT = 1e-3;

  /** The errors of two samples against the time between them. */
  private static final double EXACT_ENOUGH = 1e-5;

  private static final double FIRST_NANOS = 1e9;

  private final double nanosPerTick;
  private @Nullable Sample first;
  private @Nullable Sample last;

  /**
   * A clock that was never looked at.
   *
   * @param nanosPerTick what the device says that a tick is
   */
  public DeviceClock(double nanosPerTick) {
    this.nanosPerTick = nanosPerTick;
  }

  private record Sample(double hostNanos, long ticks, double error) {}

  /**
   * Tells what time it is: the device's clock was read between two times of the host.
   *
   * @param hostBefore {@link System#nanoTime()} before
   * @param ticks of the device's clock
   * @param hostAfter {@link System#nanoTime()} after
   */
  public synchronized void sample(long hostBefore, long ticks, long hostAfter) {
    double error = (hostAfter - hostBefore) / 2.0;
    Sample taken = new Sample(hostBefore + error, ticks, error);
    Sample start = first;
    if (start == null) {
      first = taken;
    } else if (taken.hostNanos - start.hostNanos < FIRST_NANOS) {
      first = error < start.error ? taken : start;
    } else {
      Sample known = last;
      // An old sample is worth less with each second, as the rate is not exactly known.
      last =
          known == null || error < known.error + (taken.hostNanos - known.hostNanos) * EXACT_ENOUGH
              ? taken
              : known;
    }
  }

  /** Whether there was a sample; before that no time can be converted. */
  public synchronized boolean isSet() {
    return first != null;
  }

  /**
   * A time of the device's clock as {@link System#nanoTime()}.
   *
   * @throws IllegalStateException when there was no sample
   */
  public synchronized long hostNanos(long ticks) {
    Sample start = first;
    if (start == null) {
      throw new IllegalStateException("the clock of the device was never read");
    }
    Sample end = last;
    Sample near =
        end != null && Math.abs(ticks - end.ticks) < Math.abs(ticks - start.ticks) ? end : start;
    return Math.round(near.hostNanos + (ticks - near.ticks) * rate());
  }

  /** How long so many ticks take, in nanoseconds. */
  public synchronized long nanos(long ticks) {
    return Math.round(ticks * rate());
  }

  private double rate() {
    Sample start = first;
    Sample end = last;
    if (start == null || end == null || end.ticks <= start.ticks) {
      return nanosPerTick;
    }
    double apart = end.hostNanos - start.hostNanos;
    double rate = apart / (end.ticks - start.ticks);
    boolean believed =
        start.error + end.error <= EXACT_ENOUGH * apart
            && Math.abs(rate / nanosPerTick - 1) <= MOST_DRIFT;
    return believed ? rate : nanosPerTick;
  }
}
