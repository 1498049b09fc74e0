package org.relaxvm.benchmarks.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Device;
import org.relaxvm.benchmarks.KernelContext;

/**
 * Kernels of the CPU backend beside ONNX Runtime, called in turn in one process on the same memory.
 * Prints a Markdown table; fails when the results differ.
 *
 * <p>Arguments: thread counts, {@code 1 2} unless given, and parts of the names of the rows to
 * measure, all unless given.
 */
public final class OnnxComparison {
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
    Turns.Call ours = () -> kernel.call(args, result);
    try (OnnxSession theirs = OnnxSession.open(environment, row, threads)) {
      ours.run();
      theirs.run();
      double difference = difference(row, theirs.output());
      Turns turns = Turns.take(ours, theirs::run, threads);
      difference = Math.max(difference, difference(row, theirs.output()));
      System.out.printf(
          Locale.ROOT,
          "| %s | %.0f | %.0f | %.2f | %.1e |%n",
          row.name(),
          turns.ours() * 1e6,
          turns.theirs() * 1e6,
          turns.ratio(),
          difference);
      return turns.ratio();
    }
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
}
