package org.relaxvm.compiler.op.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.ofRank;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;
import static org.relaxvm.compiler.op.OpCalls.unknown;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.TensorType;

class LinearTest {
  private static Call matmul(List<?> a, List<?> b) {
    return Linear.matmul(floats("a", a.toArray()), floats("b", b.toArray()));
  }

  static Stream<Arguments> shapes() {
    Object n = symbol("n");
    Object m = symbol("m");
    return Stream.of(
        Arguments.of(matmul(List.of(2, 3), List.of(3, 4)), "(2, 4)"),
        Arguments.of(matmul(List.of(3), List.of(3, 4)), "(4,)"),
        Arguments.of(matmul(List.of(2, 3), List.of(3)), "(2,)"),
        Arguments.of(matmul(List.of(3), List.of(3)), "()"),
        Arguments.of(matmul(List.of(3), List.of(5, 3, 4)), "(5, 4)"),
        Arguments.of(matmul(List.of(5, 2, 3), List.of(3)), "(5, 2)"),
        Arguments.of(matmul(List.of(5, 2, 3), List.of(3, 4)), "(5, 2, 4)"),
        Arguments.of(matmul(List.of(6, 1, 2, 3), List.of(5, 3, 4)), "(6, 5, 2, 4)"),
        Arguments.of(matmul(List.of(n, 3), List.of(3, m)), "(n, m)"),
        Arguments.of(matmul(List.of(n, 2, m), List.of(n, m, 4)), "(n, 2, 4)"),
        Arguments.of(matmul(List.of(2, n), List.of(m, 4)), "(2, 4)"),
        Arguments.of(matmul(List.of(0, 3), List.of(3, 4)), "(0, 4)"),
        Arguments.of(matmul(List.of(2, 0), List.of(0, 4)), "(2, 4)"),
        Arguments.of(Linear.outer(floats("a", 2), floats("b", n)), "(2, n)"),
        Arguments.of(
            Linear.einsum("bij,bjk->bik", floats("a", n, 2, 3), floats("b", n, 3, 4)), "(n, 2, 4)"),
        Arguments.of(Linear.einsum("ii", floats("a", 3, 3)), "()"),
        Arguments.of(Linear.determinant(floats("a", n, 3, 3)), "(n,)"),
        Arguments.of(Linear.determinant(floats("a", m, m)), "()"));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void derivesTheShape(Call call, String shape) {
    assertThat(textOf(call)).isEqualTo("R.Tensor(" + shape + ", dtype=\"float32\")");
  }

  @Test
  void knowsTheNumberOfAxesWhereExtentsAreNotKnown() {
    RelaxVar a = floats("a", symbol("n"), 2, 3);
    assertThat(textOf(Linear.matmul(a, floats("b", 4, 3, 5))))
        .isEqualTo("R.Tensor(dtype=\"float32\", ndim=3)");
    assertThat(textOf(Linear.matmul(ofRank("a", DType.FLOAT32, 1), floats("b", 3, 4))))
        .isEqualTo("R.Tensor(dtype=\"float32\", ndim=1)");
    assertThat(textOf(Linear.matmul(ofRank("a", DType.FLOAT32, 1), floats("b", 3))))
        .isEqualTo("R.Tensor(dtype=\"float32\", ndim=0)");
    assertThat(textOf(Linear.matmul(unknown("a"), floats("b", 3)))).isEqualTo("R.Tensor");
    assertThat(textOf(Linear.outer(unknown("a"), floats("b", 3)))).isEqualTo("R.Tensor(ndim=2)");
    assertThat(textOf(Linear.einsum("ij->i", unknown("a")))).isEqualTo("R.Tensor(ndim=1)");
    assertThat(textOf(Linear.einsum("...i->...", unknown("a")))).isEqualTo("R.Tensor");
    assertThat(textOf(Linear.einsum("ij", unknown("a")))).isEqualTo("R.Tensor");
  }

  @Test
  void givesTheDtypeOfTheAttributeOrTheCommonOne() {
    RelaxVar a = tensor("a", DType.INT8, 2, 3);
    RelaxVar b = tensor("b", DType.UINT8, 3, 4);
    assertThat(textOf(Linear.matmul(a, b, DType.INT32)))
        .isEqualTo("R.Tensor((2, 4), dtype=\"int32\")");
    RelaxVar any =
        new RelaxVar(
            "b",
            TensorType.of(Optional.empty(), List.of())
                .withDims(TensorType.of(DType.INT8, 3, 4).dims().orElseThrow()));
    assertThat(textOf(Linear.matmul(a, any))).isEqualTo("R.Tensor((2, 4))");
    assertThat(Linear.matmul(a, b, DType.INT32)).hasToString("R.matmul(a, b, out_dtype=int32)");
  }

  static Stream<Arguments> mistakes() {
    RelaxVar bools = tensor("a", DType.BOOL, 2, 3);
    return Stream.of(
        Arguments.of(
            matmul(List.of(2, 3), List.of(4, 5)),
            "matmul: the last extent of x1 and the second last one of x2 must be equal, but are 3"
                + " and 4"),
        Arguments.of(
            matmul(List.of(3), List.of(4)),
            "matmul: the last extent of x1 and the only one of x2 must be equal, but are 3 and 4"),
        Arguments.of(
            matmul(List.of(), List.of(4)),
            "matmul: the argument x1 must be a tensor with 1 axis or more, but is"
                + " R.Tensor((), dtype=\"float32\")"),
        Arguments.of(
            matmul(List.of(2, 4, 3), List.of(5, 3, 4)),
            "matmul: cannot broadcast (2,) and (5,): of axis 0 the extents are 2 and 5; expected"
                + " equal ones, or 1"),
        Arguments.of(
            Linear.matmul(floats("a", 2, 3), tensor("b", DType.FLOAT16, 3, 4)),
            "matmul: expected one dtype, but x1 is float32 and x2 is float16; use astype"),
        Arguments.of(
            Linear.matmul(bools, bools),
            "matmul: the argument x1 must be a tensor of numbers, but is"
                + " R.Tensor((2, 3), dtype=\"bool\")"),
        Arguments.of(
            Linear.matmul(floats("a", 2, 3), floats("b", 3, 2), DType.BOOL),
            "matmul: out_dtype must be a dtype of numbers, but is bool"),
        Arguments.of(
            Linear.outer(floats("a", 2, 2), floats("b", 3)),
            "outer: the argument x1 must be a tensor with 1 axis, but is"
                + " R.Tensor((2, 2), dtype=\"float32\")"),
        Arguments.of(
            Linear.einsum("ij,jk->ik", floats("a", 2, 3), floats("b", 4, 5)),
            "einsum: the extents of j must be equal, but are 3 and 4"),
        Arguments.of(
            Linear.einsum("ij,jk->ik", floats("a", 2, 3)),
            "einsum: ij,jk->ik is of 2 operands, but got 1"),
        Arguments.of(
            Linear.einsum("ijk->i", floats("a", 2, 3)),
            "einsum: expected operands[0] of rank 3, but its rank is 2"),
        Arguments.of(
            Linear.determinant(floats("a", 2, 3)),
            "determinant: the extents of the last two axes of x must be equal, but are 2 and 3"),
        Arguments.of(
            Linear.determinant(floats("a", 2)),
            "determinant: the argument x must be a tensor with 2 axes or more, but is"
                + " R.Tensor((2,), dtype=\"float32\")"),
        Arguments.of(
            Linear.einsum("i", tensor("a", DType.BOOL, 2)),
            "einsum: operands[0] must be a tensor of numbers, but is"
                + " R.Tensor((2,), dtype=\"bool\")"),
        Arguments.of(
            Call.of(Linear.EINSUM, List.of(floats("a", 2)), Attrs.of("subscripts", "i")),
            "einsum: the argument operands must be a tuple of tensors, but is"
                + " R.Tensor((2,), dtype=\"float32\")"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  private static final Tensor A = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(2, 2));
  private static final Tensor B = Tensor.of(new float[] {1, 0, 1, 1}, Shape.of(2, 2));

  @Test
  void computesProducts() {
    RelaxVar a = floats("a", 2, 2);
    RelaxVar b = floats("b", 2, 2);
    assertThat(compute(Linear.matmul(a, b), A, B).getFirst().toFloatArray())
        .containsExactly(3, 2, 7, 4);
    assertThat(compute(Linear.matmul(a, b, DType.FLOAT64), A, B).getFirst().toDoubleArray())
        .containsExactly(3, 2, 7, 4);
    assertThat(compute(Linear.einsum("ij,ij->i", a, b), A, B).getFirst().toFloatArray())
        .containsExactly(1, 7);
    RelaxVar small = tensor("a", DType.FLOAT8_E4M3FN, 2, 2);
    RelaxVar other = tensor("b", DType.FLOAT8_E4M3FN, 2, 2);
    Tensor bytes = Tensor.of(new byte[] {0x38, 0x40, 0x44, 0x48}, DType.FLOAT8_E4M3FN, A.shape());
    assertThat(bytes.toFloatArray()).containsExactly(1, 2, 3, 4);
    assertThat(
            compute(Linear.matmul(small, other, DType.FLOAT32), bytes, bytes)
                .getFirst()
                .toFloatArray())
        .containsExactly(7, 10, 15, 22);
    Tensor line = Tensor.of(new float[] {2, 3}, Shape.of(2));
    assertThat(
            compute(Linear.outer(floats("a", 2), floats("b", 2)), line, line)
                .getFirst()
                .toFloatArray())
        .containsExactly(4, 6, 6, 9);
  }

  @Test
  void computesDeterminants() {
    float[] values = {0, 2, 1, 1, 0, 0, 0, 4, 5, 0, 1, 2, 0, 3, 4, 0, 5, 6};
    Tensor matrices = Tensor.of(values, Shape.of(2, 3, 3));
    assertThat(
            compute(Linear.determinant(floats("a", 2, 3, 3)), matrices).getFirst().toFloatArray())
        .containsExactly(-6, 0);
    Tensor none = Tensor.zeros(DType.FLOAT32, Shape.of(2, 0, 0));
    assertThat(compute(Linear.determinant(floats("a", 2, 0, 0)), none).getFirst().toFloatArray())
        .containsExactly(1, 1);
    assertThat(textOf(Linear.determinant(ofRank("a", DType.FLOAT16, 4))))
        .isEqualTo("R.Tensor(dtype=\"float16\", ndim=2)");
  }

  @Test
  void sumsNothingToZero() {
    Tensor none = Tensor.zeros(DType.FLOAT32, Shape.of(1, 0));
    Tensor other = Tensor.zeros(DType.FLOAT32, Shape.of(0, 2));
    assertThat(compute(matmul(List.of(1, 0), List.of(0, 2)), none, other).getFirst().toFloatArray())
        .containsExactly(0, 0);
  }

  @Test
  void linearMultipliesWithTheTransposedWeight() {
    Tensor bias = Tensor.of(new float[] {10, 20}, Shape.of(2));
    Call call = Linear.linear(floats("x", 2, 2), floats("w", 2, 2), floats("b", 2));
    assertThat(compute(call, A, B, bias).getFirst().toFloatArray()).containsExactly(11, 23, 13, 27);
  }
}
