package org.relaxvm.benchmarks.files;

import ai.onnxruntime.OrtEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * ONNX files in RelaxVM and in ONNX Runtime, one after the other, each in a JVM of its own. Prints
 * a Markdown table; fails when results differ: the norm of the difference over that of the result.
 *
 * <p>Arguments: files, {@code --threads=1,2}, {@code --batches=1,8}, {@code --lengths=16,128},
 * {@code --seconds=10}, {@code --tolerance=1e-3}, and JVM options for both, such as {@code
 * --jvm=-Xmx160m,-XX:+UseSerialGC}.
 */
public final class FileComparison {
  private FileComparison() {}

  /** Runs the comparison. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> files = new ArrayList<>();
    String threads = "1,2";
    String batches = "1,8";
    String lengths = "16,128";
    String seconds = "10";
    double tolerance = 1e-3;
    List<String> jvm = List.of();
    for (String arg : args) {
      String value = arg.substring(arg.indexOf('=') + 1).strip();
      if (arg.startsWith("--threads=")) {
        threads = value;
      } else if (arg.startsWith("--batches=")) {
        batches = value;
      } else if (arg.startsWith("--lengths=")) {
        lengths = value;
      } else if (arg.startsWith("--seconds=")) {
        seconds = value;
      } else if (arg.startsWith("--tolerance=")) {
        tolerance = Double.parseDouble(value);
      } else if (arg.startsWith("--jvm=")) {
        jvm = List.of(value.split(","));
      } else {
        files.add(arg);
      }
    }
    System.out.println("ONNX Runtime " + OrtEnvironment.getEnvironment().getVersion());
    System.out.println(
        "\n| file | threads | batch | length | load, ms: RelaxVM | ONNX Runtime | first call, ms:"
            + " RelaxVM | ONNX Runtime | steady, ms: RelaxVM | ONNX Runtime | ratio | steady after,"
            + " s | memory, MiB: RelaxVM | ONNX Runtime | ratio | difference |");
    System.out.println("|" + " --- |".repeat(16));
    for (String file : files) {
      for (String thread : threads.split(",")) {
        for (String batch : batches.split(",")) {
          for (String length : lengths.split(",")) {
            row(jvm, tolerance, List.of(file, thread, seconds, batch, length));
          }
        }
      }
    }
  }

  private static void row(List<String> jvm, double tolerance, List<String> arguments)
      throws IOException, InterruptedException {
    Outcome ours = run(jvm, "relaxvm", arguments);
    Outcome theirs = run(jvm, "onnxruntime", arguments);
    double difference = difference(ours.output(), theirs.output());
    if (!(difference <= tolerance)) {
      throw new IllegalStateException(
          "%s: expected %s as ONNX Runtime has it, got %s: a difference of %s; expected at most %s"
              .formatted(
                  arguments,
                  Arrays.toString(theirs.output()),
                  Arrays.toString(ours.output()),
                  difference,
                  tolerance));
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %s | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f | %.2f | %.1f | %d | %d |"
            + " %.2f | %.1e |%n",
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
        (double) ours.memory() / theirs.memory(),
        difference);
  }

  private static double difference(float[] got, float[] want) {
    double differences = 0;
    double squares = 0;
    for (int i = 0; i < want.length; i++) {
      differences += Math.pow(got[i] - want[i], 2);
      squares += Math.pow(want[i], 2);
    }
    return Math.sqrt(differences / squares);
  }

  private record Outcome(
      double load, double first, double steady, double reached, long memory, float[] output) {}

  private static Outcome run(List<String> jvm, String engine, List<String> arguments)
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
    command.addAll(1, jvm);
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
