package org.relaxvm.backendtestkit.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.TensorExpr;

/** The axes of an ellipsis are aligned at the last one and broadcast. */
class EllipsisTest {
  private final FormulaKernel kernel = new FormulaKernel();

  private static double[] upTo(int count) {
    double[] numbers = new double[count];
    Arrays.setAll(numbers, i -> i % 7 - 3);
    return numbers;
  }

  private static List<PrimExpr> extents(long... extents) {
    return Arrays.stream(extents).<PrimExpr>mapToObj(IntImm::of).toList();
  }

  @Test
  void batchesOfMatmulsAreBroadcast() {
    TensorExpr a = kernel.input("A", DType.FLOAT64, 2, 1, 3, 4);
    TensorExpr b = kernel.input("B", DType.FLOAT64, 5, 4, 2);
    TensorExpr y = LinearOps.einsum(kernel.k, "Y", List.of(a, b), "...ij, ...jk -> ...ik");
    assertThat(y.shape()).isEqualTo(extents(2, 5, 3, 2));
    double[] as = upTo(24);
    double[] bs = upTo(40);
    double[] wanted = new double[60];
    for (int p = 0; p < 2; p++) {
      for (int q = 0; q < 5; q++) {
        for (int i = 0; i < 3; i++) {
          for (int k = 0; k < 2; k++) {
            for (int j = 0; j < 4; j++) {
              wanted[((p * 5 + q) * 3 + i) * 2 + k] +=
                  as[(p * 3 + i) * 4 + j] * bs[(q * 4 + j) * 2 + k];
            }
          }
        }
      }
    }
    double[] got =
        kernel.run(
            y,
            DType.FLOAT64,
            Shape.of(2, 5, 3, 2),
            Tensor.of(as, Shape.of(2, 1, 3, 4)),
            Tensor.of(bs, Shape.of(5, 4, 2)));
    assertThat(got).containsExactly(wanted);
  }

  @Test
  void anEllipsisMayStandAnywhere() {
    TensorExpr a = kernel.input("A", DType.FLOAT64, 3, 2, 4, 5);
    TensorExpr b = kernel.input("B", DType.FLOAT64, 4, 3);
    TensorExpr y = LinearOps.einsum(kernel.k, "Y", List.of(a, b), "i...j,...i->j...");
    assertThat(y.shape()).isEqualTo(extents(5, 2, 4));
    double[] as = upTo(120);
    double[] bs = upTo(12);
    double[] wanted = new double[40];
    for (int j = 0; j < 5; j++) {
      for (int p = 0; p < 2; p++) {
        for (int q = 0; q < 4; q++) {
          for (int i = 0; i < 3; i++) {
            wanted[(j * 2 + p) * 4 + q] += as[((i * 2 + p) * 4 + q) * 5 + j] * bs[q * 3 + i];
          }
        }
      }
    }
    double[] got =
        kernel.run(
            y,
            DType.FLOAT64,
            Shape.of(5, 2, 4),
            Tensor.of(as, Shape.of(3, 2, 4, 5)),
            Tensor.of(bs, Shape.of(4, 3)));
    assertThat(got).containsExactly(wanted);
  }

  @Test
  void withoutAnArrowItsAxesComeFirst() {
    TensorExpr a = kernel.input("A", DType.FLOAT64, 2, 3, 4);
    TensorExpr b = kernel.input("B", DType.FLOAT64, 2);
    TensorExpr y = LinearOps.einsum(kernel.k, "Y", List.of(a, b), "b...a,b");
    assertThat(y.shape()).isEqualTo(extents(3, 4));
    double[] as = upTo(24);
    double[] bs = {2, -1};
    double[] wanted = new double[12];
    for (int i = 0; i < 12; i++) {
      wanted[i] = as[i] * bs[0] + as[12 + i] * bs[1];
    }
    Tensor matrices = Tensor.of(as, Shape.of(2, 3, 4));
    assertThat(kernel.run(y, DType.FLOAT64, Shape.of(3, 4), matrices, FormulaKernel.vector(bs)))
        .containsExactly(wanted);
  }

  @Test
  void itMayStandForNothing() {
    TensorExpr a = kernel.input("A", DType.FLOAT64, 2, 2);
    TensorExpr y = LinearOps.einsum(kernel.k, "Y", List.of(a), "...ii");
    Tensor matrix = Tensor.of(new double[] {1, 2, 3, 4}, Shape.of(2, 2));
    assertThat(kernel.run(y, DType.FLOAT64, Shape.scalar(), matrix)).containsExactly(5);
  }
}
