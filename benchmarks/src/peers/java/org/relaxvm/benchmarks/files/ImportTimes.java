package org.relaxvm.benchmarks.files;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.relaxvm.benchmarks.Measure;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.options.OnnxOptions;

/**
 * How long the import of ONNX models takes, without a device: reading the structure of the file,
 * conversion to Relax IR, compilation; first, and the fastest and the median of later ones. CPU
 * time is that of the thread that imports, without compilation of bytecode: on a machine with other
 * load it is the better figure.
 *
 * <p>Arguments: files, or {@code chain=2000} for a generated model with as many nodes, or {@code
 * dynamic=2000} or {@code wide=2000}; {@code --repeat=10}; {@code --passes} lists the CPU time of
 * the passes of the last import.
 */
public final class ImportTimes {
  private static final List<String> STEPS =
      List.of("read", "convert", "compile", "all", "all, CPU time");

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ImportTimes() {}

  /** Measures imports. */
  public static void main(String[] args) throws IOException {
    int repeat = 10;
    boolean listsPasses = false;
    List<String> models = new ArrayList<>();
    for (String arg : args) {
      if (arg.startsWith("--repeat=")) {
        repeat = Integer.parseInt(arg.substring("--repeat=".length()));
      } else if (arg.equals("--passes")) {
        listsPasses = true;
      } else {
        models.add(arg);
      }
    }
    System.out.println("| model | step | first, ms | fastest, ms | median, ms |");
    System.out.println("| --- | --- | ---: | ---: | ---: |");
    for (String model : models) {
      if (model.matches("[a-z]+=[0-9]+")) {
        Path file = Files.createTempFile("generated", ".onnx");
        try {
          String[] parts = model.split("=", 2);
          GeneratedModel.write(file, parts[0], Integer.parseInt(parts[1]));
          print(model, file, repeat, listsPasses);
        } finally {
          Files.delete(file);
        }
      } else {
        print(String.valueOf(Path.of(model).getFileName()), Path.of(model), repeat, listsPasses);
      }
    }
  }

  private static void print(String name, Path file, int repeat, boolean listsPasses) {
    Map<String, Double> passes = new LinkedHashMap<>();
    double[] first = times(file, passes);
    double[][] later = new double[STEPS.size()][repeat];
    for (int i = 0; i < repeat; i++) {
      passes.clear();
      double[] times = times(file, passes);
      for (int step = 0; step < times.length; step++) {
        later[step][i] = times[step];
      }
    }
    for (int step = 0; step < STEPS.size(); step++) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %.0f | %.0f | %.0f |%n",
          name,
          STEPS.get(step),
          first[step],
          DoubleStream.of(later[step]).min().orElseThrow(),
          Measure.median(later[step]));
    }
    if (listsPasses) {
      double before = Double.NaN;
      for (Map.Entry<String, Double> pass : passes.entrySet()) {
        System.out.printf(Locale.ROOT, "  %s: %.1f ms%n", pass.getKey(), pass.getValue() - before);
        before = pass.getValue();
      }
    }
  }

  /** Milliseconds of each step. */
  private static double[] times(Path file, Map<String, Double> passes) {
    double cpu = cpuMillis();
    long start = System.nanoTime();
    OnnxModel model = OnnxModel.open(file);
    long read = System.nanoTime();
    IRModule module = model.toRelax(OnnxOptions.DEFAULT);
    long converted = System.nanoTime();
    CompileOptions options =
        CompileOptions.DEFAULT.withObserver(
            (pass, before, after, nanos) -> passes.put(pass.name(), cpuMillis()));
    passes.put("before passes", cpuMillis());
    Compiler.compile(module, options);
    passes.put("after passes", cpuMillis());
    long compiled = System.nanoTime();
    return new double[] {
      (read - start) * 1e-6,
      (converted - read) * 1e-6,
      (compiled - converted) * 1e-6,
      (compiled - start) * 1e-6,
      cpuMillis() - cpu
    };
  }

  private static double cpuMillis() {
    return THREADS.getCurrentThreadCpuTime() * 1e-6;
  }
}
