package org.relaxvm.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;

/**
 * Kernels that the CPU backend generates beside loops written by hand with the Vector API, called
 * in turn in one process on the same memory, in one thread. Prints a Markdown table; takes a
 * minute.
 */
public final class GeneratedKernelBenchmark {
  private static final int TRIALS = 31;
  private static final double TRIAL_SECONDS = 0.03;
  private static final double COMPILE_SECONDS = 3;
  private static final int ELEMENTS = 16 << 20;
  private static final int ROWS = 512;
  private static final int COLUMNS = 1024;
  private static final int SIDE = 4096;

  private final ModuleLoader loader;
  private final KernelContext context;

  private GeneratedKernelBenchmark(ModuleLoader loader, WorkerPool workers) {
    this.loader = loader;
    this.context = new KernelContext(workers);
  }

  /** Runs the benchmark. */
  public static void main(String[] args) {
    ModuleLoader loader = (ModuleLoader) BackendRegistry.discover().require("cpu:0");
    try (WorkerPool workers = WorkerPool.ofThreads(1)) {
      new GeneratedKernelBenchmark(loader, workers).run();
    }
  }

  private void run() {
    System.out.println("| kernel | generated, us | by hand, us | by hand / generated |");
    System.out.println("| --- | --- | --- | --- |");
    chain();
    softmax();
    layerNorm();
    sums(true);
    sums(false);
    transpose();
  }

  private void chain() {
    Tensor x = Measure.random(Shape.of(ELEMENTS));
    Tensor y = Measure.random(Shape.of(ELEMENTS));
    Tensor ours = like(x);
    Tensor theirs = like(x);
    compare(
        "chain of ten operations, 64 MiB a tensor",
        call(GeneratedKernels.chain(), x, y, ours),
        () -> HandWritten.chain(memory(x), memory(y), memory(theirs), ELEMENTS));
    requireSame(ours, theirs);
  }

  private void softmax() {
    Tensor x = Measure.random(Shape.of(ROWS, COLUMNS));
    Tensor weights = like(x);
    Tensor ours = like(x);
    Tensor theirs = like(x);
    compare(
        "softmax 512 x 1024, four passes",
        call(GeneratedKernels.softmax(), x, ours),
        () -> HandWritten.softmax(memory(x), memory(weights), memory(theirs), ROWS, COLUMNS));
    requireSame(ours, theirs);
  }

  private void layerNorm() {
    Tensor x = Measure.random(Shape.of(ROWS, COLUMNS));
    Tensor gamma = Measure.random(Shape.of(COLUMNS));
    Tensor beta = Measure.random(Shape.of(COLUMNS));
    Tensor ours = like(x);
    Tensor theirs = like(x);
    compare(
        "layer normalization 512 x 1024, three passes",
        call(GeneratedKernels.layerNorm(), x, gamma, beta, ours),
        () ->
            HandWritten.layerNorm(
                memory(x), memory(gamma), memory(beta), memory(theirs), ROWS, COLUMNS));
    requireSame(ours, theirs);
  }

  private void sums(boolean ofRows) {
    Tensor x = Measure.random(Shape.of(SIDE, SIDE));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(SIDE));
    float[] sum = new float[1];
    compare(
        (ofRows ? "row" : "column") + " sums 4096 x 4096 beside a read",
        call(GeneratedKernels.sums(ofRows), x, out),
        () -> sum[0] += PlainRead.sum(memory(x), 0, x.byteSize()));
  }

  private void transpose() {
    Tensor x = Measure.random(Shape.of(SIDE, SIDE));
    Tensor out = like(x);
    Tensor copy = like(x);
    Runnable transpose = call(GeneratedKernels.transpose(), x, out);
    compare(
        "transpose 4096 x 4096 beside a copy by vectors",
        transpose,
        () -> HandWritten.copy(memory(x), memory(copy), x.byteSize()));
    compare(
        "transpose 4096 x 4096 beside `MemorySegment.copy`",
        transpose,
        () -> MemorySegment.copy(memory(x), 0, memory(copy), 0, x.byteSize()));
  }

  private Runnable call(PrimFunc kernel, Object... tensors) {
    byte[] text = TirText.print(kernel).getBytes(UTF_8);
    PackedFunc function =
        loader
            .loadModule(new ModuleImage("tir", List.of(kernel.name()), MemorySegment.ofArray(text)))
            .find(kernel.name())
            .orElseThrow();
    CallArgs args = CallArgs.of(context, tensors);
    CallResult result = new CallResult();
    return () -> function.call(args, result);
  }

  /** Prints the times and the median of the ratios of neighbouring trials. */
  private static void compare(String name, Runnable ours, Runnable theirs) {
    Measure.warmUp(ours, COMPILE_SECONDS);
    Measure.warmUp(theirs, COMPILE_SECONDS);
    int calls = (int) Math.max(1, TRIAL_SECONDS / Measure.time(theirs, 3));
    double[] ratios = new double[TRIALS];
    double[] ourTimes = new double[TRIALS];
    double[] theirTimes = new double[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
      ourTimes[i] = Measure.time(ours, calls);
      theirTimes[i] = Measure.time(theirs, calls);
      ratios[i] = theirTimes[i] / ourTimes[i];
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.2f |%n",
        name,
        Measure.median(ourTimes) * 1e6,
        Measure.median(theirTimes) * 1e6,
        Measure.median(ratios));
  }

  private static Tensor like(Tensor tensor) {
    return Tensor.zeros(tensor.dtype(), tensor.shape());
  }

  private static MemorySegment memory(Tensor tensor) {
    return tensor.segment();
  }

  private static void requireSame(Tensor ours, Tensor theirs) {
    float[] x = ours.toFloatArray();
    float[] y = theirs.toFloatArray();
    for (int i = 0; i < x.length; i++) {
      if (!(Math.abs(x[i] - y[i]) <= 1e-5 * Math.max(1, Math.abs(x[i])))) {
        throw new IllegalStateException("element " + i + ": " + x[i] + " and " + y[i]);
      }
    }
  }
}
