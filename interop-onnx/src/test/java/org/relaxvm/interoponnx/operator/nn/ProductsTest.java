package org.relaxvm.interoponnx.operator.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoponnx.operator.nn.NodeRun.floats;
import static org.relaxvm.interoponnx.operator.nn.NodeRun.varied;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;

/** Products of matrices with symbolic extents, old versions and integers. */
class ProductsTest {
  @Test
  void powersOfIntegersAreExactWhereDtypesDiffer() {
    long power = 50_031_545_098_999_707L;
    Tensor base = Tensor.of(new long[] {3}, Shape.of(1));
    Tensor exponent = Tensor.of(new int[] {35}, Shape.of(1));
    assertThat(NodeRun.of("Pow", 13).input(base).input(exponent).run().toLongArray())
        .containsExactly(power);
  }

  private static final Tensor A = floats(new float[] {1, 2, 3, 4}, 2, 2);
  private static final Tensor B = floats(new float[] {1, 1, 0, 1}, 2, 2);

  @Test
  void extentsThatMustAgreeAreTakenToBeEqual() {
    Tensor a = varied(3, 2, 4);
    Tensor b = varied(3, 4, 2);
    float[] expected = NodeRun.of("MatMul", 13).input(a).input(b).run().toFloatArray();
    assertThat(
            NodeRun.of("MatMul", 13)
                .input(a, "n", 2, "k")
                .input(b, "m", "l", 2)
                .run()
                .toFloatArray())
        .containsExactly(expected);
    NodeRun wrong =
        NodeRun.of("MatMul", 13).input(a, "n", 2, "k").input(varied(3, 5, 2), 3, "l", 2);
    assertThatThrownBy(wrong::run).isInstanceOf(RelaxException.class);
  }

  @Test
  void vectorsLoseTheirAxis() {
    Tensor v = floats(new float[] {1, 10}, 2);
    assertThat(NodeRun.of("MatMul", 13).input(v).input(A).run().toFloatArray())
        .containsExactly(31, 42);
    Tensor scalar = NodeRun.of("MatMul", 13).input(v, "n").input(v, "m").run();
    assertThat(scalar.shape()).isEqualTo(Shape.of());
    assertThat(scalar.toFloatArray()).containsExactly(101);
  }

  @Test
  void gemmScalesAndAdds() {
    NodeRun run = NodeRun.of("Gemm", 13).with("alpha", 0.5f).with("beta", 2f).with("transB", 1);
    Tensor row = floats(new float[] {1, 2}, 2);
    assertThat(run.input(A, "n", 2).input(B).input(row).run().toFloatArray())
        .containsExactly(3.5f, 5, 5.5f, 6);
    assertThat(NodeRun.of("Gemm", 11).with("transA", 1).input(A).input(B).run().toFloatArray())
        .containsExactly(1, 4, 2, 6);
    Tensor bias = floats(new float[] {10}, 1);
    assertThat(
            NodeRun.of("Gemm", 6)
                .with("broadcast", 1)
                .input(A)
                .input(B)
                .input(bias)
                .run()
                .toFloatArray())
        .containsExactly(11, 13, 13, 17);
  }

  @Test
  void factorsOfIntegersAreFloats() {
    Tensor a = Tensor.of(new int[] {1, 2, 3, 5}, Shape.of(2, 2));
    Tensor b = Tensor.of(new int[] {1, 0, 0, 1}, Shape.of(2, 2));
    assertThat(NodeRun.of("Gemm", 13).with("alpha", 1.5f).input(a).input(b).run().toLongArray())
        .containsExactly(1, 3, 4, 7);
  }

  @Test
  void gemmMultipliesMatricesOnly() {
    NodeRun run = NodeRun.of("Gemm", 13).input(varied(2, 2, 2)).input(B);
    assertThatThrownBy(run::run)
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("input 0 has 3 axes; expected 2");
  }

  @Test
  void lettersAgree() {
    Tensor a = varied(2, 3, 4);
    Tensor b = varied(4, 3);
    float[] expected =
        NodeRun.of("Einsum", 12)
            .with("equation", "bij,ji->b")
            .input(a)
            .input(b)
            .run()
            .toFloatArray();
    assertThat(
            NodeRun.of("Einsum", 12)
                .with("equation", " b i j , j i -> b ")
                .input(a, "b", "i", "j")
                .input(b, "x", "y")
                .run()
                .toFloatArray())
        .containsExactly(expected);
    float[] products = NodeRun.of("MatMul", 13).input(a).input(b).run().toFloatArray();
    assertThat(
            NodeRun.of("Einsum", 12)
                .with("equation", "...ij,...jk")
                .input(a, "b", "i", "j")
                .input(b, "x", "y")
                .run()
                .toFloatArray())
        .containsExactly(products);
    assertThat(NodeRun.of("Einsum", 12).with("equation", "ii->i").input(A).run().toFloatArray())
        .containsExactly(1, 4);
    assertThat(NodeRun.of("Einsum", 12).with("equation", "ba").input(A).run().toFloatArray())
        .containsExactly(1, 3, 2, 4);
  }

  @Test
  void termsFitTheirOperands() {
    NodeRun run = NodeRun.of("Einsum", 12).with("equation", "ijk->i").input(A);
    assertThatThrownBy(run::run)
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("'ijk' is of 3 axes, but the operand has 2");
  }

  @Test
  void determinantsHaveTheLeadingAxes() {
    Tensor x = floats(new float[] {1, 2, 3, 4, 0, 1, 1, 0}, 2, 2, 2);
    Tensor result = NodeRun.of("Det", 11).input(x, "n", 2, 2).run();
    assertThat(result.shape()).isEqualTo(Shape.of(2));
    assertThat(result.toFloatArray()).usingComparatorWithPrecision(1e-5f).containsExactly(-2, -1);
  }
}
