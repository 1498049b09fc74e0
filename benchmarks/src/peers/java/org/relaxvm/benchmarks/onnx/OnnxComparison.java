package org.relaxvm.benchmarks.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Device;
import org.relaxvm.benchmarks.KernelContext;
import org.relaxvm.benchmarks.Measure;

/**
 * Kernels of the CPU backend beside ONNX Runtime, called in turn in one process on the same memory.
 * Prints a Markdown table; fails when the results differ.
 *
 * <p>Threads of ONNX Runtime spin while a call runs and are told to stop with it, since they would
 * go on and keep a core from us; ours wait for 0.1 ms before they sleep. So with several threads
 * the sides take turns in blocks of calls, each after a pause and after a few calls that are not
 * timed. The ratio is the median over the pairs of blocks.
 *
 * <p>Arguments: thread counts, {@code 1 2} unless given, and parts of the names of the rows to
 * measure, all unless given.
 */
public final class OnnxComparison {
  private static final int PAIRS = 21;
  private static final double BLOCK_SECONDS = 0.006;
  private static final double WARM_UP_SECONDS = 1.5;
  private static final long PAUSE_MILLIS = 20;
  private static final int UNTIMED_CALLS = 2;

  private final Device cpu;
  private final OrtEnvironment environment;
  private final int threads;

  private OnnxComparison(Device cpu, OrtEnvironment environment, int threads) {
    this.cpu = cpu;
    this.environment = environment;
    this.threads = threads;
  }

  /** Runs the benchmark. */
  public static void main(String[] args) throws OrtException, InterruptedException {
    List<Integer> counts = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String arg : args) {
      if (arg.matches("\\d+")) {
        counts.add(Integer.parseInt(arg));
      } else {
        names.add(arg);
      }
    }
    List<Row> rows = new ArrayList<>(MatrixRows.all());
    rows.addAll(NormalizationRows.all());
    rows.addAll(ReductionRows.all());
    rows.addAll(ElementwiseRows.all());
    rows.addAll(ConvolutionRows.all());
    rows.addAll(WindowRows.all());
    rows.addAll(PoolRows.all());
    rows.addAll(MovementRows.all());
    rows.removeIf(row -> !names.isEmpty() && names.stream().noneMatch(row.name()::contains));
    Device cpu = BackendRegistry.discover().require("cpu:0");
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    System.out.println("ONNX Runtime " + environment.getVersion());
    System.out.println("kernels: " + cpu.properties().details().get("kernels"));
    for (int threads : counts.isEmpty() ? List.of(1, 2) : counts) {
      new OnnxComparison(cpu, environment, threads).run(rows);
    }
  }

  private void run(List<Row> rows) throws OrtException, InterruptedException {
    System.out.printf("%n%d threads%n%n", threads);
    System.out.println("| call | RelaxVM, µs | ONNX Runtime, µs | ratio | largest difference |");
    System.out.println("| --- | --- | --- | --- | --- |");
    double logarithms = 0;
    try (WorkerPool workers = WorkerPool.ofThreads(threads)) {
      for (Row row : rows) {
        logarithms += Math.log(compare(row, new KernelContext(workers)));
      }
    }
    System.out.printf(
        Locale.ROOT, "| geometric mean | | | %.2f | |%n", Math.exp(logarithms / rows.size()));
  }

  /** The time of ONNX Runtime over ours, the median of the pairs. */
  private double compare(Row row, KernelContext context) throws OrtException, InterruptedException {
    PackedFunc kernel = cpu.library().find("relaxvm." + row.kernel()).orElseThrow();
    CallArgs args = CallArgs.of(context, row.arguments());
    CallResult result = new CallResult();
    Call ours = () -> kernel.call(args, result);
    try (OnnxSession theirs = OnnxSession.open(environment, row, threads)) {
      ours.run();
      theirs.run();
      double difference = difference(row, theirs.output());
      int ourCalls = warmUp(ours);
      int theirCalls = warmUp(theirs::run);
      double[] ourTimes = new double[PAIRS];
      double[] theirTimes = new double[PAIRS];
      double[] ratios = new double[PAIRS];
      for (int i = 0; i < PAIRS; i++) {
        ourTimes[i] = block(ours, ourCalls);
        theirTimes[i] = block(theirs::run, theirCalls);
        ratios[i] = theirTimes[i] / ourTimes[i];
      }
      difference = Math.max(difference, difference(row, theirs.output()));
      double ratio = Measure.median(ratios);
      System.out.printf(
          Locale.ROOT,
          "| %s | %.0f | %.0f | %.2f | %.1e |%n",
          row.name(),
          Measure.median(ourTimes) * 1e6,
          Measure.median(theirTimes) * 1e6,
          ratio,
          difference);
      return ratio;
    }
  }

  /** Calls until the code is compiled; how many calls make a block. */
  private static int warmUp(Call call) throws OrtException {
    long end = System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9);
    double fastest = Double.POSITIVE_INFINITY;
    while (System.nanoTime() < end) {
      fastest = Math.min(fastest, time(call, 1));
    }
    return (int) Math.max(1, BLOCK_SECONDS / fastest);
  }

  private double block(Call call, int calls) throws OrtException, InterruptedException {
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

  private static double difference(Row row, float[] theirs) {
    float[] ours = row.output().toFloatArray();
    double largest = 0;
    for (int i = 0; i < ours.length; i++) {
      double difference = Math.abs(ours[i] - theirs[i]);
      if (!(difference <= row.tolerance() * Math.max(1, Math.abs(theirs[i])))) {
        throw new IllegalStateException(
            "%s, element %d: expected %s as ONNX Runtime has it, within %s, got %s"
                .formatted(row.name(), i, theirs[i], row.tolerance(), ours[i]));
      }
      largest = Math.max(largest, difference);
    }
    return largest;
  }

  private interface Call {
    void run() throws OrtException;
  }
}
