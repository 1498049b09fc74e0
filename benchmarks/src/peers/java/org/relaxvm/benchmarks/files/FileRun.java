package org.relaxvm.benchmarks.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/**
 * Loads a model in one engine, calls it once, then for some seconds, and prints one line: load
 * time, first call, the median of the last calls, the time until calls are within 10 % of that,
 * peak resident memory, and the first elements of the output.
 *
 * <p>Arguments: {@code relaxvm} or {@code onnxruntime}, the file, threads, seconds, batch, length.
 */
public final class FileRun {
  /** Elements of the output that engines are compared by. */
  static final int COMPARED = 64;

  private static final int VOCABULARY = 1000;

  private FileRun() {}

  /** Runs one engine. */
  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[1]);
    int threads = Integer.parseInt(args[2]);
    double seconds = Double.parseDouble(args[3]);
    long start = System.nanoTime();
    try (FileEngine engine =
        args[0].equals("relaxvm")
            ? new RelaxEngine(file, threads)
            : new RuntimeEngine(file, threads)) {
      double load = millis(start);
      Map<String, Tensor> inputs = inputs(engine, Long.parseLong(args[4]), Long.parseLong(args[5]));
      long first = System.nanoTime();
      float[] output = engine.run(inputs);
      double firstCall = millis(first);
      Steady steady = steady(engine, inputs, seconds);
      System.out.printf(
          Locale.ROOT,
          "result %.1f %.1f %.3f %.2f %d %s%n",
          load,
          firstCall,
          steady.millis(),
          steady.reachedAfter(),
          peakMemory(),
          IntStream.range(0, output.length)
              .mapToObj(i -> Float.toString(output[i]))
              .collect(Collectors.joining(",")));
    }
  }

  private static double millis(long since) {
    return (System.nanoTime() - since) * 1e-6;
  }

  private static Map<String, Tensor> inputs(FileEngine engine, long batch, long length) {
    Map<String, Tensor> inputs = new LinkedHashMap<>();
    for (FileEngine.Input input : engine.inputs()) {
      long[] dims = input.dims().clone();
      int symbols = 0;
      for (int axis = 0; axis < dims.length; axis++) {
        if (dims[axis] < 0) {
          dims[axis] = symbols++ == 0 ? batch : length;
        }
      }
      inputs.put(input.name(), tensor(input, Shape.of(dims)));
    }
    return inputs;
  }

  private static Tensor tensor(FileEngine.Input input, Shape shape) {
    int count = Math.toIntExact(shape.elementCount());
    if (!input.isInteger()) {
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = (float) i / count;
      }
      return Tensor.of(values, shape);
    }
    long[] values = new long[count];
    boolean isMask = input.name().contains("mask");
    for (int i = 0; i < count && !input.name().contains("type"); i++) {
      values[i] = isMask ? 1 : i * 37L % VOCABULARY;
    }
    return Tensor.of(values, shape);
  }

  private record Steady(double millis, double reachedAfter) {}

  private static Steady steady(FileEngine engine, Map<String, Tensor> inputs, double seconds)
      throws Exception {
    double[] times = new double[1 << 20];
    double[] ends = new double[times.length];
    int count = 0;
    long begin = System.nanoTime();
    while (count < times.length && millis(begin) < seconds * 1e3) {
      long start = System.nanoTime();
      engine.run(inputs);
      times[count] = millis(start);
      ends[count++] = millis(begin);
    }
    double[] last = Arrays.copyOfRange(times, count / 2, count);
    Arrays.sort(last);
    double median = last[last.length / 2];
    int reached = 0;
    while (reached < count && times[reached] > 1.1 * median) {
      reached++;
    }
    return new Steady(median, ends[Math.min(reached, count - 1)] * 1e-3);
  }

  /** Peak resident memory of this process in KiB; Linux only. */
  private static long peakMemory() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
        .findFirst()
        .orElse(0);
  }
}
