package org.relaxvm.vmcore.vm;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long calls of a function take. One call is made before measuring; then {@code
 * repeat} times {@code number} calls are timed together. A call's time includes the wait for its
 * devices.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 9. Not thread-safe.
 */
public final class TimeEvaluator {
  private static final double GROWTH = 1.618;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private final @Nullable VirtualMachine vm;
  private final LongSupplier nanoTime;
  private int number = 10;
  private int repeat = 1;
  private int minRepeatMillis;
  private int limitZeroTimeIterations = 100;
  private int cooldownMillis;
  private int repeatsToCooldown = 1;
  private int cacheFlushBytes;
  private @Nullable Runnable preprocess;

  TimeEvaluator(@Nullable VirtualMachine vm, LongSupplier nanoTime) {
    this.vm = vm;
    this.nanoTime = nanoTime;
  }

  /** Measures calls of anything, see {@link #measure}. */
  public static TimeEvaluator ofCalls() {
    return new TimeEvaluator(null, System::nanoTime);
  }

  /**
   * How many calls are timed together; 10 unless chosen. Grows to reach {@link #minRepeatMillis}.
   */
  public TimeEvaluator number(int calls) {
    this.number = atLeast("number", 1, calls);
    return this;
  }

  /** How many times are measured; 1 unless chosen. */
  public TimeEvaluator repeat(int times) {
    this.repeat = atLeast("repeat", 1, times);
    return this;
  }

  /** The least time to measure, in milliseconds; {@link #number} grows until it is reached. */
  public TimeEvaluator minRepeatMillis(int millis) {
    this.minRepeatMillis = atLeast("minRepeatMillis", 0, millis);
    return this;
  }

  /** How often a measured time of 0 is tried again before it is accepted; 100 unless chosen. */
  public TimeEvaluator limitZeroTimeIterations(int times) {
    this.limitZeroTimeIterations = atLeast("limitZeroTimeIterations", 0, times);
    return this;
  }

  /** Pauses for {@code millis} after each {@code repeats} times measured. */
  public TimeEvaluator cooldown(int millis, int repeats) {
    this.cooldownMillis = atLeast("cooldown", 0, millis);
    this.repeatsToCooldown = atLeast("repeats", 1, repeats);
    return this;
  }

  /**
   * Copies so many bytes before each time, to empty the caches of data; takes twice as much memory
   * while it measures.
   */
  public TimeEvaluator cacheFlushBytes(int bytes) {
    this.cacheFlushBytes = atLeast("cacheFlushBytes", 0, bytes);
    return this;
  }

  /** What to do before each time that is measured, such as restoring inputs; not timed. */
  public TimeEvaluator preprocess(Runnable action) {
    this.preprocess = action;
    return this;
  }

  /**
   * Measures.
   *
   * @param args as for {@link VmFunction#call}
   * @return {@code repeat} times
   * @throws org.relaxvm.api.error.CallException when a call fails
   */
  public Timing run(String function, @Nullable Object... args) {
    if (vm == null) {
      throw new IllegalStateException("this time evaluator has no virtual machine: use measure");
    }
    VmFunction target = vm.function(function);
    return measure(
        calls -> {
          for (int i = 0; i < calls; i++) {
            target.call(args).close();
          }
        });
  }

  /**
   * Measures what makes so many calls as it is told, and waits for their devices.
   *
   * @return {@code repeat} times
   */
  public Timing measure(IntConsumer target) {
    target.accept(1);
    double[] seconds = new double[repeat];
    byte[] flushSource = new byte[cacheFlushBytes];
    byte[] flushTarget = new byte[cacheFlushBytes];
    int calls = number;
    for (int i = 0; i < repeat; i++) {
      if (preprocess != null) {
        preprocess.run();
      }
      long nanos = 0;
      int zeros = 0;
      do {
        if (nanos > 0) {
          double millisPerCall = nanos / NANOS_PER_MILLI / calls;
          calls = (int) Math.max(minRepeatMillis / millisPerCall + 1, calls * GROWTH);
        }
        System.arraycopy(flushSource, 0, flushTarget, 0, cacheFlushBytes);
        nanos = time(target, calls);
        zeros += nanos == 0 ? 1 : 0;
      } while (nanos / NANOS_PER_MILLI < minRepeatMillis && zeros < limitZeroTimeIterations);
      seconds[i] = nanos / NANOS_PER_SECOND / calls;
      if (cooldownMillis > 0 && i % repeatsToCooldown == 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(cooldownMillis));
      }
    }
    return new Timing(seconds);
  }

  private long time(IntConsumer target, int calls) {
    long start = nanoTime.getAsLong();
    target.accept(calls);
    return nanoTime.getAsLong() - start;
  }

  private static int atLeast(String option, int least, int value) {
    if (value < least) {
      throw new IllegalArgumentException(
          option + " must be at least " + least + ", but is " + value);
    }
    return value;
  }
}
