package org.relaxvm.benchmarks.onnx;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Further normalizations: matrices of 512 rows and 1024 columns, and images of 64 channels. */
final class NormalizationRows {
  private static final long[] MATRIX = {512, 1024};
  private static final long[] IMAGE = {1, 64, 56, 56};
  private static final long CHANNELS = 64;
  private static final float EPSILON = 1e-5f;
  private static final double TOLERANCE = 1e-5;

  private NormalizationRows() {}

  static List<Row> all() {
    return List.of(
        softmax("log_softmax [512, 1024]", "log_softmax", "LogSoftmax", -1),
        softmax("softmax along the first axis [512, 1024]", "softmax", "Softmax", 0),
        rmsNorm(),
        batchNorm(),
        instanceNorm());
  }

  private static Row softmax(String name, String kernel, String operator, int axis) {
    Tensor x = Row.random(1, MATRIX);
    Tensor out = Row.zeros(MATRIX);
    OnnxModel model = OnnxModel.of(operator).input("x", MATRIX).attribute("axis", axis);
    return new Row(name, kernel, model, List.of(x), out, args(x, axis, out), TOLERANCE);
  }

  private static Row rmsNorm() {
    Tensor x = Row.random(1, MATRIX);
    Tensor weight = Row.random(1, MATRIX[1]);
    Tensor out = Row.zeros(MATRIX);
    OnnxModel model =
        OnnxModel.of("SimplifiedLayerNormalization")
            .input("x", MATRIX)
            .constant("weight", weight)
            .attribute("axis", -1)
            .attribute("epsilon", EPSILON);
    Object[] args = args(x, weight, Shape.of(-1), EPSILON, out);
    return new Row("rms_norm [512, 1024]", "rms_norm", model, List.of(x), out, args, TOLERANCE);
  }

  private static Row batchNorm() {
    Tensor x = Row.random(1, IMAGE);
    Tensor gamma = Row.random(1, CHANNELS);
    Tensor beta = Row.random(0.9, CHANNELS);
    Tensor mean = Row.random(0.8, CHANNELS);
    Tensor variance = Tensor.zeros(x.dtype(), Shape.of(CHANNELS));
    variance.fill(1.5);
    Tensor out = Row.zeros(IMAGE);
    OnnxModel model =
        OnnxModel.of("BatchNormalization")
            .input("x", IMAGE)
            .constant("gamma", gamma)
            .constant("beta", beta)
            .constant("mean", mean)
            .constant("variance", variance)
            .attribute("epsilon", EPSILON);
    Object[] args = args(x, gamma, beta, mean, variance, 1, EPSILON, out);
    String name = "batch_norm [1, 64, 56, 56]";
    return new Row(name, "batch_norm", model, List.of(x), out, args, TOLERANCE);
  }

  /** Groups of one channel each: the peer has no others on the CPU. */
  private static Row instanceNorm() {
    Tensor x = Row.random(1, IMAGE);
    Tensor gamma = Row.random(1, CHANNELS);
    Tensor beta = Row.random(0.9, CHANNELS);
    Tensor out = Row.zeros(IMAGE);
    OnnxModel model =
        OnnxModel.of("InstanceNormalization")
            .input("x", IMAGE)
            .constant("gamma", gamma)
            .constant("beta", beta)
            .attribute("epsilon", EPSILON);
    Object[] args = args(x, gamma, beta, CHANNELS, 1, Shape.of(2, 3), EPSILON, out);
    String name = "group_norm [1, 64, 56, 56], 64 groups";
    return new Row(name, "group_norm", model, List.of(x), out, args, 1e-4);
  }

  private static Object[] args(@Nullable Object... args) {
    return args;
  }
}
