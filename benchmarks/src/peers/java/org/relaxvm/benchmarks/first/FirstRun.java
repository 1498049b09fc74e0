package org.relaxvm.benchmarks.first;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/**
 * Sets a model up in one engine and calls it up to a thousand times. Prints {@code first MILLIS}
 * when the first call has ended, and then {@code result SETUP CALL... OUTPUT}: milliseconds from
 * the entry of {@code main} until the model can be called, milliseconds of the calls of {@link
 * #CALLS}, and the first elements of the output.
 *
 * <p>Arguments: the name of an {@link Engine}, the file, threads, seconds after which calls end,
 * and the extents of symbolic axes in the order of an input's axes, separated by commas.
 */
public final class FirstRun {
  /** The numbers of the calls that are reported. */
  static final List<Integer> CALLS = List.of(1, 2, 10, 100, 1000);

  private static final int COMPARED = 64;
  private static final int TOKENS = 1000;

  private FirstRun() {}

  /** Runs one engine. */
  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    Path file = Path.of(args[1]);
    int threads = Integer.parseInt(args[2]);
    double seconds = Double.parseDouble(args[3]);
    try (LoadedModel model =
        Engine.valueOf(args[0]) == Engine.ONNX_RUNTIME
            ? new RuntimeModel(file, threads)
            : new RelaxModel(file, threads)) {
      double setUp = millis(start);
      model.bind(inputs(model, Arrays.stream(args[4].split(",")).mapToLong(Long::parseLong)));
      double[] times = new double[CALLS.getLast()];
      int count = 0;
      long begin = System.nanoTime();
      while (count < times.length && millis(begin) < seconds * 1e3) {
        long call = System.nanoTime();
        model.call();
        times[count++] = millis(call);
        if (count == 1) {
          System.out.printf(Locale.ROOT, "first %.3f%n", millis(start));
        }
      }
      float[] output = model.callForResult(COMPARED);
      int calls = count;
      System.out.printf(
          Locale.ROOT,
          "result %.3f %s %s%n",
          setUp,
          CALLS.stream()
              .map(call -> call <= calls ? "%.4f".formatted(times[call - 1]) : "NaN")
              .collect(Collectors.joining(" ")),
          IntStream.range(0, output.length)
              .mapToObj(i -> Float.toString(output[i]))
              .collect(Collectors.joining(",")));
    }
  }

  private static double millis(long since) {
    return (System.nanoTime() - since) * 1e-6;
  }

  private static List<Tensor> inputs(LoadedModel model, LongStream sizes) throws Exception {
    long[] extents = sizes.toArray();
    List<Tensor> tensors = new ArrayList<>();
    for (LoadedModel.Input input : model.inputs()) {
      long[] dims = input.dims().clone();
      int symbols = 0;
      for (int axis = 0; axis < dims.length; axis++) {
        if (dims[axis] < 0) {
          dims[axis] = extents[Math.min(symbols++, extents.length - 1)];
        }
      }
      tensors.add(tensor(input, Shape.of(dims)));
    }
    return tensors;
  }

  /** The same values for the same name and extents, in every engine. */
  private static Tensor tensor(LoadedModel.Input input, Shape shape) {
    int count = Math.toIntExact(shape.elementCount());
    Random random = new Random(input.name().hashCode());
    if (!input.isInteger()) {
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = (float) random.nextGaussian();
      }
      return Tensor.of(values, shape);
    }
    long[] values = new long[count];
    boolean isMask = input.name().contains("mask");
    boolean isKind = input.name().contains("type");
    for (int i = 0; i < count && !isKind; i++) {
      values[i] = isMask ? 1 : random.nextInt(TOKENS);
    }
    return Tensor.of(values, shape);
  }
}
