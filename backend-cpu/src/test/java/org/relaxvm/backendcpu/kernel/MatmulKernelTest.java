package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendcpu.micro.MachineMatmul;
import org.relaxvm.backendcpu.vector.gemm.GemmKernel;

/** Portable and vector code hold to the same definition. */
@ParameterizedClass
@MethodSource("kernels")
class MatmulKernelTest {
  private static final KernelSignature SIGNATURE =
      KernelLibrary.standard().signatures().stream()
          .filter(signature -> signature.name().equals("relaxvm.matmul"))
          .findFirst()
          .orElseThrow();

  private final CpuKernel kernel;
  private final boolean isMachineCode;
  private final Random random = Kernels.random(MatmulKernelTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  private static final List<DType> DTYPES =
      Stream.concat(RandomTensors.FLOATS.stream(), RandomTensors.INTEGERS.stream()).toList();

  MatmulKernelTest(String name, CpuKernel kernel) {
    this.kernel = kernel;
    isMachineCode = name.startsWith("machine code");
  }

  static List<Arguments> kernels() {
    List<Arguments> kernels =
        new ArrayList<>(
            List.of(
                Arguments.of("portable", (CpuKernel) MatmulKernel::run),
                Arguments.of("tiles of twelve rows", GemmKernel.ofTwelveRows()),
                Arguments.of("tiles of six rows", GemmKernel.ofSixRows())));
    Kernels.machineCode()
        .forEach(
            (name, features) ->
                kernels.add(
                    Arguments.of(name, MachineMatmul.of(features).products(MatmulKernel::run))));
    return kernels;
  }

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
    check(DType.FLOAT32, 0, 9, 2050, 33);
    check(DType.FLOAT16, 0, 250, 20, 40);
    check(DType.BFLOAT16, 0, 5, 30, 1100);
    check(DType.FLOAT32, 0, 2, 40, 4200);
    check(DType.FLOAT32, 0, 3, 4100, 70);
    check(DType.INT32, 0, 1, 257, 513);
  }

  @Test
  void emptyExtentsGiveZerosOrNothing() {
    Tensor out = Tensor.of(new float[] {5, 5, 5, 5}, Shape.of(2, 2));
    call(
        Tensor.zeros(DType.FLOAT32, Shape.of(2, 0)),
        Tensor.zeros(DType.FLOAT32, Shape.of(0, 2)),
        Tensor.of(new float[] {1, 2}, Shape.of(2)),
        false,
        false,
        "none",
        out);
    assertThat(out.toFloatArray()).containsExactly(1, 2, 1, 2);
    call(
        Tensor.zeros(DType.FLOAT32, Shape.of(0, 3, 4)),
        Tensor.zeros(DType.FLOAT32, Shape.of(4, 5)),
        null,
        false,
        false,
        "none",
        Tensor.zeros(DType.FLOAT32, Shape.of(0, 3, 5)));
  }

  @Test
  void aMatrixWithoutRowsOrColumnsIsNoError() {
    for (long[] size : new long[][] {{0, 3, 4}, {4, 3, 0}, {0, 0, 0}, {5, 0, 0}, {0, 3, 1}}) {
      Tensor left = Tensor.zeros(DType.FLOAT32, Shape.of(2, size[0], size[1]));
      Tensor right = Tensor.zeros(DType.FLOAT32, Shape.of(size[1], size[2]));
      Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(2, size[0], size[2]));
      call(left, right, null, false, false, "relu", out);
      assertThat(out.toFloatArray()).isEmpty();
    }
  }

  @Test
  void notANumberReachesItsRowOnly() {
    Tensor a = Tensor.of(new float[] {1, Float.NaN, 1, 1}, Shape.of(2, 2));
    Tensor b = Tensor.of(new float[] {0, 1, 0, Float.POSITIVE_INFINITY}, Shape.of(2, 2));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    call(a, b, null, false, false, "none", out);
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
      call(a, b, bias, false, false, row[0], out);
      Expected.check(out, at -> (double) row[1 + (int) at[0]]);
    }
  }

  @Test
  void productsAroundTheEdgesOfTilesAreWhole() {
    int[] edges = {4, 6, 8, 12, 16, 24, 32, 64};
    for (int i = 0; i < 60; i++) {
      int m = edges[random.nextInt(edges.length)] + random.nextInt(3) - 1;
      int n = edges[random.nextInt(edges.length)] + random.nextInt(3) - 1;
      check(tensors.oneOf(RandomTensors.FLOATS), random.nextInt(2), m, random.nextInt(40), n);
    }
  }

  @Test
  void compactProductsOfAllRemaindersOfATileAreWhole() {
    for (int m = 1; m <= 40; m++) {
      for (int n : new int[] {8, 15, 16, 17, 32, 33, 48, 49, 63, 64, 128}) {
        DType dtype = random.nextBoolean() ? DType.FLOAT32 : DType.FLOAT64;
        int k = 1 + random.nextInt(9);
        Tensor left = compact(dtype, m, k);
        Tensor right = compact(dtype, k, n);
        Tensor bias = random.nextBoolean() ? compact(dtype, 1, n) : null;
        Tensor out = Tensor.zeros(dtype, Shape.of(m, n));
        call(left, right, bias, false, false, "relu", out);
        double[] x = left.toDoubleArray();
        double[] y = right.toDoubleArray();
        double[] z = bias == null ? new double[n] : bias.toDoubleArray();
        Expected.check(
            out,
            at -> {
              double sum = z[(int) at[1]];
              for (int p = 0; p < k; p++) {
                sum += x[(int) at[0] * k + p] * y[p * n + (int) at[1]];
              }
              return Math.max(sum, 0);
            });
      }
    }
  }

  @Test
  void leftMatricesOfAnyStridesMeetRowsOfWholeTiles() {
    for (int m = 4; m <= 16; m++) {
      for (int k : new int[] {1, 17, 128, 129}) {
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
          int rows = m;
          Tensor left = compact(dtype, 2L * k, 3L * m);
          Tensor turned = left.stridedView(Shape.of(k, m), new long[] {6L * m, 3}, m);
          Tensor right = compact(dtype, k, 128);
          Tensor out = Tensor.zeros(dtype, Shape.of(m, 128));
          call(turned, right, null, true, false, "none", out);
          double[] x = left.toDoubleArray();
          double[] y = right.toDoubleArray();
          Expected.check(
              out,
              1e-4,
              at -> {
                double sum = 0;
                for (int p = 0; p < k; p++) {
                  int place = rows + 6 * rows * p + 3 * (int) at[0];
                  sum += x[place] * y[p * 128 + (int) at[1]];
                }
                return sum;
              });
        }
      }
    }
  }

  @Test
  void fewRowsMeetLargeMatricesWholeToo() {
    int[][] sizes = {{1, 1030, 1021}, {3, 300, 3502}, {2, 4500, 256}, {1, 270, 9000}};
    for (int[] size : sizes) {
      fewRowsMeetLargeMatrixWhole(DType.FLOAT32, size);
      fewRowsMeetLargeMatrixWhole(DType.FLOAT64, size);
    }
  }

  private void fewRowsMeetLargeMatrixWhole(DType dtype, int[] size) {
    int k = size[1];
    int n = size[2];
    Tensor left = compact(dtype, size[0], k);
    Tensor right = compact(dtype, k, n);
    Tensor bias = compact(dtype, 1, n);
    Tensor out = Tensor.zeros(dtype, Shape.of(size[0], n));
    call(left, right, bias, false, false, "relu", out);
    double[] x = left.toDoubleArray();
    double[] y = right.toDoubleArray();
    double[] z = bias.toDoubleArray();
    Expected.check(
        out,
        at -> {
          double sum = z[(int) at[1]];
          for (int p = 0; p < k; p++) {
            sum += x[(int) at[0] * k + p] * y[p * n + (int) at[1]];
          }
          return Math.max(sum, 0);
        });
  }

  @Test
  void productsWithAConstantAreTheSameToTheLastBit() {
    for (DType dtype : RandomTensors.FLOATS) {
      // Skinny GEMM of machine code adds in another order where the matrix is no constant.
      int fewRows = isMachineCode ? 9 : 7;
      for (int[] size : new int[][] {{fewRows, 40, 1100}, {20, 70, 33}, {300, 40, 20}}) {
        int m = size[0];
        int n = size[1];
        int k = size[2];
        Tensor left = compact(dtype, m, k);
        Tensor plain = compact(dtype, 2L * k, n);
        Tensor constant = compact(dtype, 2L * k, n);
        plain.copyInto(constant);
        constant.markConstant();
        // The first and the last rows, turned too: other matrices in the same memory.
        for (long offset : new long[] {0, (long) k * n}) {
          for (boolean turned : new boolean[] {false, true}) {
            Shape shape = turned ? Shape.of(n, k) : Shape.of(k, n);
            long[] strides = {turned ? k : n, 1};
            Tensor expected = Tensor.zeros(dtype, Shape.of(m, n));
            call(
                left,
                plain.stridedView(shape, strides, offset),
                null,
                false,
                turned,
                "none",
                expected);
            for (int repeat = 0; repeat < 2; repeat++) {
              Tensor out = Tensor.zeros(dtype, Shape.of(m, n));
              Tensor right = constant.stridedView(shape, strides, offset);
              call(left, right, null, false, turned, "none", out);
              assertThat(out.segment().mismatch(expected.segment())).isEqualTo(-1);
            }
          }
        }
      }
    }
  }

  private Tensor compact(DType dtype, long rows, long columns) {
    Tensor tensor = Tensor.zeros(dtype, Shape.of(rows, columns));
    tensors.values(dtype, tensor.shape()).copyInto(tensor);
    return tensor;
  }

  @Test
  void matricesThatMeetTheSameRightOneAreMultipliedWhateverTheirDistances() {
    Tensor right = tensors.values(DType.FLOAT32, Shape.of(5, 18));
    double[] y = right.toDoubleArray();
    for (int i = 0; i < 40; i++) {
      Shape batch =
          Shape.of(1 + random.nextInt(3), 1 + random.nextInt(3), 1 + random.nextInt(4), 5);
      long[] dims = batch.toArray();
      dims[3] = 18;
      Shape shape = Shape.of(dims);
      Tensor left = tensors.values(DType.FLOAT32, batch);
      Tensor bias = tensors.values(DType.FLOAT32, tensors.broadcastable(shape));
      Tensor out = tensors.output(DType.FLOAT32, shape);
      call(left, right, bias, false, false, "none", out);
      double[] x = left.toDoubleArray();
      double[] z = bias.toDoubleArray();
      Expected.check(
          out,
          at -> {
            double sum = Expected.element(z, bias.shape(), at);
            for (int p = 0; p < 5; p++) {
              long[] row = {at[0], at[1], at[2], p};
              sum += Expected.element(x, batch, row) * y[p * 18 + (int) at[3]];
            }
            return sum;
          });
    }
  }

  @Test
  void infinitiesAndNotANumbersStayInTheirRowsAndColumns() {
    int m = 13;
    int n = 37;
    int k = 5;
    float[] x = new float[m * k];
    float[] y = new float[k * n];
    Arrays.fill(x, 1);
    Arrays.fill(y, 1);
    x[12 * k + 2] = Float.NaN;
    x[11 * k] = 0;
    y[36] = Float.POSITIVE_INFINITY;
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(m, n));
    call(
        Tensor.of(x, Shape.of(m, k)),
        Tensor.of(y, Shape.of(k, n)),
        null,
        false,
        false,
        "none",
        out);
    Expected.check(
        out,
        at -> {
          if (at[0] == 12) {
            return Double.NaN;
          }
          if (at[1] == 36) {
            return at[0] == 11 ? Double.NaN : Double.POSITIVE_INFINITY;
          }
          return at[0] == 11 ? 4 : 5;
        });
  }

  @Test
  void resultsStayTheSameWhenTheJitCompilerTakesOver() {
    for (int[] size : new int[][] {{5, 67, 10}, {1, 67, 4}, {3, 67, 9}, {7, 67, 33}}) {
      Tensor left = numbers(size[0], size[1]);
      Tensor right = numbers(size[1], size[2]);
      Tensor first = Tensor.zeros(DType.FLOAT32, Shape.of(size[0], size[2]));
      Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(size[0], size[2]));
      call(left, right, null, false, false, "none", first);
      for (int i = 0; i < 20_000; i++) {
        call(left, right, null, false, false, "none", out);
        if (i % 100 == 0) {
          assertThat(out.toFloatArray()).as("call " + i).isEqualTo(first.toFloatArray());
        }
      }
    }
  }

  private Tensor numbers(int rows, int columns) {
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return Tensor.of(values, Shape.of(rows, columns));
  }

  @Test
  void nothingOutsideOfTheOutputIsWritten() {
    for (int n : new int[] {1, 3, 17, 33, 64}) {
      Tensor block = Tensor.zeros(DType.FLOAT32, Shape.of(15, n + 2));
      Tensor out = block.stridedView(Shape.of(13, n), new long[] {n + 2, 1}, n + 3);
      call(
          Tensor.of(ones(13 * 3), Shape.of(13, 3)),
          Tensor.of(ones(3 * n), Shape.of(3, n)),
          null,
          false,
          false,
          "none",
          out);
      Expected.check(block, at -> at[0] >= 1 && at[0] <= 13 && at[1] >= 1 && at[1] <= n ? 3 : 0);
    }
  }

  @Test
  void rowsMayLieFarApart() {
    long far = 1L << 22;
    Tensor block = Tensor.zeros(DType.FLOAT32, Shape.of(5 * far));
    Tensor a = block.stridedView(Shape.of(5, 2), new long[] {far, 1}, 0);
    Tensor.of(ones(10), Shape.of(5, 2)).copyInto(a);
    Tensor out = block.stridedView(Shape.of(5, 40), new long[] {far, 1}, far / 2);
    call(a, Tensor.of(ones(80), Shape.of(2, 40)), null, false, false, "none", out);
    Expected.check(out, at -> 2);
  }

  private void call(@Nullable Object... args) {
    kernel.run(KernelCall.checked(SIGNATURE, CallArgs.of(args), CodeChoice.portable()));
  }

  private static float[] ones(int count) {
    float[] values = new float[count];
    Arrays.fill(values, 1);
    return values;
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
    call(a, b, bias, transposeA, transposeB, relu ? "relu" : "none", out);
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
