package org.relaxvm.backendcpu.kernel;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class Conv2dKernelTest {
  private static final List<DType> DTYPES =
      List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16, DType.INT32, DType.INT8);

  private final Random random = Kernels.random(Conv2dKernelTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @Test
  void randomConvolutionsEqualTheDefinition() {
    for (int i = 0; i < 200; i++) {
      long groups = 1L + random.nextInt(3);
      Shape data =
          Shape.of(
              random.nextInt(3),
              groups * (1 + random.nextInt(3)),
              3 + random.nextInt(6),
              3 + random.nextInt(6));
      Shape weight =
          Shape.of(
              groups * (1 + random.nextInt(9)),
              data.dim(1) / groups,
              1 + random.nextInt(3),
              1 + random.nextInt(3));
      check(
          tensors.oneOf(DTYPES),
          data,
          weight,
          Shape.of(1 + random.nextInt(3), 1 + random.nextInt(3)),
          Shape.of(random.nextInt(3), random.nextInt(3), random.nextInt(3), random.nextInt(3)),
          Shape.of(1 + random.nextInt(2), 1 + random.nextInt(2)),
          groups);
    }
  }

  @Test
  void manyPixelsAndChannelsTakeSeveralTiles() {
    check(
        DType.FLOAT32,
        Shape.of(2, 20, 19, 23),
        Shape.of(5, 20, 3, 3),
        Shape.of(1, 1),
        Shape.of(1, 1, 1, 1),
        Shape.of(1, 1),
        1);
  }

  @Test
  void windowsOfOneElementAreMatrixProducts() {
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
      for (long groups : new long[] {1, 2}) {
        check(
            dtype,
            Shape.of(2, 2 * 18, 9, 11),
            Shape.of(30, 36 / groups, 1, 1),
            Shape.of(1, 1),
            Shape.of(0, 0, 0, 0),
            Shape.of(1, 1),
            groups);
      }
    }
  }

  @Test
  void deepWindowsAreSummedInBlocks() {
    for (Shape strides : List.of(Shape.of(1, 1), Shape.of(2, 2))) {
      check(
          DType.FLOAT32,
          Shape.of(1, 150, 13, 12),
          Shape.of(17, 150, 3, 3),
          strides,
          Shape.of(1, 2, 1, 0),
          Shape.of(1, 1),
          1);
    }
  }

  @Test
  void manyOutputChannelsTakePanelsOfThem() {
    for (DType dtype : List.of(DType.FLOAT32, DType.BFLOAT16)) {
      for (long stride = 1; stride <= 3; stride++) {
        check(
            dtype,
            Shape.of(2, 6, 30, 41),
            Shape.of(2 * 37, 3, 3, 4),
            Shape.of(stride, stride),
            Shape.of(1, 2, 3, 1),
            Shape.of(1, 2),
            2);
      }
    }
  }

  @Test
  void rowsOfAnyLengthTakeTilesOfSeveralSizes() {
    for (long columns = 3; columns <= 32; columns++) {
      check(
          DType.FLOAT32,
          Shape.of(1, 5, 4 + columns % 5, 2 * columns),
          Shape.of(33, 5, 3, 3),
          Shape.of(1, 2),
          Shape.of(1, 1, 1, 0),
          Shape.of(1, 1),
          1);
    }
  }

  @Test
  void depthwiseConvolutionsTakeOneRow() {
    for (long multiplier = 1; multiplier <= 3; multiplier++) {
      check(
          DType.FLOAT32,
          Shape.of(2, 5, 33, 37),
          Shape.of(5 * multiplier, 1, 3, 3),
          Shape.of(2, 1),
          Shape.of(1, 1, 1, 1),
          Shape.of(1, 1),
          5);
    }
  }

  @Test
  void aWindowLargerThanTheImageGivesNothing() {
    check(
        DType.FLOAT32,
        Shape.of(1, 1, 2, 2),
        Shape.of(1, 1, 3, 3),
        Shape.of(1, 1),
        Shape.of(0, 0, 0, 0),
        Shape.of(1, 1),
        1);
  }

  private void check(
      DType dtype,
      Shape dataShape,
      Shape weightShape,
      Shape strides,
      Shape padding,
      Shape dilation,
      long groups) {
    Tensor data = tensors.values(dtype, dataShape);
    Tensor weight = tensors.values(dtype, weightShape);
    @Nullable Tensor bias =
        random.nextBoolean() ? tensors.values(dtype, Shape.of(weightShape.dim(0))) : null;
    boolean relu = dtype.isFloat() && random.nextBoolean();
    long rows = extent(dataShape.dim(2), weightShape.dim(2), strides, padding, dilation, 0);
    long columns = extent(dataShape.dim(3), weightShape.dim(3), strides, padding, dilation, 1);
    Shape outShape = Shape.of(dataShape.dim(0), weightShape.dim(0), rows, columns);
    // Twice: what kernels keep of constants must not change the result beyond its precision.
    for (int i = 0; i < 2; i++) {
      Tensor out = tensors.output(dtype, outShape);
      call(data, weight, bias, strides, padding, dilation, groups, relu, out);
      compare(data, weight, bias, strides, padding, dilation, groups, relu, out);
      weight.markConstant();
    }
  }

  private static void call(
      Tensor data,
      Tensor weight,
      @Nullable Tensor bias,
      Shape strides,
      Shape padding,
      Shape dilation,
      long groups,
      boolean relu,
      Tensor out) {
    Kernels.call(
        "conv2d",
        data,
        weight,
        bias,
        strides,
        padding,
        dilation,
        groups,
        relu ? "relu" : "none",
        out);
  }

  private static void compare(
      Tensor data,
      Tensor weight,
      @Nullable Tensor bias,
      Shape strides,
      Shape padding,
      Shape dilation,
      long groups,
      boolean relu,
      Tensor out) {
    Shape dataShape = data.shape();
    Shape weightShape = weight.shape();
    double[] x = data.toDoubleArray();
    double[] w = weight.toDoubleArray();
    double[] b = bias == null ? new double[(int) weightShape.dim(0)] : bias.toDoubleArray();
    Expected.check(
        out,
        at -> {
          double sum = b[(int) at[1]];
          long group = at[1] / (weightShape.dim(0) / groups);
          for (long c = 0; c < weightShape.dim(1); c++) {
            for (long ky = 0; ky < weightShape.dim(2); ky++) {
              for (long kx = 0; kx < weightShape.dim(3); kx++) {
                long y = at[2] * strides.dim(0) - padding.dim(0) + ky * dilation.dim(0);
                long xx = at[3] * strides.dim(1) - padding.dim(1) + kx * dilation.dim(1);
                if (y >= 0 && y < dataShape.dim(2) && xx >= 0 && xx < dataShape.dim(3)) {
                  long channel = group * weightShape.dim(1) + c;
                  sum +=
                      Expected.element(x, dataShape, new long[] {at[0], channel, y, xx})
                          * Expected.element(w, weightShape, new long[] {at[1], c, ky, kx});
                }
              }
            }
          }
          return relu ? Math.max(sum, 0) : sum;
        });
  }

  private static long extent(
      long image, long window, Shape strides, Shape padding, Shape dilation, int axis) {
    long room =
        image + padding.dim(axis) + padding.dim(axis + 2) - (window - 1) * dilation.dim(axis) - 1;
    return room < 0 ? 0 : room / strides.dim(axis) + 1;
  }
}
