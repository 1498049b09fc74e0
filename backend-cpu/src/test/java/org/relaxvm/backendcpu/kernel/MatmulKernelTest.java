package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class MatmulKernelTest {
  private final Random random = Kernels.random(MatmulKernelTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  private static final List<DType> DTYPES =
      Stream.concat(RandomTensors.FLOATS.stream(), RandomTensors.INTEGERS.stream()).toList();

  @Test
  void smallProductsOfAllDtypesAndStridesEqualTheSumOfProducts() {
    for (int i = 0; i < 300; i++) {
      DType dtype = tensors.oneOf(DTYPES);
      check(dtype, random.nextInt(3), 1 + random.nextInt(6), random.nextInt(6), 7);
    }
  }

  @Test
  void productsLargerThanATileAreWholeToo() {
    check(DType.FLOAT32, 1, 70, 300, 270);
    check(DType.FLOAT64, 0, 130, 129, 3);
    check(DType.INT32, 0, 1, 257, 513);
  }

  @Test
  void emptyExtentsGiveZerosOrNothing() {
    Tensor out = Tensor.of(new float[] {5, 5, 5, 5}, Shape.of(2, 2));
    Kernels.call(
        "matmul",
        Tensor.zeros(DType.FLOAT32, Shape.of(2, 0)),
        Tensor.zeros(DType.FLOAT32, Shape.of(0, 2)),
        Tensor.of(new float[] {1, 2}, Shape.of(2)),
        false,
        false,
        "none",
        out);
    assertThat(out.toFloatArray()).containsExactly(1, 2, 1, 2);
    Kernels.call(
        "matmul",
        Tensor.zeros(DType.FLOAT32, Shape.of(0, 3, 4)),
        Tensor.zeros(DType.FLOAT32, Shape.of(4, 5)),
        null,
        false,
        false,
        "none",
        Tensor.zeros(DType.FLOAT32, Shape.of(0, 3, 5)));
  }

  @Test
  void notANumberReachesItsRowOnly() {
    Tensor a = Tensor.of(new float[] {1, Float.NaN, 1, 1}, Shape.of(2, 2));
    Tensor b = Tensor.of(new float[] {0, 1, 0, Float.POSITIVE_INFINITY}, Shape.of(2, 2));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    Kernels.call("matmul", a, b, null, false, false, "none", out);
    assertThat(out.toFloatArray())
        .containsExactly(Float.NaN, Float.NaN, 0, Float.POSITIVE_INFINITY);
  }

  @Test
  void activationsApplyAfterTheBias() {
    Tensor a = Tensor.of(new float[] {1, -1}, Shape.of(2, 1));
    Tensor b = Tensor.of(new float[] {2}, Shape.of(1, 1));
    Tensor bias = Tensor.of(new float[] {-1}, Shape.of(1));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(2, 1));
    Object[][] expected = {
      {"none", 1.0, -3.0},
      {"relu", 1.0, 0.0},
      {"sigmoid", 0.7310585786, 0.0474258731},
      {"tanh", 0.7615941559, -0.9950547536},
      {"silu", 0.7310585786, -0.1422776195},
      {"gelu", 0.8413447460, -0.0040496940}
    };
    for (Object[] row : expected) {
      Kernels.call("matmul", a, b, bias, false, false, row[0], out);
      Expected.check(out, at -> (double) row[1 + (int) at[0]]);
    }
  }

  private void check(DType dtype, int batchAxes, int m, int k, int n) {
    long[] dims = new long[batchAxes + 2];
    for (int i = 0; i < batchAxes; i++) {
      dims[i] = 1L + random.nextInt(3);
    }
    boolean transposeA = random.nextBoolean();
    boolean transposeB = random.nextBoolean();
    boolean relu = random.nextBoolean();
    boolean wholeA = random.nextBoolean();
    Tensor a = matrix(dtype, dims, wholeA, transposeA ? k : m, transposeA ? m : k);
    Tensor b =
        matrix(
            dtype, dims, !wholeA || random.nextBoolean(), transposeB ? n : k, transposeB ? k : n);
    dims[batchAxes] = m;
    dims[batchAxes + 1] = n;
    for (int i = 0; i < batchAxes; i++) {
      int axis = i;
      dims[i] = Math.max(dim(a, batchAxes + 2, axis), dim(b, batchAxes + 2, axis));
    }
    Shape shape = Shape.of(dims);
    @Nullable Tensor bias =
        random.nextBoolean() ? tensors.values(dtype, tensors.broadcastable(shape)) : null;
    Tensor out = tensors.output(dtype, shape);
    Kernels.call("matmul", a, b, bias, transposeA, transposeB, relu ? "relu" : "none", out);
    double[] x = a.toDoubleArray();
    double[] y = b.toDoubleArray();
    double[] z = bias == null ? new double[0] : bias.toDoubleArray();
    Expected.check(
        out,
        at -> {
          long[] left = at.clone();
          long[] right = at.clone();
          double sum = bias == null ? 0 : Expected.element(z, bias.shape(), at);
          for (int p = 0; p < k; p++) {
            left[batchAxes + (transposeA ? 1 : 0)] = at[batchAxes];
            left[batchAxes + (transposeA ? 0 : 1)] = p;
            right[batchAxes + (transposeB ? 1 : 0)] = p;
            right[batchAxes + (transposeB ? 0 : 1)] = at[batchAxes + 1];
            sum += Expected.element(x, a.shape(), left) * Expected.element(y, b.shape(), right);
          }
          return relu ? Math.max(Expected.wrap(sum, dtype), 0) : sum;
        });
  }

  private static long dim(Tensor tensor, int rank, int axis) {
    int missing = rank - tensor.shape().rank();
    return axis < missing ? 1 : tensor.shape().dim(axis - missing);
  }

  private Tensor matrix(DType dtype, long[] batch, boolean full, int rows, int columns) {
    int missing = full ? 0 : random.nextInt(batch.length - 1);
    long[] dims = new long[batch.length - missing];
    for (int i = 0; i < dims.length - 2; i++) {
      dims[i] = !full && random.nextBoolean() ? 1 : batch[missing + i];
    }
    dims[dims.length - 2] = rows;
    dims[dims.length - 1] = columns;
    return tensors.values(dtype, Shape.of(dims));
  }
}
