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

  @Test
  void channelsThatLieLastMayBeWrittenOver() {
    for (DType dtype : RandomTensors.FLOATS) {
      for (int channels : new int[] {1, 3, 17, 64, 700, 5000}) {
        Shape shape = Shape.of(1 + random.nextInt(40), channels);
        Tensor x = Tensor.zeros(dtype, shape);
        tensors.values(dtype, shape).copyInto(x);
        double[] values = x.toDoubleArray();
        check(dtype, shape, 1, x, values, x);
      }
    }
  }

  @Test
  void numbersThatAreNotFiniteStayWhereTheyAre() {
    for (DType dtype : RandomTensors.FLOATS) {
      Shape shape = Shape.of(11, 37);
      double[] values = new double[11 * 37];
      values[5] = Double.NaN;
      values[50] = Double.POSITIVE_INFINITY;
      Tensor x = RandomTensors.of(dtype, shape, values);
      check(dtype, shape, 1, x, values, Tensor.zeros(dtype, shape));
    }
  }

  private void check(DType dtype, Shape shape, int axis) {
    Tensor x = tensors.values(dtype, shape);
    check(dtype, shape, axis, x, x.toDoubleArray(), tensors.output(dtype, shape));
  }

  private void check(DType dtype, Shape shape, int axis, Tensor x, double[] values, Tensor out) {
    double[][] numbers = new double[4][];
    Tensor[] channels = new Tensor[4];
    for (int i = 0; i < 4; i++) {
      channels[i] = tensors.values(dtype, Shape.of(shape.dim(axis)));
      if (i == 3) {
        Kernels.call("abs", channels[i], channels[i]);
      }
      numbers[i] = channels[i].toDoubleArray();
    }
    Kernels.call(
        "batch_norm", x, channels[0], channels[1], channels[2], channels[3], axis, EPSILON, out);
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
