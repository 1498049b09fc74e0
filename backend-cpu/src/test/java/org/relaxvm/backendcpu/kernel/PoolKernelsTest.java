package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class PoolKernelsTest {
  private final Random random = Kernels.random(PoolKernelsTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @Test
  void randomMaximaEqualTheDefinition() {
    for (int i = 0; i < 200; i++) {
      check(tensors.oneOf(List.of(DType.FLOAT32, DType.BFLOAT16, DType.INT8, DType.UINT64)), true);
    }
  }

  @Test
  void randomMeansEqualTheDefinition() {
    for (int i = 0; i < 200; i++) {
      check(tensors.oneOf(RandomTensors.FLOATS), false);
    }
  }

  @Test
  void notANumberWinsAndPaddingNever() {
    Tensor x = Tensor.of(new float[] {Float.NaN, -1, -2, -3}, Shape.of(1, 1, 1, 4));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 1, 3));
    Shape one = Shape.of(1, 1);
    Shape window = Shape.of(1, 2);
    Kernels.call("max_pool2d", x, window, Shape.of(1, 2), Shape.of(0, 1, 0, 1), one, false, out);
    assertThat(out.toFloatArray()).containsExactly(Float.NaN, -1, -3);
  }

  @Test
  void largePlanesAreCutIntoBands() {
    for (int i = 0; i < 20; i++) {
      Shape shape = Shape.of(1, 2, 60 + random.nextInt(40), 60 + random.nextInt(60));
      check(DType.FLOAT32, i % 2 == 0, shape, pair(3, 1), pair(3, 1));
    }
  }

  @Test
  void manyChannelsAreFoldedAtOnce() {
    for (long extent : new long[] {1, 4, 7, 14}) {
      for (boolean max : new boolean[] {true, false}) {
        check(DType.FLOAT32, max, Shape.of(2, 150, extent, extent), pair(3, 1), pair(2, 1));
      }
    }
  }

  @Test
  void windowsAsLargeAsTheImageGiveOneElement() {
    for (long extent : new long[] {2, 7, 31}) {
      for (boolean max : new boolean[] {true, false}) {
        long[] size = {extent, extent};
        check(DType.FLOAT32, max, Shape.of(1, 40, extent, extent), size, size);
      }
    }
  }

  @Test
  void notANumberWithASignWinsWhereAWindowMeetsIt() {
    float minusNan = Float.intBitsToFloat(0xFFC00001);
    for (long width : new long[] {3, 16, 40}) {
      float[] values = new float[(int) (3 * width)];
      Arrays.fill(values, Float.POSITIVE_INFINITY);
      values[(int) width + 1] = minusNan;
      Tensor x = Tensor.of(values, Shape.of(1, 1, 3, width));
      Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 3, width));
      Shape edge = Shape.of(1, 1, 1, 1);
      Shape one = Shape.of(1, 1);
      Kernels.call("max_pool2d", x, Shape.of(3, 3), one, edge, one, false, out);
      float[] results = out.toFloatArray();
      for (int i = 0; i < results.length; i++) {
        assertThat(Float.isNaN(results[i])).isEqualTo(i % width < 3);
      }
    }
  }

  private void check(DType dtype, boolean max) {
    Shape shape =
        Shape.of(
            random.nextInt(3),
            1 + random.nextInt(3),
            1 + random.nextInt(8),
            1 + random.nextInt(random.nextBoolean() ? 8 : 80));
    check(dtype, max, shape, pair(random.nextBoolean() ? 3 : 7, 1), pair(3, 1));
  }

  private void check(DType dtype, boolean max, Shape shape, long[] size, long[] strides) {
    long[] dilation = pair(2, 1);
    long[] padding = {random.nextInt(4), random.nextInt(4), random.nextInt(4), random.nextInt(4)};
    boolean ceil = random.nextBoolean();
    boolean countPadding = random.nextBoolean();
    long[] extents = new long[2];
    for (int i = 0; i < 2; i++) {
      long room = shape.dim(2 + i) + padding[i] + padding[i + 2] - (size[i] - 1) * dilation[i] - 1;
      extents[i] =
          room < 0
              ? 0
              : (long) (ceil ? Math.ceil((double) room / strides[i]) : room / strides[i]) + 1;
    }
    Tensor x = tensors.values(dtype, shape);
    Tensor out =
        tensors.output(dtype, Shape.of(shape.dim(0), shape.dim(1), extents[0], extents[1]));
    Shape[] attributes = {Shape.of(size), Shape.of(strides), Shape.of(padding), Shape.of(dilation)};
    if (max) {
      Kernels.call(
          "max_pool2d", x, attributes[0], attributes[1], attributes[2], attributes[3], ceil, out);
    } else {
      Kernels.call(
          "avg_pool2d",
          x,
          attributes[0],
          attributes[1],
          attributes[2],
          attributes[3],
          ceil,
          countPadding,
          out);
    }
    double[] values = x.toDoubleArray();
    double lowest =
        dtype.isFloat() ? Double.NEGATIVE_INFINITY : dtype.equals(DType.INT8) ? -128 : 0;
    Expected.check(
        out,
        at -> {
          double largest = lowest;
          double sum = 0;
          int inside = 0;
          for (int ky = 0; ky < size[0]; ky++) {
            for (int kx = 0; kx < size[1]; kx++) {
              long y = at[2] * strides[0] - padding[0] + ky * dilation[0];
              long xx = at[3] * strides[1] - padding[1] + kx * dilation[1];
              if (y >= 0 && y < shape.dim(2) && xx >= 0 && xx < shape.dim(3)) {
                double value = Expected.element(values, shape, new long[] {at[0], at[1], y, xx});
                largest = Math.max(largest, value);
                sum += value;
                inside++;
              }
            }
          }
          double divisor = countPadding ? size[0] * size[1] : Math.max(1, inside);
          return max ? largest : sum / divisor;
        });
  }

  private long[] pair(int choices, int least) {
    return new long[] {least + random.nextInt(choices), least + random.nextInt(choices)};
  }
}
