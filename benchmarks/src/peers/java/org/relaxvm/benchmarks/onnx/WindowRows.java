package org.relaxvm.benchmarks.onnx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Other convolutions: of each channel alone or of few, along one axis, and transposed. */
final class WindowRows {
  private WindowRows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    rows.add(depthwise(32, 112, 3, 1));
    rows.add(depthwise(96, 112, 3, 2));
    rows.add(depthwise(144, 56, 3, 1));
    rows.add(depthwise(144, 56, 3, 2));
    rows.add(depthwise(192, 28, 3, 1));
    rows.add(depthwise(240, 28, 5, 1));
    rows.add(depthwise(384, 14, 3, 1));
    rows.add(depthwise(672, 14, 5, 2));
    rows.add(depthwise(672, 14, 5, 1));
    rows.add(depthwise(960, 7, 3, 1));
    rows.add(depthwise(96, 56, 7, 1));
    rows.add(grouped(128, 32, 56, 1));
    rows.add(grouped(256, 32, 56, 2));
    rows.add(grouped(256, 32, 28, 1));
    rows.add(convolution("conv1d 3/1 80->384 @1500", 80, 384, 1, new long[] {1, 1500}, 1, 3, 1));
    rows.add(convolution("conv1d 3/2 384->384 @1500", 384, 384, 1, new long[] {1, 1500}, 1, 3, 2));
    rows.add(
        convolution(
            "conv1d depthwise 31/1 256 @400", 256, 256, 256, new long[] {1, 400}, 1, 31, 1));
    rows.add(transposed(128, 64, 28, 4));
    rows.add(transposed(64, 32, 56, 2));
    rows.add(transposed(32, 16, 56, 3));
    return rows;
  }

  private static Row depthwise(long channels, long size, long window, long stride) {
    return convolution(
        "depthwise %dx%d/%d %d @%d".formatted(window, window, stride, channels, size),
        channels,
        channels,
        channels,
        new long[] {size, size},
        window,
        window,
        stride);
  }

  private static Row grouped(long channels, long groups, long size, long stride) {
    return convolution(
        "grouped 3x3/%d %d by %d @%d".formatted(stride, channels, groups, size),
        channels,
        channels,
        groups,
        new long[] {size, size},
        3,
        3,
        stride);
  }

  /** A convolution with windows that lie around each pixel, or each second one. */
  private static Row convolution(
      String name,
      long inputs,
      long outputs,
      long groups,
      long[] size,
      long height,
      long width,
      long stride) {
    Tensor data = Row.random(1, 1, inputs, size[0], size[1]);
    double deviation = 1 / Math.sqrt((double) inputs / groups * height * width);
    Tensor weight = Row.random(deviation, outputs, inputs / groups, height, width);
    weight.markConstant();
    long top = height / 2;
    long left = width / 2;
    Tensor out =
        Row.zeros(
            1,
            outputs,
            (size[0] + 2 * top - height) / stride + 1,
            (size[1] + 2 * left - width) / stride + 1);
    OnnxModel model =
        OnnxModel.of("Conv")
            .input("data", 1, inputs, size[0], size[1])
            .constant("weight", weight)
            .attribute("group", groups)
            .attribute("strides", new long[] {stride, stride})
            .attribute("pads", new long[] {top, left, top, left})
            .attribute("kernel_shape", new long[] {height, width});
    return new Row(
        name,
        "conv2d",
        model,
        List.of(data),
        out,
        args(
            data,
            weight,
            null,
            Shape.of(stride, stride),
            Shape.of(top, left, top, left),
            Shape.of(1, 1),
            groups,
            "none",
            out),
        1e-5);
  }

  /** A transposed convolution that doubles the extents of an image. */
  private static Row transposed(long inputs, long outputs, long size, long window) {
    Tensor data = Row.random(1, 1, inputs, size, size);
    Tensor weight = Row.random(0.03, inputs, outputs, window, window);
    weight.markConstant();
    Tensor out = Row.zeros(1, outputs, 2 * size, 2 * size);
    long edge = (window - 1) / 2;
    long more = 2 - window + 2 * edge;
    OnnxModel model =
        OnnxModel.of("ConvTranspose")
            .input("data", 1, inputs, size, size)
            .constant("weight", weight)
            .attribute("strides", new long[] {2, 2})
            .attribute("pads", new long[] {edge, edge, edge, edge})
            .attribute("output_padding", new long[] {more, more})
            .attribute("kernel_shape", new long[] {window, window});
    return new Row(
        "transposed %dx%d/2 %d->%d @%d".formatted(window, window, inputs, outputs, size),
        "conv2d_transpose",
        model,
        List.of(data),
        out,
        args(
            data,
            weight,
            null,
            Shape.of(2, 2),
            Shape.of(edge, edge, edge, edge),
            Shape.of(more, more),
            Shape.of(1, 1),
            1,
            "none",
            out),
        1e-5);
  }

  private static Object[] args(@Nullable Object... args) {
    return args;
  }
}
