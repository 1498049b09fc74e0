package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class SoftmaxKernelsTest {
  private final Random random = Kernels.random(SoftmaxKernelsTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @Test
  void linesAlongAnyAxisEqualTheDefinition() {
    for (int i = 0; i < 200; i++) {
      check(tensors.oneOf(RandomTensors.FLOATS), tensors.shape(1 + random.nextInt(4), 6));
    }
  }

  @Test
  void linesLongerThanAChunkAreWhole() {
    check(DType.FLOAT32, Shape.of(2, 3001));
    check(DType.FLOAT64, Shape.of(2500));
  }

  @Test
  void largeInputsDoNotOverflow() {
    Tensor x = Tensor.of(new float[] {1000, 1000, Float.NEGATIVE_INFINITY}, Shape.of(3));
    Kernels.call("softmax", x, 0, x);
    assertThat(x.toFloatArray()).containsExactly(0.5f, 0.5f, 0);
  }

  private void check(DType dtype, Shape shape) {
    int axis = random.nextInt(shape.rank());
    int given = random.nextBoolean() ? axis : axis - shape.rank();
    boolean logarithm = random.nextBoolean();
    Tensor x = tensors.values(dtype, shape);
    Tensor out = tensors.output(dtype, shape);
    Kernels.call(logarithm ? "log_softmax" : "softmax", x, given, out);
    double[] values = x.toDoubleArray();
    double[] sums = new double[(int) shape.elementCount()];
    Expected.check(
        out,
        at -> {
          long[] line = at.clone();
          line[axis] = 0;
          int number = number(line, shape);
          if (sums[number] == 0) {
            for (long i = 0; i < shape.dim(axis); i++) {
              line[axis] = i;
              sums[number] += Math.exp(Expected.element(values, shape, line));
            }
          }
          double own = Math.exp(Expected.element(values, shape, at)) / sums[number];
          return logarithm ? Math.log(own) : own;
        });
  }

  private static int number(long[] index, Shape shape) {
    long number = 0;
    for (int i = 0; i < index.length; i++) {
      number = number * shape.dim(i) + index[i];
    }
    return (int) number;
  }
}
