package org.relaxvm.benchmarks.onnx;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Other windows over images: depthwise and transposed convolution, pooling. */
final class WindowRows {
  private WindowRows() {}

  static List<Row> all() {
    return List.of(depthwise(96, 112, 2), depthwise(384, 14, 1), transposed(), maxPool());
  }

  private static Row depthwise(long channels, long size, long stride) {
    Tensor data = Row.random(1, 1, channels, size, size);
    Tensor weight = Row.random(0.3, channels, 1, 3, 3);
    weight.markConstant();
    long outSize = (size - 1) / stride + 1;
    Tensor out = Row.zeros(1, channels, outSize, outSize);
    OnnxModel model =
        OnnxModel.of("Conv")
            .input("data", 1, channels, size, size)
            .constant("weight", weight)
            .attribute("group", channels)
            .attribute("strides", new long[] {stride, stride})
            .attribute("pads", new long[] {1, 1, 1, 1})
            .attribute("kernel_shape", new long[] {3, 3});
    return new Row(
        "depthwise 3x3/%d %d @%d".formatted(stride, channels, size),
        "conv2d",
        model,
        List.of(data),
        out,
        args(
            data,
            weight,
            null,
            Shape.of(stride, stride),
            Shape.of(1, 1, 1, 1),
            Shape.of(1, 1),
            channels,
            "none",
            out),
        1e-5);
  }

  private static Row transposed() {
    Tensor data = Row.random(1, 1, 128, 28, 28);
    Tensor weight = Row.random(0.03, 128, 64, 4, 4);
    weight.markConstant();
    Tensor out = Row.zeros(1, 64, 56, 56);
    OnnxModel model =
        OnnxModel.of("ConvTranspose")
            .input("data", 1, 128, 28, 28)
            .constant("weight", weight)
            .attribute("strides", new long[] {2, 2})
            .attribute("pads", new long[] {1, 1, 1, 1})
            .attribute("kernel_shape", new long[] {4, 4});
    return new Row(
        "transposed 4x4/2 128->64 @28",
        "conv2d_transpose",
        model,
        List.of(data),
        out,
        args(
            data,
            weight,
            null,
            Shape.of(2, 2),
            Shape.of(1, 1, 1, 1),
            Shape.of(0, 0),
            Shape.of(1, 1),
            1,
            "none",
            out),
        1e-5);
  }

  private static Row maxPool() {
    Tensor data = Row.random(1, 1, 64, 112, 112);
    Tensor out = Row.zeros(1, 64, 56, 56);
    OnnxModel model =
        OnnxModel.of("MaxPool")
            .input("data", 1, 64, 112, 112)
            .attribute("strides", new long[] {2, 2})
            .attribute("pads", new long[] {1, 1, 1, 1})
            .attribute("kernel_shape", new long[] {3, 3});
    return new Row(
        "max_pool 3x3/2 64 @112",
        "max_pool2d",
        model,
        List.of(data),
        out,
        args(
            data, Shape.of(3, 3), Shape.of(2, 2), Shape.of(1, 1, 1, 1), Shape.of(1, 1), false, out),
        0);
  }

  private static Object[] args(@Nullable Object... args) {
    return args;
  }
}
