package org.relaxvm.benchmarks.models;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.benchmarks.onnx.Turns;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.Instrument;

/** Prints where the time of a model goes: our call instructions, and the nodes of the peer. */
final class Profile {
  private static final int RUNS = 1001;
  private static final Pattern NODE =
      Pattern.compile(
          "\"dur\" ?:(\\d+),.*\"name\" ?:\"(.*)_kernel_time\""
              + ".*\"input_type_shape\" ?: ?\\[(.*)],\"provider\".*\"op_name\" ?: ?\"(\\w+)\"");
  private static final Pattern SHAPE = Pattern.compile("\\{\"\\w+\":(\\[[\\d,]*])}");

  private Profile() {}

  static void print(ModelCase call, Program program, int threads) throws OrtException, IOException {
    try (RelaxRun run = new RelaxRun(program, call.inputs(), threads)) {
      printOurs(call, run);
      printTheirs(call, run.outputs().stream().map(RelaxRun.Output::shape).toList(), threads);
    }
  }

  private static void printOurs(ModelCase call, RelaxRun run) throws OrtException {
    double seconds = Turns.steady(run::run);
    Calls calls = new Calls();
    run.instrument(calls);
    Turns.steady(() -> calls.during(run));
    calls.times.clear();
    for (int i = 0; i < RUNS; i++) {
      calls.during(run);
    }
    run.instrument(null);
    System.out.printf(
        Locale.ROOT,
        "%n%s: %d instructions, the fastest run without a profile %.1f us%n",
        call.name(),
        run.instructions(),
        seconds * 1e6);
    calls.times.print("calls of RelaxVM");
  }

  private static void printTheirs(ModelCase call, List<Shape> outputs, int threads)
      throws OrtException, IOException {
    Path folder = Files.createTempDirectory("onnx-profile");
    Optional<Path> prefix = Optional.of(folder.resolve("run"));
    CallTimes times = new CallTimes();
    Path file;
    try (OnnxRun run =
        OnnxRun.open(OrtEnvironment.getEnvironment(), call, outputs, threads, prefix)) {
      for (int i = 0; i < RUNS; i++) {
        run.run();
      }
      file = run.endProfile();
    }
    for (String line : Files.readAllLines(file)) {
      Matcher node = NODE.matcher(line);
      if (node.find()) {
        String shapes = SHAPE.matcher(node.group(3)).replaceAll("$1");
        times.add(
            node.group(2), node.group(4) + "(" + shapes + ")", Double.parseDouble(node.group(1)));
      }
    }
    Files.delete(file);
    Files.delete(folder);
    times.print("nodes of ONNX Runtime");
  }

  private static final class Calls implements Instrument {
    private static final String BUILTIN = "vm.builtin.";

    private final CallTimes times = new CallTimes();
    private int place;
    private String kind = "";
    private long start;

    void during(RelaxRun run) {
      place = 0;
      run.run();
    }

    @Override
    public Action before(Object function, String symbol, CallArgs args) {
      place++;
      kind = symbol.startsWith(BUILTIN) ? "builtins of the VM" : symbol + shapes(args);
      start = System.nanoTime();
      return Action.RUN;
    }

    @Override
    public void after(Object function, String symbol, CallArgs args, @Nullable Object result) {
      double micros = (System.nanoTime() - start) * 1e-3;
      times.add(String.valueOf(place), kind, micros);
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
