package org.relaxvm.benchmarks.models;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.Shape;
import org.relaxvm.benchmarks.onnx.Turns;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.vmcore.program.Program;

/**
 * Whole models, compiled by RelaxVM and run by its virtual machine on the CPU, beside ONNX Runtime
 * on ONNX files of the same weights. Prints a Markdown table; fails when results differ.
 *
 * <p>Arguments: thread counts, {@code 1 2} unless given, and parts of the names of models, all
 * unless given. {@code --profile} prints where the time goes instead, {@code --compile} how long
 * compiling takes, {@code --write=FOLDER} writes programs and ONNX files.
 */
public final class ModelComparison {
  private static final double TOLERANCE = 1e-4;

  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final Map<Model, Program> programs = new HashMap<>();

  private ModelComparison() {}

  /** Runs the benchmark. */
  public static void main(String[] args) throws OrtException, InterruptedException, IOException {
    List<Integer> counts = new ArrayList<>();
    List<String> options = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String arg : args) {
      if (arg.matches("\\d+")) {
        counts.add(Integer.parseInt(arg));
      } else {
        (arg.startsWith("--") ? options : names).add(arg);
      }
    }
    List<ModelCase> cases = ModelCase.matching(names);
    List<Integer> threads = counts.isEmpty() ? List.of(1, 2) : counts;
    if (options.contains("--compile")) {
      cases.forEach(CompileTimes::print);
      return;
    }
    for (String option : options) {
      if (option.startsWith("--write=")) {
        ModelFiles.write(Path.of(option.substring("--write=".length())), names);
        return;
      }
    }
    ModelComparison comparison = new ModelComparison();
    if (options.contains("--profile")) {
      for (ModelCase call : cases) {
        Profile.print(call, comparison.program(call), threads.getFirst());
      }
      return;
    }
    System.out.println("ONNX Runtime " + comparison.environment.getVersion());
    comparison.compare(cases, threads);
  }

  private Program program(ModelCase call) {
    return programs.computeIfAbsent(
        call.model(), model -> Compiler.compile(RelaxLayers.module(model)));
  }

  private void compare(List<ModelCase> cases, List<Integer> threads)
      throws OrtException, InterruptedException {
    StringBuilder title = new StringBuilder("| model |");
    StringBuilder line = new StringBuilder("| --- |");
    for (int count : threads) {
      title.append(
          count == 1
              ? " 1 thread: RelaxVM, us | ONNX Runtime, us | ratio |"
              : " %d threads: RelaxVM, us | ONNX Runtime, us | ratio |".formatted(count));
      line.append(" --- | --- | --- |");
    }
    System.out.printf("%n%s largest difference |%n%s --- |%n", title, line);
    double[] logarithms = new double[threads.size()];
    for (ModelCase call : cases) {
      StringBuilder row = new StringBuilder("| %s |".formatted(call.name()));
      double difference = 0;
      for (int i = 0; i < threads.size(); i++) {
        Result result = compare(call, threads.get(i));
        Turns turns = result.turns();
        row.append(
            String.format(
                Locale.ROOT,
                " %.1f | %.1f | %.2f |",
                turns.ours() * 1e6,
                turns.theirs() * 1e6,
                turns.ratio()));
        logarithms[i] += Math.log(turns.ratio());
        difference = Math.max(difference, result.difference());
      }
      System.out.printf(Locale.ROOT, "%s %.1e |%n", row, difference);
    }
    System.out.print("| geometric mean |");
    for (double logarithm : logarithms) {
      System.out.printf(Locale.ROOT, " | | %.2f |", Math.exp(logarithm / cases.size()));
    }
    System.out.println(" |");
  }

  private Result compare(ModelCase call, int threads) throws OrtException, InterruptedException {
    try (RelaxRun ours = new RelaxRun(program(call), call.inputs(), threads)) {
      List<RelaxRun.Output> outputs = ours.outputs();
      List<Shape> shapes = outputs.stream().map(RelaxRun.Output::shape).toList();
      try (OnnxRun theirs = OnnxRun.open(environment, call, shapes, threads, Optional.empty())) {
        theirs.run();
        double difference = difference(call, outputs, theirs);
        Turns turns = Turns.takeWhenSteady(ours::run, theirs::run, threads);
        return new Result(turns, Math.max(difference, difference(call, ours.outputs(), theirs)));
      }
    }
  }

  /** The largest difference of elements, over the largest element of the output. */
  private static double difference(ModelCase call, List<RelaxRun.Output> outputs, OnnxRun theirs) {
    double largest = 0;
    for (int i = 0; i < outputs.size(); i++) {
      float[] got = outputs.get(i).values();
      float[] expected = theirs.output(i);
      double scale = 0;
      for (float value : expected) {
        scale = Math.max(scale, Math.abs(value));
      }
      for (int j = 0; j < got.length; j++) {
        double difference = Math.abs(got[j] - expected[j]) / scale;
        if (!(difference <= TOLERANCE)) {
          throw new IllegalStateException(
              "%s, output %d, element %d: expected %s as ONNX Runtime has it, within %s of %s, got %s"
                  .formatted(call.name(), i, j, expected[j], TOLERANCE, scale, got[j]));
        }
        largest = Math.max(largest, difference);
      }
    }
    return largest;
  }

  private record Result(Turns turns, double difference) {}
}
