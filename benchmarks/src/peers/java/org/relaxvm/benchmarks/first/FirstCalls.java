package org.relaxvm.benchmarks.first;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.relaxvm.benchmarks.models.ModelFiles;

/**
 * How long the first results take: the models of {@code ModelComparison}, and ONNX files, in
 * RelaxVM and in ONNX Runtime, each run in a new process. Prints a Markdown table of milliseconds
 * and ratios; fails when results differ: the norm of the difference over that of the result.
 *
 * <p>Set-up is the time from the entry of {@code main} until the model can be called; a call is the
 * time of that call alone. The start of the JVM is seen by the clock of the parent process, from
 * before it starts the process until it has read that the first call ended. Engines alternate; a
 * figure is the median of the repetitions.
 *
 * <p>Arguments: parts of the names of models, and ONNX files; all models unless any is given.
 * {@code --repeat=3}, {@code --threads=1}, {@code --seconds=20} after which calls end, {@code
 * --sizes=1,128}, the extents of symbolic axes of files, {@code --tolerance=1e-3}, and further JVM
 * options of RelaxVM's processes, such as {@code --jvm=-XX:AOTCache=app.aot}, separated by commas.
 */
public final class FirstCalls {
  private final Map<String, String> options;

  private FirstCalls(Map<String, String> options) {
    this.options = options;
  }

  /** Runs the benchmark. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Map<String, String> options =
        Arrays.stream(args)
            .filter(arg -> arg.startsWith("--"))
            .collect(
                Collectors.toMap(
                    arg -> arg.substring(2, arg.indexOf('=')),
                    arg -> arg.substring(arg.indexOf('=') + 1).strip()));
    List<String> names = Stream.of(args).filter(arg -> !arg.startsWith("--")).toList();
    FirstCalls calls = new FirstCalls(options);
    System.out.println("| model | engine | " + String.join(" | ", Figures.titles()) + " |");
    System.out.println("| --- | --- |" + " ---: |".repeat(Figures.titles().size()));
    Path folder = Files.createTempDirectory("first-calls");
    try {
      calls.compareModels(names, folder);
      calls.compareFiles(names);
    } finally {
      delete(folder);
    }
  }

  private void compareModels(List<String> names, Path folder)
      throws IOException, InterruptedException {
    List<String> parts = names.stream().filter(name -> !name.endsWith(".onnx")).toList();
    if (parts.isEmpty() && !names.isEmpty()) {
      return;
    }
    for (ModelFiles files : ModelFiles.write(folder, parts)) {
      compare(
          files.name(),
          files.sizes().stream().map(String::valueOf).collect(Collectors.joining(",")),
          Map.of(
              Engine.RELAXVM_PACKAGE, files.program(),
              Engine.RELAXVM_ONNX, files.onnx(),
              Engine.ONNX_RUNTIME, files.onnx()));
    }
  }

  private void compareFiles(List<String> names) throws IOException, InterruptedException {
    for (String name : names) {
      if (name.endsWith(".onnx")) {
        Path file = Path.of(name);
        compare(
            String.valueOf(file.getFileName()),
            options.getOrDefault("sizes", "1,128"),
            Map.of(Engine.RELAXVM_ONNX, file, Engine.ONNX_RUNTIME, file));
      }
    }
  }

  private void compare(String name, String sizes, Map<Engine, Path> files)
      throws IOException, InterruptedException {
    Map<Engine, Path> sorted = new EnumMap<>(files);
    Map<Engine, List<Figures>> runs = new EnumMap<>(Engine.class);
    for (int i = 0; i < Integer.parseInt(options.getOrDefault("repeat", "3")); i++) {
      for (Map.Entry<Engine, Path> entry : sorted.entrySet()) {
        runs.computeIfAbsent(entry.getKey(), engine -> new ArrayList<>())
            .add(run(entry.getKey(), entry.getValue(), sizes));
      }
    }
    Figures theirs = Figures.median(runs.remove(Engine.ONNX_RUNTIME));
    System.out.println("| " + name + " | " + Engine.ONNX_RUNTIME.title() + " |" + theirs.row());
    double tolerance = Double.parseDouble(options.getOrDefault("tolerance", "1e-3"));
    runs.forEach(
        (engine, all) -> {
          Figures ours = Figures.median(all);
          ours.requireCloseTo(theirs, tolerance, name + ", " + engine.title());
          System.out.println("| | " + engine.title() + " |" + ours.row());
          System.out.println("| | ratio |" + ours.ratios(theirs));
        });
  }

  private Figures run(Engine engine, Path file, String sizes)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of(engine.flags()));
    if (engine != Engine.ONNX_RUNTIME && options.containsKey("jvm")) {
      command.addAll(List.of(options.get("jvm").split(",")));
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(FirstRun.class.getName(), engine.name(), file.toString()));
    command.add(options.getOrDefault("threads", "1"));
    command.add(options.getOrDefault("seconds", "20"));
    command.add(sizes);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    long start = System.nanoTime();
    Process process = builder.start();
    double fromMain = Double.NaN;
    double fromStart = Double.NaN;
    String[] result = {};
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        String[] words = line.split(" ");
        if (words[0].equals("first")) {
          fromStart = (System.nanoTime() - start) * 1e-6;
          fromMain = Double.parseDouble(words[1]);
        } else if (words[0].equals("result")) {
          result = words;
        }
      }
    }
    if (process.waitFor() != 0 || result.length == 0) {
      throw new IllegalStateException(
          "expected a result, got exit code %d of %s"
              .formatted(process.exitValue(), String.join(" ", command)));
    }
    int calls = FirstRun.CALLS.size();
    double[] millis = new double[calls + 3];
    for (int i = 0; i <= calls; i++) {
      millis[i] = Double.parseDouble(result[i + 1]);
    }
    millis[calls + 1] = fromMain;
    millis[calls + 2] = fromStart;
    String[] elements = result[calls + 2].split(",");
    float[] values = new float[elements.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.parseFloat(elements[i]);
    }
    return new Figures(millis, values);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
