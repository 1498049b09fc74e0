package org.relaxvm.backendcpu.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.PoolContext;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.kernel.CodeChoice;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.machine.x64.Feature;

/** Every size around the edges of tiles and blocks, for each set of instructions. */
@ParameterizedClass
@MethodSource("features")
class MachineMatmulTest {
  private static final KernelSignature SIGNATURE =
      KernelLibrary.standard().signatures().stream()
          .filter(signature -> signature.name().equals("relaxvm.matmul"))
          .findFirst()
          .orElseThrow();
  private static final int MOST = 40;

  private final CpuKernel kernel;
  private final Random random = new Random(5);

  MachineMatmulTest(Set<Feature> features) {
    kernel =
        MachineMatmul.of(features)
            .products(
                call -> {
                  throw new IllegalStateException("not computed in machine code");
                });
  }

  static List<Set<Feature>> features() {
    MachineCode code = MachineCode.current();
    return code.isAvailable() ? List.of(code.features(), Feature.x86V3()) : List.of(Set.of());
  }

  @BeforeAll
  static void requireMachineCode() {
    MachineCode code = MachineCode.current();
    assumeTrue(code.isAvailable(), code.reason());
  }

  @Test
  void productsOfAllSmallSizesAreWithinTheBoundOfRounding() {
    for (int m = 1; m <= MOST; m++) {
      for (int n = 1; n <= MOST; n++) {
        for (int k = 1; k <= MOST; k++) {
          check(DType.FLOAT32, m, n, k, false, false);
        }
        check(DType.FLOAT64, m, n, 1 + (m + n) % MOST, false, false);
      }
    }
  }

  @Test
  void productsOfTransposedMatricesAreWithinTheBoundOfRounding() {
    int[] sizes = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 40, 67};
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
      for (int m : sizes) {
        for (int n : sizes) {
          for (int k : sizes) {
            check(dtype, m, n, k, true, false);
            check(dtype, m, n, k, false, true);
            check(dtype, m, n, k, true, true);
          }
        }
      }
    }
  }

  @Test
  void productsOfSeveralBlocksAreWithinTheBoundOfRounding() {
    int[][] sizes = {
      {130, 300, 1100},
      {50, 2049, 65},
      {1100, 40, 520},
      {3, 700, 600},
      {64, 512, 1024},
      {49, 1024, 512},
      {200, 700, 300}
    };
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
      for (int[] size : sizes) {
        for (int transposes = 0; transposes < 4; transposes++) {
          check(dtype, size[0], size[1], size[2], (transposes & 1) != 0, (transposes & 2) != 0);
        }
      }
    }
  }

  @Test
  void productsOfFewRowsOrColumnsWithLargeMatricesAreWithinTheBoundOfRounding() {
    int[][] sizes = {
      {1, 1030, 1021},
      {1, 5000, 300},
      {2, 2050, 2049},
      {4, 2100, 2003},
      {7, 300, 500},
      {600, 1, 700},
      {300, 3, 400},
      {1100, 8, 257}
    };
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
      for (int[] size : sizes) {
        for (int transposes = 0; transposes < 4; transposes++) {
          check(dtype, size[0], size[1], size[2], (transposes & 1) != 0, (transposes & 2) != 0);
        }
      }
    }
  }

  @Test
  void resultsAreTheSameBitsForAnyNumberOfThreads() {
    int[][] sizes = {
      {1, 1030, 1021},
      {3, 2100, 2003},
      {5, 900, 500},
      {150, 300, 700},
      {1500, 40, 300},
      {64, 2000, 64},
      {700, 2, 900}
    };
    for (int[] size : sizes) {
      Tensor left = numbers(DType.FLOAT32, new double[size[0] * size[2]], size[0], size[2], false);
      Tensor right = numbers(DType.FLOAT32, new double[size[2] * size[1]], size[2], size[1], false);
      Tensor bias = numbers(DType.FLOAT32, new double[size[1]], 1, size[1], false);
      Tensor columns = Tensor.zeros(DType.FLOAT32, Shape.of(size[1], size[2]));
      for (boolean isTransposed : new boolean[] {false, true}) {
        float[] first = new float[0];
        for (int threads = 1; threads <= 3; threads++) {
          Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(size[0], size[1]));
          try (WorkerPool pool = WorkerPool.ofThreads(threads)) {
            Tensor matrix = isTransposed ? columns : right;
            run(new PoolContext(pool), left, matrix, bias, false, isTransposed, "gelu", out);
          }
          float[] results = out.toFloatArray();
          first = threads == 1 ? results : first;
          assertThat(results).as(Arrays.toString(size)).isEqualTo(first);
        }
        right.stridedView(columns.shape(), new long[] {1, size[1]}, 0).copyInto(columns);
      }
    }
  }

  @Test
  void constantsGiveTheProductOfWhatTheyWereWhenPacked() {
    for (boolean isTransposed : new boolean[] {false, true}) {
      double[] y = new double[70 * 90];
      Tensor right = numbers(DType.FLOAT32, y, 70, 90, isTransposed);
      right.markConstant();
      for (int m : new int[] {1, 3, 20}) {
        double[] x = new double[m * 70];
        Tensor left = numbers(DType.FLOAT32, x, m, 70, false);
        for (int repeat = 0; repeat < 2; repeat++) {
          Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(m, 90));
          run(null, left, right, null, false, isTransposed, "none", out);
          requireProduct(DType.FLOAT32, x, y, m, 90, 70, out);
        }
      }
    }
  }

  private void run(@Nullable VmContext context, @Nullable Object... args) {
    CallArgs given = context == null ? CallArgs.of(args) : CallArgs.of(context, args);
    kernel.run(KernelCall.checked(SIGNATURE, given, CodeChoice.portable()));
  }

  private void check(
      DType dtype, int m, int n, int k, boolean isLeftTransposed, boolean isRightTransposed) {
    double[] x = new double[m * k];
    double[] y = new double[k * n];
    Tensor left = numbers(dtype, x, m, k, isLeftTransposed);
    Tensor right = numbers(dtype, y, k, n, isRightTransposed);
    Tensor out = Tensor.zeros(dtype, Shape.of(m, n));
    run(null, left, right, null, isLeftTransposed, isRightTransposed, "none", out);
    requireProduct(dtype, x, y, m, n, k, out);
  }

  private static void requireProduct(
      DType dtype, double[] x, double[] y, int m, int n, int k, Tensor out) {
    double[] expected = new double[m * n];
    for (int i = 0; i < m; i++) {
      for (int p = 0; p < k; p++) {
        double factor = x[i * k + p];
        for (int j = 0; j < n; j++) {
          expected[i * n + j] += factor * y[p * n + j];
        }
      }
    }
    double[] actual = out.toDoubleArray();
    // Elements are at most 1, so that no sum exceeds k.
    double bound = (dtype.equals(DType.FLOAT32) ? 0x1p-24 : 0x1p-53) * k * (k + 1);
    for (int i = 0; i < actual.length; i++) {
      if (!(Math.abs(actual[i] - expected[i]) <= bound)) {
        assertThat(actual[i])
            .as("%s %d x %d x %d, row %d, column %d", dtype, m, n, k, i / n, i % n)
            .isEqualTo(expected[i]);
      }
    }
  }

  /** A matrix whose elements are also put into an array, row by row. */
  private Tensor numbers(DType dtype, double[] into, int rows, int columns, boolean isTransposed) {
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      float value = random.nextFloat() * 2 - 1;
      into[i] = value;
      values[isTransposed ? i % columns * rows + i / columns : i] = value;
    }
    Shape shape = isTransposed ? Shape.of(columns, rows) : Shape.of(rows, columns);
    if (dtype.equals(DType.FLOAT32)) {
      return Tensor.of(values, shape);
    }
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return Tensor.of(doubles, shape);
  }

  @Test
  void aProcessorWithoutVectorsIsRefused() {
    assertThatThrownBy(() -> MachineMatmul.of(Set.of(Feature.AVX)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("GEMM needs the features")
        .hasMessageContaining("but got [AVX]");
  }
}
