package org.relaxvm.benchmarks;

import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;

/**
 * float32 matrix products called by two threads at once, beside the same calls one after the other
 * by one thread. Both share one {@link WorkerPool} of two threads. Prints a Markdown table; takes a
 * minute.
 */
public final class TwoCallsBenchmark {
  private static final long[][] SIZES = {
    {16, 16, 16}, {64, 64, 64}, {256, 256, 256}, {512, 512, 512}, {1, 2048, 2048}, {128, 3072, 768},
  };
  private static final int TRIALS = 15;
  private static final double TRIAL_SECONDS = 0.05;
  private static final double WARM_UP_SECONDS = 3;

  private final PackedFunc matmul;
  private final KernelContext context;
  private final ExecutorService callers;

  private TwoCallsBenchmark(PackedFunc matmul, WorkerPool workers, ExecutorService callers) {
    this.matmul = matmul;
    this.context = new KernelContext(workers);
    this.callers = callers;
  }

  /** Runs the benchmark. */
  public static void main(String[] args) {
    PackedFunc matmul =
        BackendRegistry.discover().require("cpu:0").library().find("relaxvm.matmul").orElseThrow();
    try (WorkerPool workers = WorkerPool.ofThreads(2);
        ExecutorService callers = Executors.newFixedThreadPool(2)) {
      TwoCallsBenchmark benchmark = new TwoCallsBenchmark(matmul, workers, callers);
      System.out.println("| m x n x k | in turn, calls/s | at once, calls/s | ratio |");
      System.out.println("| --- | --- | --- | --- |");
      for (long[] size : SIZES) {
        benchmark.compare(size[0], size[1], size[2]);
      }
    }
  }

  private void compare(long m, long n, long k) {
    Runnable first = call(m, n, k);
    Runnable second = call(m, n, k);
    int calls = 1;
    long end = System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9);
    while (System.nanoTime() < end) {
      double seconds = inTurn(first, second, calls);
      atOnce(first, second, calls);
      calls = (int) Math.max(1, TRIAL_SECONDS / seconds * calls);
    }
    double[] turns = new double[TRIALS];
    double[] once = new double[TRIALS];
    double[] ratios = new double[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
      turns[i] = inTurn(first, second, calls);
      once[i] = atOnce(first, second, calls);
      ratios[i] = turns[i] / once[i];
    }
    System.out.printf(
        Locale.ROOT,
        "| %d x %d x %d | %.0f | %.0f | %.2f |%n",
        m,
        n,
        k,
        2 * calls / Measure.median(turns),
        2 * calls / Measure.median(once),
        Measure.median(ratios));
  }

  private Runnable call(long m, long n, long k) {
    CallArgs args =
        CallArgs.of(
            context,
            new Object[] {
              Measure.random(Shape.of(m, k)),
              Measure.random(Shape.of(k, n)),
              null,
              false,
              false,
              "none",
              Tensor.zeros(DType.FLOAT32, Shape.of(m, n))
            });
    CallResult result = new CallResult();
    return () -> matmul.call(args, result);
  }

  /** Seconds of so many calls of each, in turn, so that both ways need the same memory near. */
  private double inTurn(Runnable first, Runnable second, int calls) {
    long start = System.nanoTime();
    wait(
        callers.submit(
            () -> {
              for (int i = 0; i < calls; i++) {
                first.run();
                second.run();
              }
            }));
    return (System.nanoTime() - start) * 1e-9;
  }

  /** Seconds of so many calls of each, made by two threads. */
  private double atOnce(Runnable first, Runnable second, int calls) {
    long start = System.nanoTime();
    Future<?> one = callers.submit(() -> repeat(first, calls));
    Future<?> other = callers.submit(() -> repeat(second, calls));
    wait(one);
    wait(other);
    return (System.nanoTime() - start) * 1e-9;
  }

  private static void repeat(Runnable call, int calls) {
    for (int i = 0; i < calls; i++) {
      call.run();
    }
  }

  private static void wait(Future<?> future) {
    try {
      future.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
