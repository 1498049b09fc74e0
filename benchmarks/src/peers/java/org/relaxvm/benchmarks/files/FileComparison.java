package org.relaxvm.benchmarks.files;

import ai.onnxruntime.OrtEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * ONNX files in RelaxVM and in ONNX Runtime, one after the other, each in a JVM of its own. Prints
 * a Markdown table; fails when results differ.
 *
 * <p>Arguments: files, {@code --threads=1,2}, {@code --batches=1,8}, {@code --lengths=16,128},
 * {@code --seconds=10}.
 */
public final class FileComparison {
  private static final double TOLERANCE = 1e-3;

  private FileComparison() {}

  /** Runs the comparison. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> files = new ArrayList<>();
    String threads = "1,2";
    String batches = "1,8";
    String lengths = "16,128";
    String seconds = "10";
    for (String arg : args) {
      String value = arg.substring(arg.indexOf('=') + 1);
      if (arg.startsWith("--threads=")) {
        threads = value;
      } else if (arg.startsWith("--batches=")) {
        batches = value;
      } else if (arg.startsWith("--lengths=")) {
        lengths = value;
      } else if (arg.startsWith("--seconds=")) {
        seconds = value;
      } else {
        files.add(arg);
      }
    }
    System.out.println("ONNX Runtime " + OrtEnvironment.getEnvironment().getVersion());
    System.out.println(
        "| file | threads | batch | length | load, ms: RelaxVM | ONNX Runtime | first call, ms:"
            + " RelaxVM | ONNX Runtime | steady, ms: RelaxVM | ONNX Runtime | ratio | steady after,"
            + " s | memory, MiB: RelaxVM | ONNX Runtime | ratio |");
    System.out.println("|" + " --- |".repeat(15));
    for (String file : files) {
      for (String thread : threads.split(",")) {
        for (String batch : batches.split(",")) {
          for (String length : lengths.split(",")) {
            row(List.of(file, thread, seconds, batch, length));
          }
        }
      }
    }
  }

  private static void row(List<String> arguments) throws IOException, InterruptedException {
    Outcome ours = run("relaxvm", arguments);
    Outcome theirs = run("onnxruntime", arguments);
    for (int i = 0; i < ours.output().length; i++) {
      double difference = Math.abs(ours.output()[i] - theirs.output()[i]);
      if (!(difference <= TOLERANCE * Math.max(1, Math.abs(theirs.output()[i])))) {
        throw new IllegalStateException(
            "%s: element %d: expected %s as ONNX Runtime has it, got %s"
                .formatted(arguments, i, theirs.output()[i], ours.output()[i]));
      }
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %s | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f | %.2f | %.1f | %d | %d |"
            + " %.2f |%n",
        Path.of(arguments.get(0)).getFileName(),
        arguments.get(1),
        arguments.get(3),
        arguments.get(4),
        ours.load(),
        theirs.load(),
        ours.first(),
        theirs.first(),
        ours.steady(),
        theirs.steady(),
        ours.steady() / theirs.steady(),
        ours.reached(),
        ours.memory() >> 10,
        theirs.memory() >> 10,
        (double) ours.memory() / theirs.memory());
  }

  private record Outcome(
      double load, double first, double steady, double reached, long memory, float[] output) {}

  private static Outcome run(String engine, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FileRun.class.getName(),
                engine));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(command + " failed");
    }
    String[] parts =
        output
            .lines()
            .filter(line -> line.startsWith("result "))
            .findFirst()
            .orElseThrow()
            .split(" ");
    String[] elements = parts[6].split(",");
    float[] values = new float[elements.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.parseFloat(elements[i]);
    }
    return new Outcome(
        Double.parseDouble(parts[1]),
        Double.parseDouble(parts[2]),
        Double.parseDouble(parts[3]),
        Double.parseDouble(parts[4]),
        Long.parseLong(parts[5]),
        values);
  }
}
