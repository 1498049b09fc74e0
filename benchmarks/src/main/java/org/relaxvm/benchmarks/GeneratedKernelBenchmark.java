package org.relaxvm.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;
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
 * in turn in one process on the same memory, both sides with one thread and both with all of them.
 * Each kernel has a process of its own: what the JIT compiler makes of a loop depends on what ran
 * before. Prints a Markdown table for each number of threads; takes three minutes.
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
  private final WorkerPool workers;

  private GeneratedKernelBenchmark(ModuleLoader loader, WorkerPool workers) {
    this.loader = loader;
    this.context = new KernelContext(workers);
    this.workers = workers;
  }

  /** Runs the benchmark: all of it, or so many threads and one kernel. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length == 2) {
      try (WorkerPool workers = WorkerPool.ofThreads(Integer.parseInt(args[0]))) {
        ModuleLoader loader = (ModuleLoader) BackendRegistry.discover().require("cpu:0");
        new GeneratedKernelBenchmark(loader, workers).run(Kernel.valueOf(args[1]));
      }
      return;
    }
    for (int threads : IntStream.of(1, WorkerPool.shared().parallelism()).distinct().toArray()) {
      System.out.printf(Locale.ROOT, "%nThreads: %d%n%n", threads);
      System.out.println("| kernel | generated, us | by hand, us | by hand / generated |");
      System.out.println("| --- | --- | --- | --- |");
      for (Kernel kernel : Kernel.values()) {
        runApart(Integer.toString(threads), kernel.name());
      }
    }
  }

  /** Runs this program in a process of its own with the options of this one. */
  private static void runApart(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(GeneratedKernelBenchmark.class.getName());
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("failed: " + String.join(" ", command));
    }
  }

  private enum Kernel {
    CHAIN,
    SOFTMAX,
    LAYER_NORM,
    ROW_SUMS,
    COLUMN_SUMS,
    TRANSPOSE
  }

  private void run(Kernel kernel) {
    switch (kernel) {
      case CHAIN -> chain();
      case SOFTMAX -> softmax();
      case LAYER_NORM -> layerNorm();
      case ROW_SUMS -> sums(true);
      case COLUMN_SUMS -> sums(false);
      case TRANSPOSE -> transpose();
    }
  }

  private void chain() {
    Tensor x = Measure.random(Shape.of(ELEMENTS));
    Tensor y = Measure.random(Shape.of(ELEMENTS));
    Tensor ours = like(x);
    Tensor theirs = like(x);
    compare(
        "chain of ten operations, 64 MiB a tensor",
        call(GeneratedKernels.chain(), x, y, ours),
        inPieces(
            piece ->
                HandWritten.chain(
                    piece.of(x), piece.of(y), piece.of(theirs), (int) piece.of(ELEMENTS))));
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
        inPieces(
            piece ->
                HandWritten.softmax(
                    piece.of(x),
                    piece.of(weights),
                    piece.of(theirs),
                    (int) piece.of(ROWS),
                    COLUMNS)));
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
        inPieces(
            piece ->
                HandWritten.layerNorm(
                    piece.of(x),
                    memory(gamma),
                    memory(beta),
                    piece.of(theirs),
                    (int) piece.of(ROWS),
                    COLUMNS)));
    requireSame(ours, theirs);
  }

  private void sums(boolean ofRows) {
    Tensor x = Measure.random(Shape.of(SIDE, SIDE));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(SIDE));
    DoubleAdder sum = new DoubleAdder();
    compare(
        (ofRows ? "row" : "column") + " sums 4096 x 4096 beside a read",
        call(GeneratedKernels.sums(ofRows), x, out),
        inPieces(piece -> sum.add(PlainRead.sum(piece.of(x), 0, piece.of(x.byteSize())))));
  }

  private void transpose() {
    Tensor x = Measure.random(Shape.of(SIDE, SIDE));
    Tensor out = like(x);
    Tensor copy = like(x);
    Runnable transpose = call(GeneratedKernels.transpose(), x, out);
    compare(
        "transpose 4096 x 4096 beside a copy by vectors",
        transpose,
        inPieces(piece -> HandWritten.copy(piece.of(x), piece.of(copy), piece.of(x.byteSize()))));
    compare(
        "transpose 4096 x 4096 beside `MemorySegment.copy`",
        transpose,
        inPieces(piece -> piece.of(copy).copyFrom(piece.of(x))));
  }

  /** Work that is shared between all threads in equal pieces. */
  private Runnable inPieces(Consumer<Piece> task) {
    int count = workers.parallelism();
    return () ->
        workers.parallelFor(
            0,
            count,
            1,
            (from, to) -> {
              for (long i = from; i < to; i++) {
                task.accept(new Piece(i, count));
              }
            });
  }

  /** One of {@code count} equal pieces of whatever is cut along its first axis. */
  private record Piece(long index, long count) {
    MemorySegment of(Tensor tensor) {
      long bytes = of(tensor.byteSize());
      return memory(tensor).asSlice(index * bytes, bytes);
    }

    long of(long size) {
      return size / count;
    }
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
