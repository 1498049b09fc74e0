package org.relaxvm.backendcpu.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Transposes of more than a square of elements. */
class TransposeTest {
  private final Random random = Kernels.random(TransposeTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @Test
  void squaresAndTheirRestsArePutInPlace() {
    for (DType dtype : List.of(DType.INT8, DType.INT16, DType.INT32, DType.INT64)) {
      for (int round = 0; round < 20; round++) {
        long[] dims = {1 + random.nextInt(3), 1 + random.nextInt(75), 1 + random.nextInt(75)};
        int[] order = tensors.permutation(3);
        Shape shape = Shape.of(dims[order[0]], dims[order[1]], dims[order[2]]);
        double[] numbers = new double[(int) shape.elementCount()];
        Arrays.setAll(numbers, i -> number(dtype));
        Tensor x = tensors.strided(RandomTensors.of(dtype, shape, numbers));
        int[] axes = tensors.permutation(3);
        Shape turned = Shape.of(shape.dim(axes[0]), shape.dim(axes[1]), shape.dim(axes[2]));
        Tensor out = tensors.output(dtype, turned);
        Kernels.call("permute_dims", x, Shape.of(axes[0], axes[1], axes[2]), out);
        Expected.check(
            out,
            at -> {
              long[] source = new long[3];
              for (int i = 0; i < 3; i++) {
                source[axes[i]] = at[i];
              }
              return Expected.element(numbers, shape, source);
            });
      }
    }
  }

  @Test
  void denseMatricesOfAnySizeAreTurned() {
    for (DType dtype : List.of(DType.INT8, DType.INT16, DType.INT32, DType.INT64)) {
      for (int rows : new int[] {1, 4, 7, 8, 15, 16, 17, 33, 64}) {
        for (int columns : new int[] {1, 5, 8, 16, 31, 32, 40, 100}) {
          Shape shape = Shape.of(2, rows, columns);
          double[] numbers = new double[(int) shape.elementCount()];
          Arrays.setAll(numbers, i -> number(dtype));
          Tensor out = Tensor.zeros(dtype, Shape.of(2, columns, rows));
          Kernels.call(
              "permute_dims", RandomTensors.of(dtype, shape, numbers), Shape.of(0, 2, 1), out);
          Expected.check(
              out, at -> Expected.element(numbers, shape, new long[] {at[0], at[2], at[1]}));
        }
      }
    }
  }

  @Test
  void matricesOfSeveralBlocksAreTurned() {
    for (int[] dims : new int[][] {{2100, 530}, {1024, 512}, {1057, 1030}, {33, 1100}}) {
      for (DType dtype : List.of(DType.INT16, DType.INT32)) {
        Shape shape = Shape.of(dims[0], dims[1]);
        double[] numbers = new double[(int) shape.elementCount()];
        Arrays.setAll(numbers, i -> number(dtype));
        Tensor out = Tensor.zeros(dtype, Shape.of(dims[1], dims[0]));
        Kernels.call("permute_dims", RandomTensors.of(dtype, shape, numbers), Shape.of(1, 0), out);
        Expected.check(out, at -> Expected.element(numbers, shape, new long[] {at[1], at[0]}));
      }
    }
  }

  @Test
  void rowsOfAnyLengthAreMoved() {
    for (DType dtype : List.of(DType.INT8, DType.INT16, DType.INT32, DType.INT64)) {
      for (int length :
          new int[] {
            1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 40, 63, 64, 65, 127, 128, 200, 300, 1100
          }) {
        Shape shape = Shape.of(3, 5, length);
        double[] numbers = new double[(int) shape.elementCount()];
        Arrays.setAll(numbers, i -> number(dtype));
        Tensor out = Tensor.zeros(dtype, Shape.of(5, 3, length));
        Kernels.call(
            "permute_dims", RandomTensors.of(dtype, shape, numbers), Shape.of(1, 0, 2), out);
        Expected.check(
            out, at -> Expected.element(numbers, shape, new long[] {at[1], at[0], at[2]}));
      }
    }
  }

  @Test
  void oneElementIsRepeatedToAnyLength() {
    for (DType dtype : List.of(DType.INT8, DType.INT16, DType.INT32, DType.INT64)) {
      for (int length : new int[] {1, 15, 16, 17, 31, 32, 33, 100, 1000}) {
        double[] numbers = {random.nextInt(256) - 128, random.nextInt(256) - 128};
        Tensor out = Tensor.zeros(dtype, Shape.of(2, length));
        Kernels.call("copy", RandomTensors.of(dtype, Shape.of(2, 1), numbers), out);
        Expected.check(out, at -> numbers[(int) at[0]]);
      }
    }
  }

  /** Any number that the dtype holds, up to 16 bits. */
  private double number(DType dtype) {
    int bits = Math.min(Short.SIZE, dtype.bits());
    return random.nextInt(1 << bits) - (1 << (bits - 1));
  }
}
