package org.relaxvm.benchmarks.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.relaxvm.benchmarks.Measure;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.vmcore.program.Program;

/**
 * Whole models whose independent calls run at the same time, beside the same programs in program
 * order. Prints a Markdown table.
 *
 * <p>Arguments: thread counts of the kernels, {@code 1 2} unless given, and parts of the names of
 * models, all unless given.
 */
public final class DataflowComparison {
  private static final int PARALLELISM = 2;
  private static final int PAIRS = 11;
  private static final double BLOCK_SECONDS = 0.15;
  private static final double WARM_UP_SECONDS = 4;

  private DataflowComparison() {}

  /** Runs the benchmark. */
  public static void main(String[] args) {
    List<Integer> threads = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String arg : args) {
      if (arg.matches("\\d+")) {
        threads.add(Integer.parseInt(arg));
      } else {
        names.add(arg);
      }
    }
    List<ModelCase> cases = new ArrayList<>();
    cases.add(ModelCase.of("4 branches of 256x256", new BranchesModel(4, 256), Map.of()));
    cases.add(ModelCase.of("4 branches of 64x64", new BranchesModel(4, 64), Map.of()));
    cases.addAll(ModelCase.all());
    cases.removeIf(call -> !names.isEmpty() && names.stream().noneMatch(call.name()::contains));
    System.out.println("| model | threads of kernels | plan | serial, us | parallel, us | ratio |");
    System.out.println("| --- | ---: | --- | ---: | ---: | ---: |");
    for (ModelCase call : cases) {
      for (int count : threads.isEmpty() ? List.of(1, 2) : threads) {
        compare(call, count, "standard", CompileOptions.DEFAULT);
        compare(call, count, "for parallelism", CompileOptions.DEFAULT.withPlanForParallelism());
      }
    }
  }

  /** Compares with the standard plan in program order. */
  private static void compare(ModelCase call, int threads, String plan, CompileOptions options) {
    Program ordered = Compiler.compile(RelaxLayers.module(call.model()));
    Program program = Compiler.compile(RelaxLayers.module(call.model()), options);
    try (RelaxRun serial = new RelaxRun(ordered, call.inputs(), threads, 1);
        RelaxRun parallel = new RelaxRun(program, call.inputs(), threads, PARALLELISM)) {
      warmUp(serial, parallel);
      int calls = (int) Math.max(3, BLOCK_SECONDS / seconds(serial, 1));
      double[] serialSeconds = new double[PAIRS];
      double[] parallelSeconds = new double[PAIRS];
      double[] ratios = new double[PAIRS];
      for (int i = 0; i < PAIRS; i++) {
        serialSeconds[i] = seconds(serial, calls);
        parallelSeconds[i] = seconds(parallel, calls);
        ratios[i] = serialSeconds[i] / parallelSeconds[i];
      }
      System.out.printf(
          Locale.ROOT,
          "| %s | %d | %s | %.1f | %.1f | %.2f |%n",
          call.name(),
          threads,
          plan,
          Measure.median(serialSeconds) * 1e6,
          Measure.median(parallelSeconds) * 1e6,
          Measure.median(ratios));
    }
  }

  private static void warmUp(RelaxRun serial, RelaxRun parallel) {
    long end = System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9);
    while (System.nanoTime() < end) {
      serial.run();
      parallel.run();
    }
  }

  /** Seconds of one call, the mean of some. */
  private static double seconds(RelaxRun run, int calls) {
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      run.run();
    }
    return (System.nanoTime() - start) * 1e-9 / calls;
  }
}
