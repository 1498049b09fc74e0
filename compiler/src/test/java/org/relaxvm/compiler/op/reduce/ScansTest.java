package org.relaxvm.compiler.op.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;
import static org.relaxvm.compiler.op.OpCalls.unknown;

import java.util.List;
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

class ScansTest {
  private static final RelaxVar X = floats("x", 2, 3);
  private static final RelaxVar PROB = floats("p", 2, 4);
  private static final RelaxVar U = floats("u", 3, 1);
  private static final RelaxVar ROWS = tensor("i", DType.INT64, 3, 1);

  private static Call cumsum(RelaxVar x, Attrs attrs) {
    return Call.of(Scans.CUMSUM, List.of(x), attrs);
  }

  @Test
  void derivesTheType() {
    assertThat(textOf(Scans.cumsum(X, 1))).isEqualTo("R.Tensor((2, 3), dtype=\"float32\")");
    assertThat(textOf(Scans.cumprod(X, -1))).isEqualTo("R.Tensor((2, 3), dtype=\"float32\")");
    assertThat(textOf(cumsum(X, Attrs.NONE))).isEqualTo("R.Tensor((6,), dtype=\"float32\")");
    assertThat(textOf(cumsum(floats("x", symbol("n"), 3), Attrs.of("dtype", "float64"))))
        .isEqualTo("R.Tensor((n * 3,), dtype=\"float64\")");
    assertThat(textOf(cumsum(tensor("x", DType.BOOL, 3), Attrs.of("dtype", DType.INT32))))
        .isEqualTo("R.Tensor((3,), dtype=\"int32\")");
    assertThat(textOf(cumsum(unknown("x"), Attrs.NONE))).isEqualTo("R.Tensor(ndim=1)");
    assertThat(textOf(Scans.cumsum(unknown("x"), 3))).isEqualTo("R.Tensor");
    assertThat(textOf(Scans.multinomialFromUniform(PROB, U, ROWS, DType.INT64)))
        .isEqualTo("R.Tensor((3, 1), dtype=\"int64\")");
    assertThat(textOf(Call.of(Scans.MULTINOMIAL_FROM_UNIFORM, PROB, unknown("u"), ROWS)))
        .isEqualTo("R.Tensor(dtype=\"int64\", ndim=2)");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            Scans.cumsum(X, 2), "cumsum: there is no axis 2 of 2 axes; expected one from -2 to 1"),
        Arguments.of(
            Scans.cumprod(tensor("x", DType.BOOL, 2), 0),
            "cumprod: the argument data must be a tensor of numbers, but is"
                + " R.Tensor((2,), dtype=\"bool\")"),
        Arguments.of(
            cumsum(X, Attrs.of("dtype", "bool")),
            "cumsum: dtype must be a dtype of numbers, but is bool"),
        Arguments.of(
            Scans.multinomialFromUniform(PROB, U, floats("i", 3, 1), DType.INT64),
            "multinomial_from_uniform: the argument sample_indices must be a tensor of integers,"
                + " but is R.Tensor((3, 1), dtype=\"float32\")"),
        Arguments.of(
            Scans.multinomialFromUniform(floats("p", 4), U, ROWS, DType.INT64),
            "multinomial_from_uniform: the argument prob must be a tensor with 2 axes, but is"
                + " R.Tensor((4,), dtype=\"float32\")"),
        Arguments.of(
            Scans.multinomialFromUniform(PROB, floats("u", 2, 1), ROWS, DType.INT64),
            "multinomial_from_uniform: the extents of axis 0 of uniform_sample and sample_indices"
                + " must be equal, but are 2 and 3"),
        Arguments.of(
            Scans.multinomialFromUniform(PROB, floats("u", 3, 2), ROWS, DType.INT64),
            "multinomial_from_uniform: the argument uniform_sample must be a tensor of one column,"
                + " but is R.Tensor((3, 2), dtype=\"float32\")"),
        Arguments.of(
            Scans.multinomialFromUniform(PROB, tensor("u", DType.FLOAT16, 3, 1), ROWS, DType.INT64),
            "multinomial_from_uniform: expected one dtype, but prob is float32 and uniform_sample"
                + " is float16; use astype"),
        Arguments.of(
            Scans.multinomialFromUniform(PROB, U, ROWS, DType.INT16),
            "multinomial_from_uniform: dtype must be int32 or int64, but is int16"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  private static final Tensor DATA = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));

  @Test
  void computesScans() {
    assertThat(compute(Scans.cumsum(X, 0), DATA).getFirst().toFloatArray())
        .containsExactly(1, 2, 3, 5, 7, 9);
    assertThat(compute(Scans.cumprod(X, -1), DATA).getFirst().toFloatArray())
        .containsExactly(1, 2, 6, 4, 20, 120);
    assertThat(
            compute(cumsum(X, Attrs.of("exclusive", 1).with("dtype", "int32")), DATA)
                .getFirst()
                .toLongArray())
        .containsExactly(0, 1, 3, 6, 10, 15);
  }

  @Test
  void drawsFromRows() {
    Tensor prob = Tensor.of(new float[] {0.5f, 0.25f, 0.25f, 0, 0, 0, 0, 1}, Shape.of(2, 4));
    Tensor uniform = Tensor.of(new float[] {0.6f, 0.6f, 0.1f}, Shape.of(3, 1));
    Tensor rows = Tensor.of(new long[] {0, 1, 0}, Shape.of(3, 1));
    Call call = Scans.multinomialFromUniform(PROB, U, ROWS, DType.INT32);
    assertThat(compute(call, prob, uniform, rows).getFirst().toLongArray())
        .containsExactly(1, 3, 0);
  }
}
