package org.relaxvm.backendcpu.kernel;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class BatchNormKernelTest {
  private static final double EPSILON = 0.5;

  private final Random random = Kernels.random(BatchNormKernelTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @Test
  void channelsOnAnyAxisOfAnyStridesAreNormalized() {
    for (DType dtype : RandomTensors.FLOATS) {
      for (int i = 0; i < 100; i++) {
        int rank = 1 + random.nextInt(4);
        check(dtype, tensors.shape(rank, 9), random.nextInt(rank));
      }
    }
  }

  @Test
  void longRunsAndManyChannelsAreNormalized() {
    for (DType dtype : RandomTensors.FLOATS) {
      check(dtype, Shape.of(2, 3, 4999), 1);
      check(dtype, Shape.of(4999, 3), 1);
      check(dtype, Shape.of(3, 4999), 1);
      check(dtype, Shape.of(2, 70, 7, 7), 1);
      check(dtype, Shape.of(2, 7, 7, 70), 3);
    }
  }

  private void check(DType dtype, Shape shape, int axis) {
    Tensor x = tensors.values(dtype, shape);
    double[][] numbers = new double[4][];
    Tensor[] channels = new Tensor[4];
    for (int i = 0; i < 4; i++) {
      channels[i] = tensors.values(dtype, Shape.of(shape.dim(axis)));
      if (i == 3) {
        Kernels.call("abs", channels[i], channels[i]);
      }
      numbers[i] = channels[i].toDoubleArray();
    }
    Tensor out = tensors.output(dtype, shape);
    Kernels.call(
        "batch_norm", x, channels[0], channels[1], channels[2], channels[3], axis, EPSILON, out);
    double[] values = x.toDoubleArray();
    Expected.check(
        out,
        at -> {
          int c = (int) at[axis];
          double root = Math.sqrt(numbers[3][c] + EPSILON);
          double own = Expected.element(values, shape, at) - numbers[2][c];
          return own / root * numbers[0][c] + numbers[1][c];
        });
  }
}
