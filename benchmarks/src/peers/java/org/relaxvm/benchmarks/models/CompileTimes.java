package org.relaxvm.benchmarks.models;

import java.util.List;
import java.util.Locale;
import org.relaxvm.api.Tensor;
import org.relaxvm.benchmarks.Measure;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.vmcore.program.Program;

/**
 * How long a model takes to compile, and to link with the code of all its kernels: first in a JVM
 * that has not compiled anything, then the median of ten more.
 */
final class CompileTimes {
  private static final int WARM = 10;

  private CompileTimes() {}

  static void print(ModelCase call) {
    double[] first = times(call);
    double[][] later = new double[2][WARM];
    for (int i = 0; i < WARM; i++) {
      double[] times = times(call);
      later[0][i] = times[0];
      later[1][i] = times[1];
    }
    System.out.printf("%n%s%n%n", call.name());
    System.out.println("| step | first, ms | later, ms |");
    System.out.println("| --- | --- | --- |");
    List<String> steps = List.of("compile", "link, generate kernels, call once");
    for (int step = 0; step < steps.size(); step++) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f |%n",
          steps.get(step),
          first[step],
          Measure.median(later[step]));
    }
  }

  /** Milliseconds of each step. */
  private static double[] times(ModelCase call) {
    IRModule module = RelaxLayers.module(call.model());
    List<Tensor> inputs = call.inputs();
    long start = System.nanoTime();
    Program program = Compiler.compile(module);
    long compiled = System.nanoTime();
    try (RelaxRun run = new RelaxRun(program, inputs, 1)) {
      run.run();
      long called = System.nanoTime();
      return new double[] {(compiled - start) * 1e-6, (called - compiled) * 1e-6};
    }
  }
}
