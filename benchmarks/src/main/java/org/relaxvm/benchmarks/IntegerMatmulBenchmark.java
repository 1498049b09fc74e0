package org.relaxvm.benchmarks;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Module;

/**
 * Products of 8-bit integers, {@code relaxvm.matmul_integer}, beside float32 products of the same
 * sizes, called in turn by one thread. Prints a Markdown table; takes half a minute.
 */
public final class IntegerMatmulBenchmark {
  private static final long[][] SIZES = {
    {1, 4096, 4096}, {64, 64, 64}, {256, 256, 256}, {128, 3072, 768}, {960, 1024, 960},
  };
  private static final int TRIALS = 25;
  private static final double TRIAL_SECONDS = 0.01;
  private static final double WARM_UP_SECONDS = 2;

  private IntegerMatmulBenchmark() {}

  /** Runs the benchmark. */
  public static void main(String[] args) {
    Module library = BackendRegistry.discover().require("cpu:0").library();
    System.out.println("| m x n x k | int8, GOP/s | float32, GFLOP/s | ratio |");
    System.out.println("| --- | --- | --- | --- |");
    try (WorkerPool workers = WorkerPool.ofThreads(1)) {
      for (long[] size : SIZES) {
        compare(library, new KernelContext(workers), size[0], size[1], size[2]);
      }
    }
  }

  private static void compare(Module library, KernelContext context, long m, long n, long k) {
    Shape left = Shape.of(m, k);
    Shape right = Shape.of(k, n);
    Shape out = Shape.of(m, n);
    Runnable bytes =
        call(
            library,
            context,
            "relaxvm.matmul_integer",
            bytes(left),
            bytes(right),
            false,
            false,
            Tensor.zeros(DType.INT32, out));
    Runnable floats =
        call(
            library,
            context,
            "relaxvm.matmul",
            Measure.random(left),
            Measure.random(right),
            null,
            false,
            false,
            "none",
            Tensor.zeros(DType.FLOAT32, out));
    Measure.warmUp(bytes, WARM_UP_SECONDS);
    Measure.warmUp(floats, WARM_UP_SECONDS);
    int calls = (int) Math.max(1, TRIAL_SECONDS / Measure.time(floats, 3));
    double[] ratios = new double[TRIALS];
    double[] byteTimes = new double[TRIALS];
    double[] floatTimes = new double[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
      byteTimes[i] = Measure.time(bytes, calls);
      floatTimes[i] = Measure.time(floats, calls);
      ratios[i] = floatTimes[i] / byteTimes[i];
    }
    double operations = 2e-9 * m * n * k;
    System.out.printf(
        Locale.ROOT,
        "| %d x %d x %d | %.1f | %.1f | %.2f |%n",
        m,
        n,
        k,
        operations / Measure.median(byteTimes),
        operations / Measure.median(floatTimes),
        Measure.median(ratios));
  }

  private static Runnable call(
      Module library, KernelContext context, String name, @Nullable Object... values) {
    CallArgs args = CallArgs.of(context, values);
    CallResult result = new CallResult();
    return () -> library.find(name).orElseThrow().call(args, result);
  }

  private static Tensor bytes(Shape shape) {
    byte[] values = new byte[(int) shape.elementCount()];
    new Random(1).nextBytes(values);
    Tensor tensor = Tensor.zeros(DType.INT8, shape);
    tensor.segment().copyFrom(MemorySegment.ofArray(values));
    return tensor;
  }
}
