package org.relaxvm.benchmarks.onnx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Every distinct convolution of ResNet-18, of one image of 224 x 224 pixels. */
final class ConvolutionRows {
  private ConvolutionRows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    rows.add(row(3, 64, 224, 7, 2));
    rows.add(row(64, 64, 56, 3, 1));
    long size = 56;
    for (long channels = 64; channels < 512; channels *= 2) {
      rows.add(row(channels, 2 * channels, size, 3, 2));
      rows.add(row(channels, 2 * channels, size, 1, 2));
      size /= 2;
      rows.add(row(2 * channels, 2 * channels, size, 3, 1));
    }
    return rows;
  }

  /** A convolution with windows that lie around each pixel, or each second one. */
  private static Row row(long inputs, long outputs, long size, long window, long stride) {
    Tensor data = Row.random(1, 1, inputs, size, size);
    // Results are near 1 then, whatever the depth.
    double deviation = 1 / Math.sqrt((double) inputs * window * window);
    Tensor weight = Row.random(deviation, outputs, inputs, window, window);
    weight.markConstant();
    Tensor bias = Row.random(1, outputs);
    long edge = window / 2;
    long outSize = (size + 2 * edge - window) / stride + 1;
    Tensor out = Row.zeros(1, outputs, outSize, outSize);
    OnnxModel model =
        OnnxModel.of("Conv")
            .input("data", 1, inputs, size, size)
            .constant("weight", weight)
            .constant("bias", bias)
            .attribute("strides", new long[] {stride, stride})
            .attribute("pads", new long[] {edge, edge, edge, edge})
            .attribute("kernel_shape", new long[] {window, window});
    return new Row(
        "conv %dx%d/%d %d->%d @%d".formatted(window, window, stride, inputs, outputs, size),
        "conv2d",
        model,
        List.of(data),
        out,
        args(
            data,
            weight,
            bias,
            Shape.of(stride, stride),
            Shape.of(edge, edge, edge, edge),
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
