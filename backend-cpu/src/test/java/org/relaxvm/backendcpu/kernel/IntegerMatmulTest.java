package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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
import org.relaxvm.backendcpu.vector.gemm.GemmKernel;

/** Exact in 32 bits, in portable and in vector code. */
@ParameterizedClass
@MethodSource("kernels")
class IntegerMatmulTest {
  private static final KernelSignature SIGNATURE =
      KernelLibrary.standard().find("relaxvm.matmul_integer").orElseThrow();

  private final CpuKernel kernel;
  private final Random random = Kernels.random(IntegerMatmulTest.class);

  IntegerMatmulTest(String name, CpuKernel kernel) {
    this.kernel = kernel;
  }

  static List<Arguments> kernels() {
    return List.of(
        Arguments.of("portable", (CpuKernel) MatmulKernel::runIntegers),
        Arguments.of("tiles of twelve rows", GemmKernel.ofTwelveRows().ofIntegers()),
        Arguments.of("tiles of six rows", GemmKernel.ofSixRows().ofIntegers()));
  }

  @Test
  void sumsOfTheLargestProductsAreExact() {
    assertThat(ofConstants(DType.UINT8, 255, DType.UINT8, 255, 1001)).isEqualTo(255 * 255 * 1001);
    assertThat(ofConstants(DType.INT8, -128, DType.INT8, -128, 777)).isEqualTo(128 * 128 * 777);
    assertThat(ofConstants(DType.INT8, -128, DType.UINT8, 255, 515)).isEqualTo(-128 * 255 * 515);
    assertThat(ofConstants(DType.UINT8, 255, DType.INT8, -127, 256)).isEqualTo(-127 * 255 * 256);
  }

  @Test
  void sumsWrapAround() {
    assertThat(ofConstants(DType.UINT8, 255, DType.UINT8, 255, 40_000))
        .isEqualTo((int) (255L * 255 * 40_000));
  }

  @Test
  void productsOfAllSizesAndSignsEqualTheSumOfProducts() {
    for (int[] size :
        new int[][] {
          {1, 1, 1},
          {13, 33, 300},
          {200, 70, 9},
          {3, 600, 40},
          {5, 2, 0},
          {1, 2100, 263},
          {4, 35, 514},
          {2, 16, 7}
        }) {
      for (DType left : List.of(DType.INT8, DType.UINT8)) {
        for (DType right : List.of(DType.INT8, DType.UINT8)) {
          check(left, right, size[0], size[1], size[2]);
        }
      }
    }
  }

  private void check(DType left, DType right, int m, int n, int k) {
    check(left, right, m, n, k, false);
    check(left, right, m, n, k, true);
  }

  private void check(DType left, DType right, int m, int n, int k, boolean transpose) {
    byte[] x = new byte[m * k];
    byte[] y = new byte[k * n];
    random.nextBytes(x);
    random.nextBytes(y);
    Tensor b = transpose ? tensor(right, y, n, k).permute(1, 0) : tensor(right, y, k, n);
    Tensor out = Tensor.zeros(DType.INT32, Shape.of(m, n));
    call(tensor(left, x, m, k), b, out);
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        int sum = 0;
        for (int p = 0; p < k; p++) {
          sum += value(left, x[i * k + p]) * value(right, y[transpose ? j * k + p : p * n + j]);
        }
        assertThat(out.segment().getAtIndex(ValueLayout.JAVA_INT, (long) i * n + j)).isEqualTo(sum);
      }
    }
  }

  private int ofConstants(DType left, int x, DType right, int y, int k) {
    byte[] xs = new byte[2 * k];
    byte[] ys = new byte[k * 3];
    Arrays.fill(xs, (byte) x);
    Arrays.fill(ys, (byte) y);
    Tensor out = Tensor.zeros(DType.INT32, Shape.of(2, 3));
    call(tensor(left, xs, 2, k), tensor(right, ys, k, 3), out);
    int[] sums = out.segment().toArray(ValueLayout.JAVA_INT);
    assertThat(sums).containsOnly(sums[0]);
    return sums[0];
  }

  private void call(Tensor a, Tensor b, Tensor out) {
    CallArgs args = CallArgs.of(a, b, false, false, out);
    kernel.run(KernelCall.checked(SIGNATURE, args, CodeChoice.portable()));
  }

  private static int value(DType dtype, byte bits) {
    return dtype.equals(DType.INT8) ? bits : bits & 0xff;
  }

  private static Tensor tensor(DType dtype, byte[] values, long rows, long columns) {
    Tensor tensor = Tensor.zeros(dtype, Shape.of(rows, columns));
    tensor.segment().copyFrom(MemorySegment.ofArray(values));
    return tensor;
  }
}
