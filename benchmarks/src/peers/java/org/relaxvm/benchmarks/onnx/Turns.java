package org.relaxvm.benchmarks.onnx;

import ai.onnxruntime.OrtException;
import java.util.concurrent.TimeUnit;
import org.relaxvm.benchmarks.Measure;

/**
 * Times of two sides that are called in turn, in blocks of calls.
 *
 * <p>Threads of ONNX Runtime spin while a call runs and are told to stop with it, since they would
 * go on and keep a core from us; ours wait for 0.1 ms before they sleep. So with several threads
 * each block comes after a pause and after a few calls that are not timed. The ratio is the median
 * over the pairs of blocks.
 *
 * @param ours seconds of one of our calls, the median
 * @param theirs seconds of one of the peer's calls, the median
 * @param ratio the peer's time over ours
 */
public record Turns(double ours, double theirs, double ratio) {
  private static final int PAIRS = 21;
  private static final double BLOCK_SECONDS = 0.006;
  private static final double WARM_UP_SECONDS = 1.5;
  private static final double STEADY = 0.97;
  private static final int STEADY_ROUNDS = 2;
  private static final int MOST_ROUNDS = 12;
  private static final long PAUSE_MILLIS = 20;
  private static final int UNTIMED_CALLS = 2;

  /** Measures both sides, which work with as many threads. */
  public static Turns take(Call ours, Call theirs, int threads)
      throws OrtException, InterruptedException {
    return measure(ours, fastest(ours), theirs, fastest(theirs), threads);
  }

  /**
   * As {@link #take}, of calls of so much code that compiling it takes a while: they are made until
   * they become no faster.
   */
  public static Turns takeWhenSteady(Call ours, Call theirs, int threads)
      throws OrtException, InterruptedException {
    return measure(ours, steady(ours), theirs, fastest(theirs), threads);
  }

  private static Turns measure(
      Call ours, double ourSeconds, Call theirs, double theirSeconds, int threads)
      throws OrtException, InterruptedException {
    int ourCalls = (int) Math.max(1, BLOCK_SECONDS / ourSeconds);
    int theirCalls = (int) Math.max(1, BLOCK_SECONDS / theirSeconds);
    double[] ourTimes = new double[PAIRS];
    double[] theirTimes = new double[PAIRS];
    double[] ratios = new double[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
      ourTimes[i] = block(ours, ourCalls, threads);
      theirTimes[i] = block(theirs, theirCalls, threads);
      ratios[i] = theirTimes[i] / ourTimes[i];
    }
    return new Turns(Measure.median(ourTimes), Measure.median(theirTimes), Measure.median(ratios));
  }

  /**
   * Makes a call until it becomes no faster, which it does while it is compiled; seconds of the
   * fastest.
   */
  public static double steady(Call call) throws OrtException {
    double fastest = Double.POSITIVE_INFINITY;
    for (int round = 0, since = 0; round < MOST_ROUNDS && since < STEADY_ROUNDS; round++) {
      double now = fastest(call);
      since = now < STEADY * fastest ? 0 : since + 1;
      fastest = Math.min(fastest, now);
    }
    return fastest;
  }

  /** Calls until most of the code is compiled; seconds of the fastest call. */
  private static double fastest(Call call) throws OrtException {
    long end = System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9);
    double fastest = Double.POSITIVE_INFINITY;
    while (System.nanoTime() < end) {
      fastest = Math.min(fastest, time(call, 1));
    }
    return fastest;
  }

  private static double block(Call call, int calls, int threads)
      throws OrtException, InterruptedException {
    if (threads > 1) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    time(call, UNTIMED_CALLS);
    return time(call, calls);
  }

  /** Seconds of one call. */
  private static double time(Call call, int calls) throws OrtException {
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      call.run();
    }
    return (System.nanoTime() - start) * 1e-9 / calls;
  }

  /** A call of one side. */
  @FunctionalInterface
  public interface Call {
    /** Calls it. */
    void run() throws OrtException;
  }
}
