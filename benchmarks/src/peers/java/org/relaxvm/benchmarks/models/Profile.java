package org.relaxvm.benchmarks.models;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.benchmarks.Measure;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.Instrument;

/** Prints where the time of a model goes on both sides, the longest first. */
final class Profile {
  private static final int WARM_UP = 2000;
  private static final int RUNS = 201;
  private static final Pattern NODE =
      Pattern.compile(
          "\"dur\" ?:(\\d+),.*\"name\" ?:\"(.*)_kernel_time\".*\"op_name\" ?: ?\"(\\w+)\"");

  private Profile() {}

  static void print(ModelCase call, Program program, int threads) throws OrtException, IOException {
    List<Shape> shapes;
    try (RelaxRun run = new RelaxRun(program, call.inputs(), threads)) {
      shapes = run.outputs().stream().map(RelaxRun.Output::shape).toList();
      printOurs(call, run);
    }
    printTheirs(call, shapes, threads);
  }

  private static void printOurs(ModelCase call, RelaxRun run) {
    Calls calls = new Calls();
    double plain = median(run, WARM_UP);
    run.instrument(calls);
    for (int i = 0; i < WARM_UP; i++) {
      calls.begin();
      run.run();
    }
    calls.micros.clear();
    double[] wholes = new double[RUNS];
    for (int i = 0; i < RUNS; i++) {
      calls.begin();
      long start = System.nanoTime();
      run.run();
      wholes[i] = (System.nanoTime() - start) * 1e-3;
    }
    run.instrument(null);
    System.out.printf(
        Locale.ROOT,
        "%n%s: %d instructions, %.1f us, %.1f us when calls are timed%n%n",
        call.name(),
        run.instructions(),
        plain,
        Measure.median(wholes));
    print("call", calls.medians());
  }

  private static double median(RelaxRun run, int warmUp) {
    double[] micros = new double[RUNS];
    for (int i = -warmUp; i < RUNS; i++) {
      long start = System.nanoTime();
      run.run();
      if (i >= 0) {
        micros[i] = (System.nanoTime() - start) * 1e-3;
      }
    }
    return Measure.median(micros);
  }

  private static void printTheirs(ModelCase call, List<Shape> shapes, int threads)
      throws OrtException, IOException {
    Path folder = Files.createTempDirectory("onnx-profile");
    try (OnnxRun run =
        OnnxRun.open(
            OrtEnvironment.getEnvironment(),
            call,
            shapes,
            threads,
            Optional.of(folder.resolve("profile")))) {
      for (int i = 0; i < RUNS; i++) {
        run.run();
      }
      Map<String, List<Double>> micros = new LinkedHashMap<>();
      for (String line : Files.readAllLines(run.endProfile())) {
        Matcher node = NODE.matcher(line);
        if (node.find()) {
          micros
              .computeIfAbsent(node.group(3) + " " + node.group(2), name -> new ArrayList<>())
              .add(Double.valueOf(node.group(1)));
        }
      }
      System.out.println();
      print("node of ONNX Runtime", medians(micros));
    }
  }

  private static Map<String, Double> medians(Map<String, List<Double>> samples) {
    Map<String, Double> medians = new LinkedHashMap<>();
    samples.forEach(
        (name, values) ->
            medians.put(
                name, Measure.median(values.stream().mapToDouble(Double::doubleValue).toArray())));
    return medians;
  }

  private static void print(String title, Map<String, Double> micros) {
    double sum = micros.values().stream().mapToDouble(Double::doubleValue).sum();
    System.out.printf("| %s | us | share |%n| --- | --- | --- |%n", title);
    micros.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
        .forEach(
            entry ->
                System.out.printf(
                    Locale.ROOT,
                    "| %s | %.2f | %.1f %% |%n",
                    entry.getKey(),
                    entry.getValue(),
                    100 * entry.getValue() / sum));
    System.out.printf(Locale.ROOT, "| sum | %.2f | |%n", sum);
  }

  /** Times of the call instructions, told apart by their place in the run. */
  private static final class Calls implements Instrument {
    private final Map<String, List<Double>> micros = new LinkedHashMap<>();
    private int place;
    private String name = "";
    private long start;

    void begin() {
      place = 0;
    }

    @Override
    public Action before(Object function, String symbol, CallArgs args) {
      name = place++ + " " + symbol + shapes(args);
      start = System.nanoTime();
      return Action.RUN;
    }

    @Override
    public void after(Object function, String symbol, CallArgs args, @Nullable Object result) {
      double time = (System.nanoTime() - start) * 1e-3;
      micros.computeIfAbsent(name, key -> new ArrayList<>()).add(time);
    }

    Map<String, Double> medians() {
      return Profile.medians(micros);
    }

    private static String shapes(CallArgs args) {
      StringJoiner shapes = new StringJoiner(", ", "(", ")");
      for (int i = 0; i < args.count(); i++) {
        if (args.at(i) instanceof Tensor tensor) {
          shapes.add(tensor.shape().toString());
        }
      }
      return shapes.toString();
    }
  }
}
