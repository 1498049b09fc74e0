package org.relaxvm.benchmarks;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Device;

/**
 * float32 matrix products of the CPU backend beside OpenBLAS, called in turn in one process, on the
 * same memory, and beside the rate of a loop of fused multiply-adds. Prints a Markdown table; takes
 * a few minutes.
 *
 * <p>OpenBLAS chooses its kernels by the CPU, unless {@code OPENBLAS_CORETYPE} is set: it should
 * not be, since some environments set it to kernels that are slower here.
 *
 * <p>With more than one thread, blocks of calls of each side alternate, with a pause and one call
 * that is not counted in front of each. The threads of OpenBLAS wait for the next call by spinning,
 * longer than any pause unless {@code OPENBLAS_THREAD_TIMEOUT} is set: 22 makes them spin for 2^22
 * cycles, some milliseconds, which is longer than they ever wait within a block and shorter than
 * the pause. Without it they would hold the cores while our calls are timed.
 *
 * <p>Arguments: thread counts, {@code 1 2} unless given; {@code constant} for other sizes, with
 * right operands that are known to be constant, which OpenBLAS has no notion of.
 */
public final class MatmulBenchmark {
  private static final long[][] SIZES = {
    {1, 4096, 4096},
    {4, 1024, 1024},
    {64, 64, 64},
    {127, 129, 131},
    {256, 256, 256},
    {128, 3072, 768},
    {960, 1024, 960},
    {2048, 2048, 2048},
  };
  private static final String CONSTANT = "constant";
  private static final int TRIALS = 25;
  private static final int PEAK_CALLS = 10;
  private static final double TRIAL_SECONDS = 0.02;
  private static final double WARM_UP_SECONDS = 0.5;
  // The JIT compiler takes seconds for the tiles, and turns to what calls them after that.
  private static final double COMPILE_SECONDS = 4;
  private static final long PAUSE_MILLIS = Integer.getInteger("pause", 40);

  private static final long[][] CONSTANT_SIZES = {
    {8, 3072, 768}, {32, 1024, 1024}, {128, 3072, 768}, {256, 1024, 1024},
  };

  private final PackedFunc matmul;
  private final boolean constant;
  private final FmaPeak peak;

  private MatmulBenchmark(PackedFunc matmul, boolean constant, FmaPeak peak) {
    this.matmul = matmul;
    this.constant = constant;
    this.peak = peak;
  }

  /** Runs the benchmark. */
  public static void main(String[] args) {
    Device cpu = BackendRegistry.discover().require("cpu:0");
    String cores = System.getenv("OPENBLAS_CORETYPE");
    System.out.println("OpenBLAS: " + (cores == null ? "kernels of its own choice" : cores));
    System.out.println("kernels: " + cpu.properties().details().get("kernels"));
    List<String> given = Arrays.asList(args);
    boolean constant = given.contains(CONSTANT);
    PackedFunc matmul = cpu.library().find("relaxvm.matmul").orElseThrow();
    List<String> counts = given.stream().filter(arg -> !arg.equals(CONSTANT)).toList();
    try (FmaPeak peak = FmaPeak.ofThisMachine()) {
      MatmulBenchmark benchmark = new MatmulBenchmark(matmul, constant, peak);
      for (String count : counts.isEmpty() ? List.of("1", "2") : counts) {
        benchmark.run(Integer.parseInt(count));
      }
    }
  }

  private void run(int threads) {
    System.out.printf("%n%d threads%n%n", threads);
    if (threads > 1 && System.getenv("OPENBLAS_THREAD_TIMEOUT") == null) {
      System.out.println("OPENBLAS_THREAD_TIMEOUT is not set: OpenBLAS disturbs the other side\n");
    }
    System.out.println(
        "| m x n x k | RelaxVM GFLOP/s | OpenBLAS GFLOP/s | ratio | of the FMA peak |");
    System.out.println("| --- | --- | --- | --- | --- |");
    org.bytedeco.openblas.presets.openblas_nolapack.blas_set_num_threads(threads);
    double logarithms = 0;
    try (WorkerPool workers = WorkerPool.ofThreads(threads)) {
      long[][] sizes = constant ? CONSTANT_SIZES : SIZES;
      for (long[] size : sizes) {
        logarithms += Math.log(compare(size[0], size[1], size[2], new KernelContext(workers)));
      }
      System.out.printf(
          Locale.ROOT, "| geometric mean | | | %.2f | |%n", Math.exp(logarithms / sizes.length));
      if (!constant) {
        System.out.printf("%n| matrix | GB/s of it | GB/s of a plain read | ratio |%n");
        System.out.println("| --- | --- | --- | --- |");
        for (boolean transposed : new boolean[] {false, true}) {
          bandwidth(4096, transposed, workers);
          bandwidth(8192, transposed, workers);
        }
      }
    }
  }

  /** The time of OpenBLAS over ours, the median of the trials. */
  private double compare(long m, long n, long k, KernelContext context) {
    Tensor a = Measure.random(Shape.of(m, k));
    Tensor b = Measure.random(Shape.of(k, n));
    FloatPointer bPointer = pointer(b);
    if (constant) {
      b.markConstant();
    }
    Tensor ours = Tensor.zeros(DType.FLOAT32, Shape.of(m, n));
    Tensor theirs = Tensor.zeros(DType.FLOAT32, Shape.of(m, n));
    CallArgs args = CallArgs.of(context, new Object[] {a, b, null, false, false, "none", ours});
    CallResult result = new CallResult();
    Runnable our = () -> matmul.call(args, result);
    Runnable their = openBlas((int) m, (int) n, (int) k, pointer(a), bPointer, pointer(theirs));
    Measure.warmUp(our, COMPILE_SECONDS);
    Measure.warmUp(their, WARM_UP_SECONDS);
    requireSame(ours, theirs, k);
    double flops = 2.0 * m * n * k;
    int calls = (int) Math.max(1, TRIAL_SECONDS / Measure.time(their, 3));
    double[] ratios = new double[TRIALS];
    double[] ourTimes = new double[TRIALS];
    double[] theirTimes = new double[TRIALS];
    double[] ofPeak = new double[TRIALS];
    boolean alone = context.workers().parallelism() == 1;
    for (int i = 0; i < TRIALS; i++) {
      settle(our, alone);
      ourTimes[i] = Measure.time(our, calls);
      settle(their, alone);
      theirTimes[i] = Measure.time(their, calls);
      ratios[i] = theirTimes[i] / ourTimes[i];
      double peakRate = peak.flops() / Measure.time(peak::run, PEAK_CALLS);
      ofPeak[i] = flops / ourTimes[i] / peakRate / context.workers().parallelism();
    }
    double ratio = Measure.median(ratios);
    System.out.printf(
        Locale.ROOT,
        "| %d x %d x %d | %.1f | %.1f | %.2f | %.2f |%n",
        m,
        n,
        k,
        flops / Measure.median(ourTimes) * 1e-9,
        flops / Measure.median(theirTimes) * 1e-9,
        ratio,
        Measure.median(ofPeak));
    return ratio;
  }

  /** A product of one row beside reading the matrix: what fraction of its speed is reached. */
  private void bandwidth(long n, boolean transposed, WorkerPool workers) {
    Tensor a = Measure.random(Shape.of(1, n));
    Tensor b = Measure.random(Shape.of(n, n));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(1, n));
    CallArgs args =
        CallArgs.of(
            new KernelContext(workers), new Object[] {a, b, null, false, transposed, "none", out});
    CallResult result = new CallResult();
    MemorySegment memory = b.segment();
    int threads = workers.parallelism();
    long piece = memory.byteSize() / threads;
    float[] sums = new float[threads];
    Runnable product = () -> matmul.call(args, result);
    Runnable read =
        () ->
            workers.parallelFor(
                0,
                threads,
                1,
                (from, to) -> {
                  for (int i = (int) from; i < to; i++) {
                    sums[i] = PlainRead.sum(memory, i * piece, (i + 1) * piece);
                  }
                });
    Measure.warmUp(product, COMPILE_SECONDS);
    Measure.warmUp(read, COMPILE_SECONDS);
    double[] products = new double[TRIALS];
    double[] reads = new double[TRIALS];
    double[] ratios = new double[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
      products[i] = Measure.time(product, 2);
      reads[i] = Measure.time(read, 2);
      ratios[i] = reads[i] / products[i];
    }
    System.out.printf(
        Locale.ROOT,
        "| %d x %d%s | %.1f | %.1f | %.2f |%n",
        n,
        n,
        transposed ? ", transposed" : "",
        memory.byteSize() / Measure.median(products) * 1e-9,
        memory.byteSize() / Measure.median(reads) * 1e-9,
        Measure.median(ratios));
  }

  private static Runnable openBlas(
      int m, int n, int k, FloatPointer a, FloatPointer b, FloatPointer c) {
    if (m == 1) {
      // What a user of BLAS would call here.
      return () ->
          openblas_nolapack.cblas_sgemv(
              openblas_nolapack.CblasRowMajor,
              openblas_nolapack.CblasTrans,
              k,
              n,
              1,
              b,
              n,
              a,
              1,
              0,
              c,
              1);
    }
    return () ->
        openblas_nolapack.cblas_sgemm(
            openblas_nolapack.CblasRowMajor,
            openblas_nolapack.CblasNoTrans,
            openblas_nolapack.CblasNoTrans,
            m,
            n,
            k,
            1,
            a,
            k,
            b,
            n,
            0,
            c,
            n);
  }

  /** Lets the threads of the other side fall asleep, and wakes those of this one. */
  private static void settle(Runnable call, boolean alone) {
    if (!alone) {
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      call.run();
    }
  }

  private static FloatPointer pointer(Tensor tensor) {
    return new FloatPointer(
        tensor.segment().asByteBuffer().order(ByteOrder.nativeOrder()).asFloatBuffer());
  }

  private static void requireSame(Tensor ours, Tensor theirs, long k) {
    float[] x = ours.toFloatArray();
    float[] y = theirs.toFloatArray();
    for (int i = 0; i < x.length; i++) {
      if (!(Math.abs(x[i] - y[i]) <= 1e-6 * k)) {
        throw new IllegalStateException("element " + i + ": " + x[i] + " and " + y[i]);
      }
    }
  }
}
