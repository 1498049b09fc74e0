package org.relaxvm.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

/**
 * Calls of the kernel library at typical shapes, float32 unless it is said otherwise.
 *
 * @param function without prefix
 * @param shape for people
 * @param args the last one is the output
 */
record LibraryCase(String function, String shape, @Nullable Object[] args) {
  private static final List<long[]> PLAIN =
      List.of(new long[] {16}, new long[] {4096}, new long[] {1 << 20});

  /** Makes the cases one after another. */
  static void forEach(Consumer<LibraryCase> all) {
    elements(all);
    rows(all);
    windows(all);
    movement(all);
    lookups(all);
  }

  private static void elements(Consumer<LibraryCase> all) {
    for (long[] dims : PLAIN) {
      for (String name :
          Stream.of(
                  "negative abs sign square floor ceil round trunc isnan isfinite relu sigmoid"
                      + " gelu",
                  "gelu_tanh silu selu exp log sqrt rsqrt tanh erf sin cos tan asin acos atan",
                  "sinh cosh asinh acosh atanh copy")
              .flatMap(line -> Arrays.stream(line.split(" ")))
              .toList()) {
        DType to = name.startsWith("is") ? DType.BOOL : DType.FLOAT32;
        add(all, name, dims, x(dims), out(to, dims));
      }
      add(all, "clip", dims, x(dims), -0.2, 0.2, out(dims));
      add(all, "leaky_relu", dims, x(dims), 0.1, out(dims));
      add(all, "softplus", dims, x(dims), 1.0, 20.0, out(dims));
      for (String name :
          "add subtract multiply divide maximum minimum power floor_divide mod floor_mod"
              .split(" ")) {
        add(all, name, dims, x(dims), x(dims), out(dims));
      }
      for (String name : "equal not_equal less less_equal greater greater_equal".split(" ")) {
        add(all, name, dims, x(dims), x(dims), out(DType.BOOL, dims));
      }
      add(all, "where", dims, out(DType.BOOL, dims), x(dims), x(dims), out(dims));
      for (DType to : List.of(DType.FLOAT16, DType.BFLOAT16, DType.INT32, DType.FLOAT64)) {
        add(all, "cast", dims, x(dims), out(to, dims));
      }
      add(all, "cast", dims, out(DType.INT64, dims), out(dims));
    }
    long[] image = {64, 56, 56};
    add(all, "add", new long[] {512, 768}, x(512, 768), x(768), out(512, 768));
    add(all, "multiply", new long[] {512, 768}, x(512, 768), x(512, 1), out(512, 768));
    add(all, "add", image, x(image), x(64, 1, 1), out(image));
  }

  private static void rows(Consumer<LibraryCase> all) {
    for (long[] dims :
        List.of(new long[] {8, 64}, new long[] {128, 768}, new long[] {1024, 1000})) {
      long rows = dims[0];
      long columns = dims[1];
      for (String name : List.of("softmax", "log_softmax")) {
        add(all, name, dims, x(dims), -1, out(dims));
        add(all, name + " axis 0", dims, x(dims), 0, out(dims));
      }
      Shape last = Shape.of(1);
      add(all, "layer_norm", dims, x(dims), x(columns), x(columns), last, 1e-5, out(dims));
      add(all, "rms_norm", dims, x(dims), x(columns), last, 1e-5, out(dims));
      for (String name : List.of("sum", "mean", "prod", "max", "min")) {
        add(all, name + " rows", dims, x(dims), Shape.of(1), false, out(rows));
        add(all, name + " columns", dims, x(dims), Shape.of(0), false, out(columns));
        add(all, name + " all", dims, x(dims), null, false, out());
      }
      for (String name : List.of("argmax", "argmin")) {
        add(all, name + " rows", dims, x(dims), 1, false, out(DType.INT64, rows));
        add(all, name + " columns", dims, x(dims), 0, false, out(DType.INT64, columns));
      }
      for (String name : List.of("cumsum", "cumprod")) {
        add(all, name, dims, x(dims), 1, false, out(dims));
        add(all, name + " axis 0", dims, x(dims), 0, false, out(dims));
      }
      add(all, "sort", dims, x(dims), 1, false, out(dims));
      add(all, "argsort", dims, x(dims), 1, false, out(DType.INT64, dims));
      add(all, "topk", dims, x(dims), 1, true, out(rows, 5));
    }
  }

  private static void windows(Consumer<LibraryCase> all) {
    for (long[] dims : List.of(new long[] {1, 16, 14, 14}, new long[] {1, 64, 56, 56})) {
      long channels = dims[1];
      Shape one = Shape.of(1, 1);
      for (long size : new long[] {2, 3}) {
        long padding = size - 2;
        long side = (dims[2] + 2 * padding - size) / 2 + 1;
        Shape window = Shape.of(size, size);
        Shape stride = Shape.of(2, 2);
        Shape padded = Shape.of(padding, padding, padding, padding);
        String suffix = " " + size + " x " + size;
        Tensor out = out(1, channels, side, side);
        add(all, "max_pool2d" + suffix, dims, x(dims), window, stride, padded, one, false, out);
        add(
            all,
            "avg_pool2d" + suffix,
            dims,
            x(dims),
            window,
            stride,
            padded,
            one,
            false,
            false,
            out);
      }
      Tensor c = x(channels);
      Tensor variance = out(channels);
      add(all, "batch_norm", dims, x(dims), c, c, c, variance, 1, 1e-5, out(dims));
      add(all, "group_norm", dims, x(dims), c, c, 8, 1, Shape.of(2, 3), 1e-5, out(dims));
      add(all, "mean plane", dims, x(dims), Shape.of(2, 3), true, out(1, channels, 1, 1));
    }
  }

  private static void movement(Consumer<LibraryCase> all) {
    for (long[] dims : List.of(new long[] {64, 64}, new long[] {1024, 1024})) {
      long n = dims[0];
      add(all, "permute_dims", dims, x(dims), Shape.of(1, 0), out(dims));
      add(all, "concat 0", dims, Tuple.of(x(dims), x(dims)), 0, out(2 * n, n));
      add(all, "concat 1", dims, Tuple.of(x(dims), x(dims)), 1, out(n, 2 * n));
      add(all, "reshape", dims, x(dims), out(n * n));
      add(all, "full", dims, 1.5, out(dims));
      add(all, "flip", dims, x(dims), 1, out(dims));
      add(all, "pad", dims, x(dims), Shape.of(1, 1, 1, 1), "constant", 0.0, out(n + 2, n + 2));
      add(
          all,
          "strided_slice",
          dims,
          x(dims),
          Shape.of(1),
          Shape.of(0),
          Shape.of(n),
          Shape.of(2),
          out(n, n / 2));
      add(all, "tile", dims, x(dims), Shape.of(2, 2), out(2 * n, 2 * n));
      add(all, "repeat", dims, x(dims), 2, 1, out(n, 2 * n));
      add(all, "tril", dims, x(dims), 0, out(dims));
      add(all, "arange", new long[] {n * n}, 0.0, 1.0, out(n * n));
    }
    long[] heads = {1, 128, 12, 64};
    add(all, "permute_dims", heads, x(heads), Shape.of(0, 2, 1, 3), out(1, 12, 128, 64));
  }

  private static void lookups(Consumer<LibraryCase> all) {
    for (long[] dims : List.of(new long[] {64, 64}, new long[] {30000, 384})) {
      long count = Math.min(dims[0], 128);
      Tensor indices = indices(dims[0], count);
      add(all, "take fast", dims, x(dims), indices, 0, "fast", out(count, dims[1]));
      add(all, "take clip", dims, x(dims), indices, 0, "clip", out(count, dims[1]));
      add(all, "take axis 1", dims, x(dims), indices(64, 64), 1, "fast", out(dims[0], 64));
      Tensor each = out(DType.INT64, count, dims[1]);
      add(all, "gather_elements", dims, x(dims), each, 0, out(count, dims[1]));
      add(all, "gather_nd", dims, x(dims), out(DType.INT64, count, 1), 0, out(count, dims[1]));
      add(all, "one_hot", new long[] {count}, indices, 1.0, 0.0, 1, out(count, 1000));
      Tensor updates = x(count, dims[1]);
      add(all, "scatter_elements", dims, x(dims), each, updates, 0, "update", out(dims));
      add(
          all,
          "scatter_nd",
          dims,
          x(dims),
          out(DType.INT64, count, 1),
          updates,
          "update",
          out(dims));
    }
  }

  private static void add(
      Consumer<LibraryCase> all, String function, long[] dims, @Nullable Object... args) {
    all.accept(new LibraryCase(function, Shape.of(dims).toString(), args));
  }

  private static Tensor x(long... dims) {
    return Measure.random(Shape.of(dims));
  }

  private static Tensor out(long... dims) {
    return out(DType.FLOAT32, dims);
  }

  private static Tensor out(DType dtype, long... dims) {
    return Tensor.zeros(dtype, Shape.of(dims));
  }

  private static Tensor indices(long extent, long count) {
    long[] values = new long[(int) count];
    Arrays.setAll(values, i -> (i * 7919L) % extent);
    return Tensor.of(values, Shape.of(count));
  }

  /** The function in the library. */
  String name() {
    int end = function.indexOf(' ');
    return "relaxvm." + (end < 0 ? function : function.substring(0, end));
  }
}
