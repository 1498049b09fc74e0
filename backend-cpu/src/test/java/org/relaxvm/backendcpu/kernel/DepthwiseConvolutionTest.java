package org.relaxvm.backendcpu.kernel;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class DepthwiseConvolutionTest {
  private static final List<DType> DTYPES = List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);

  private final Random random = Kernels.random(DepthwiseConvolutionTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  /** A convolution of each channel alone, with the same stride and dilation along both axes. */
  private record Case(
      DType dtype,
      Shape data,
      long multiplier,
      long[] window,
      long stride,
      long[] padding,
      long dilation) {
    long extent(int axis) {
      long room =
          data.dim(2 + axis)
              + padding[axis]
              + padding[axis + 2]
              - (window[axis] - 1) * dilation
              - 1;
      return room < 0 ? 0 : room / stride + 1;
    }

    Shape outShape() {
      return Shape.of(data.dim(0), data.dim(1) * multiplier, extent(0), extent(1));
    }
  }

  @Test
  void randomWindowsEqualTheDefinition() {
    for (int i = 0; i < 300; i++) {
      Shape data = Shape.of(random.nextInt(3), random.nextInt(7), extent(), extent());
      long[] padding = {random.nextInt(4), random.nextInt(4), random.nextInt(4), random.nextInt(4)};
      check(
          new Case(
              tensors.oneOf(DTYPES),
              data,
              1L + random.nextInt(3),
              new long[] {1 + random.nextInt(8), 1 + random.nextInt(8)},
              1L + random.nextInt(3),
              padding,
              1L + random.nextInt(2)));
    }
  }

  @Test
  void windowsOfEachTileFitImagesOfEachHeightAndWidth() {
    for (long size : new long[] {3, 5, 7}) {
      for (long extent = 1; extent < 37; extent++) {
        long edge = size / 2;
        check(
            new Case(
                DType.FLOAT32,
                Shape.of(1, 2, extent, 37 - extent),
                1,
                new long[] {size, size},
                1 + extent % 2,
                new long[] {edge, edge, edge, edge},
                1));
      }
    }
  }

  @Test
  void largePlanesAreCutIntoBands() {
    for (long stride = 1; stride <= 3; stride++) {
      for (long size : new long[] {2, 3, 5, 7}) {
        check(
            new Case(
                DType.FLOAT32,
                Shape.of(1, 2, 93, 101),
                1,
                new long[] {size, 3},
                stride,
                new long[] {1, 2, 3, 1},
                1));
      }
    }
  }

  @Test
  void manyChannelsAreComputedAtOnce() {
    for (long extent : new long[] {1, 4, 7, 14}) {
      check(
          new Case(
              DType.FLOAT32,
              Shape.of(2, 150, extent, extent),
              2,
              new long[] {3, 3},
              1,
              new long[] {1, 1, 1, 1},
              1));
    }
  }

  @Test
  void longRowsAreOneBand() {
    check(
        new Case(
            DType.FLOAT32,
            Shape.of(1, 3, 1, 1001),
            1,
            new long[] {1, 31},
            1,
            new long[] {0, 15, 0, 15},
            1));
  }

  @Test
  void whatIsNoNumberStaysInTheWindowsThatCoverIt() {
    for (long stride = 1; stride <= 2; stride++) {
      for (long size : new long[] {2, 3, 5}) {
        for (long extent : new long[] {7, 14, 80}) {
          Case c =
              new Case(
                  DType.FLOAT32,
                  Shape.of(1, 3, extent, extent),
                  1,
                  new long[] {size, size},
                  stride,
                  new long[] {1, 1, 1, 1},
                  1);
          Tensor data = tensors.values(c.dtype(), c.data());
          float[] values = data.toFloatArray();
          for (int i = 0; i < values.length; i += 23 + random.nextInt(30)) {
            values[i] = random.nextBoolean() ? Float.NaN : Float.POSITIVE_INFINITY;
          }
          check(c, Tensor.of(values, c.data()));
        }
      }
    }
  }

  private long extent() {
    return random.nextInt(8) == 0 ? 1 : 1 + random.nextInt(random.nextBoolean() ? 10 : 40);
  }

  private void check(Case c) {
    check(c, tensors.values(c.dtype(), c.data()));
  }

  private void check(Case c, Tensor data) {
    long channels = c.data().dim(1);
    if (channels == 0) {
      return;
    }
    Shape weightShape = Shape.of(channels * c.multiplier(), 1, c.window()[0], c.window()[1]);
    Tensor weight = tensors.values(c.dtype(), weightShape);
    @Nullable Tensor bias =
        random.nextBoolean() ? tensors.values(c.dtype(), Shape.of(weightShape.dim(0))) : null;
    String activation = List.of("none", "relu", "tanh").get(random.nextInt(3));
    Tensor out = tensors.output(c.dtype(), c.outShape());
    Kernels.call(
        "conv2d",
        data,
        weight,
        bias,
        Shape.of(c.stride(), c.stride()),
        Shape.of(c.padding()),
        Shape.of(c.dilation(), c.dilation()),
        channels,
        activation,
        out);
    double[] x = data.toDoubleArray();
    double[] w = weight.toDoubleArray();
    double[] b = bias == null ? new double[(int) weightShape.dim(0)] : bias.toDoubleArray();
    Expected.check(
        out,
        at -> {
          double sum = sum(c, x, w, weightShape, at) + b[(int) at[1]];
          return switch (activation) {
            case "relu" -> Math.max(sum, 0);
            case "tanh" -> Math.tanh(sum);
            default -> sum;
          };
        });
  }

  private static double sum(Case c, double[] x, double[] w, Shape weightShape, long[] at) {
    double sum = 0;
    for (long ky = 0; ky < c.window()[0]; ky++) {
      for (long kx = 0; kx < c.window()[1]; kx++) {
        long y = at[2] * c.stride() - c.padding()[0] + ky * c.dilation();
        long column = at[3] * c.stride() - c.padding()[1] + kx * c.dilation();
        if (y >= 0 && y < c.data().dim(2) && column >= 0 && column < c.data().dim(3)) {
          long[] place = {at[0], at[1] / c.multiplier(), y, column};
          sum +=
              Expected.element(x, c.data(), place)
                  * Expected.element(w, weightShape, new long[] {at[1], 0, ky, kx});
        }
      }
    }
    return sum;
  }
}
