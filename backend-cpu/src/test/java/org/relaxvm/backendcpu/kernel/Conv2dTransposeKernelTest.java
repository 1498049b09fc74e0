package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;

class Conv2dTransposeKernelTest {
  private final Random random = Kernels.random(Conv2dTransposeKernelTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @Test
  void randomTransposedConvolutionsEqualTheDefinition() {
    for (int i = 0; i < 60; i++) {
      long groups = 1L + random.nextInt(2);
      long channels = groups * (1 + random.nextInt(3));
      long perGroup = 1L + random.nextInt(random.nextBoolean() ? 4 : 24);
      long[] strides = {1L + random.nextInt(3), 1L + random.nextInt(3)};
      long[] more = {random.nextInt((int) strides[0]), random.nextInt((int) strides[1])};
      check(
          tensors.oneOf(List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.INT32)),
          Shape.of(random.nextInt(3), channels, 1 + random.nextInt(9), 1 + random.nextInt(9)),
          Shape.of(channels, perGroup, 1 + random.nextInt(4), 1 + random.nextInt(4)),
          strides,
          new long[] {random.nextInt(3), random.nextInt(3), random.nextInt(3), random.nextInt(3)},
          more,
          new long[] {1L + random.nextInt(3), 1L + random.nextInt(2)},
          groups);
    }
  }

  @Test
  void paddingMustLeaveLessThanTheStrides() {
    assertThatThrownBy(() -> call(Shape.of(2, 1), Shape.of(2, 0), 1, Shape.of(1, 3, 5, 3)))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "relaxvm.conv2d_transpose: argument #5 'output_padding' must be less than the strides"
                + " [2, 1] but is [2, 0]");
  }

  @Test
  void groupsMustDivideTheInputChannels() {
    assertThatThrownBy(() -> call(Shape.of(1, 1), Shape.of(0, 0), 3, Shape.of(1, 9, 3, 3)))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "relaxvm.conv2d_transpose: argument #7 'groups' must be a positive divisor of 2 input"
                + " channels but is 3");
  }

  @Test
  void theOutputMustHaveTheExtentsOfTheDefinition() {
    assertThatThrownBy(() -> call(Shape.of(2, 1), Shape.of(1, 0), 1, Shape.of(1, 3, 5, 3)))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "relaxvm.conv2d_transpose: argument #9 'out' must be shape [1, 3, 6, 3] but is shape"
                + " [1, 3, 5, 3]");
  }

  /** An image of 2 channels and 3 x 3 elements, a window of one element, 3 outputs a group. */
  private static void call(Shape strides, Shape more, long groups, Shape out) {
    Kernels.call(
        "conv2d_transpose",
        Tensor.zeros(DType.FLOAT32, Shape.of(1, 2, 3, 3)),
        Tensor.zeros(DType.FLOAT32, Shape.of(2, 3, 1, 1)),
        null,
        strides,
        Shape.of(0, 0, 0, 0),
        more,
        Shape.of(1, 1),
        groups,
        "none",
        Tensor.zeros(DType.FLOAT32, out));
  }

  private void check(
      DType dtype,
      Shape dataShape,
      Shape weightShape,
      long[] strides,
      long[] padding,
      long[] more,
      long[] dilation,
      long groups) {
    Tensor data = tensors.values(dtype, dataShape);
    Tensor weight = tensors.values(dtype, weightShape);
    long perGroup = weightShape.dim(1);
    @Nullable Tensor bias =
        random.nextBoolean() ? tensors.values(dtype, Shape.of(groups * perGroup)) : null;
    long[] extents = new long[2];
    for (int i = 0; i < 2; i++) {
      long whole =
          (dataShape.dim(2 + i) - 1) * strides[i]
              + dilation[i] * (weightShape.dim(2 + i) - 1)
              + more[i]
              + 1;
      extents[i] = Math.max(0, whole - padding[i] - padding[i + 2]);
    }
    Shape outShape = Shape.of(dataShape.dim(0), groups * perGroup, extents[0], extents[1]);
    double[] sums = sums(data, weight, bias, outShape, strides, padding, dilation, groups);
    // Twice: what kernels keep of constants must not change the result beyond its precision.
    for (int i = 0; i < 2; i++) {
      Tensor out = tensors.output(dtype, outShape);
      Kernels.call(
          "conv2d_transpose",
          data,
          weight,
          bias,
          Shape.of(strides),
          Shape.of(padding),
          Shape.of(more),
          Shape.of(dilation),
          groups,
          "relu",
          out);
      Expected.check(out, at -> Math.max(0, Expected.element(sums, outShape, at)));
      weight.markConstant();
    }
  }

  /** By adding each input element times each weight where it belongs. */
  private static double[] sums(
      Tensor data,
      Tensor weight,
      @Nullable Tensor bias,
      Shape out,
      long[] strides,
      long[] padding,
      long[] dilation,
      long groups) {
    double[] x = data.toDoubleArray();
    double[] w = weight.toDoubleArray();
    Shape d = data.shape();
    double[] sums = new double[(int) out.elementCount()];
    for (int i = 0; bias != null && i < sums.length; i++) {
      sums[i] = bias.toDoubleArray()[(int) Expected.indexOf(i, out)[1]];
    }
    long perGroup = weight.shape().dim(1);
    for (int i = 0; i < x.length; i++) {
      long[] from = Expected.indexOf(i, d);
      for (int j = 0; j < w.length; j++) {
        long[] element = Expected.indexOf(j, weight.shape());
        long y = from[2] * strides[0] + element[2] * dilation[0] - padding[0];
        long xx = from[3] * strides[1] + element[3] * dilation[1] - padding[1];
        if (element[0] == from[1] && y >= 0 && y < out.dim(2) && xx >= 0 && xx < out.dim(3)) {
          long channel = from[1] / (d.dim(1) / groups) * perGroup + element[1];
          long at = ((from[0] * out.dim(1) + channel) * out.dim(2) + y) * out.dim(3) + xx;
          sums[(int) at] += x[i] * w[j];
        }
      }
    }
    return sums;
  }
}
