package org.relaxvm.benchmarks.onnx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Largest elements and means of windows over images. */
final class PoolRows {
  private PoolRows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    for (boolean max : new boolean[] {true, false}) {
      rows.add(pool(max, 64, 112, 3, 2, 1));
      rows.add(pool(max, 64, 112, 2, 2, 0));
      rows.add(pool(max, 192, 28, 3, 1, 1));
      rows.add(pool(max, 480, 14, 3, 2, 1));
    }
    rows.add(pool(true, 512, 14, 5, 1, 2));
    // Global, and as an adaptive one is of extents that divide each other.
    rows.add(pool(false, 2048, 7, 7, 7, 0));
    rows.add(pool(false, 512, 14, 2, 2, 0));
    rows.add(mean());
    return rows;
  }

  private static Row pool(
      boolean max, long channels, long size, long window, long stride, long edge) {
    Tensor data = Row.random(1, 1, channels, size, size);
    long outSize = (size + 2 * edge - window) / stride + 1;
    Tensor out = Row.zeros(1, channels, outSize, outSize);
    OnnxModel model =
        OnnxModel.of(max ? "MaxPool" : "AveragePool")
            .input("data", 1, channels, size, size)
            .attribute("strides", new long[] {stride, stride})
            .attribute("pads", new long[] {edge, edge, edge, edge})
            .attribute("kernel_shape", new long[] {window, window});
    Shape windows = Shape.of(window, window);
    Shape strides = Shape.of(stride, stride);
    Shape padding = Shape.of(edge, edge, edge, edge);
    Shape one = Shape.of(1, 1);
    return new Row(
        "%s_pool %dx%d/%d %d @%d"
            .formatted(max ? "max" : "avg", window, window, stride, channels, size),
        max ? "max_pool2d" : "avg_pool2d",
        model,
        List.of(data),
        out,
        max
            ? args(data, windows, strides, padding, one, false, out)
            : args(data, windows, strides, padding, one, false, false, out),
        max ? 0 : 1e-5);
  }

  private static Row mean() {
    Tensor data = Row.random(1, 1, 2048, 7, 7);
    Tensor out = Row.zeros(1, 2048, 1, 1);
    return new Row(
        "global avg_pool 2048 @7",
        "mean",
        OnnxModel.of("GlobalAveragePool").input("data", 1, 2048, 7, 7),
        List.of(data),
        out,
        args(data, Shape.of(2, 3), true, out),
        1e-5);
  }

  private static Object[] args(@Nullable Object... args) {
    return args;
  }
}
