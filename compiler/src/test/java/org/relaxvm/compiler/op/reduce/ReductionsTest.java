package org.relaxvm.compiler.op.reduce;

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

class ReductionsTest {
  private static final RelaxVar X = floats("x", 2, 3, 4);

  static Stream<Arguments> shapes() {
    Object n = symbol("n");
    return Stream.of(
        Arguments.of(Reductions.sum(X), "(), dtype=\"float32\""),
        Arguments.of(Reductions.max(X), "(), dtype=\"float32\""),
        Arguments.of(Reductions.min(X), "(), dtype=\"float32\""),
        Arguments.of(Reductions.prod(X), "(), dtype=\"float32\""),
        Arguments.of(Reductions.mean(X), "(), dtype=\"float32\""),
        Arguments.of(
            Call.of(Reductions.SUM, List.of(X), Attrs.of("keepdims", true)),
            "(1, 1, 1), dtype=\"float32\""),
        Arguments.of(Reductions.sum(X, List.of(1), false), "(2, 4), dtype=\"float32\""),
        Arguments.of(Reductions.max(X, List.of(-1), true), "(2, 3, 1), dtype=\"float32\""),
        Arguments.of(Reductions.min(X, List.of(-1, 0), false), "(3,), dtype=\"float32\""),
        Arguments.of(Reductions.prod(X, List.of(), false), "(2, 3, 4), dtype=\"float32\""),
        Arguments.of(
            Reductions.mean(floats("x", n, 3), List.of(1), false), "(n,), dtype=\"float32\""),
        Arguments.of(
            Reductions.variance(floats("x", n, 3), List.of(0), true), "(1, 3), dtype=\"float32\""),
        Arguments.of(Reductions.std(X, List.of(0, 1), false), "(4,), dtype=\"float32\""),
        Arguments.of(
            Reductions.sum(floats("x", 0, 3), List.of(0), false), "(3,), dtype=\"float32\""),
        Arguments.of(
            Call.of(Reductions.SUM, List.of(X), Attrs.of("axis", 1)), "(2, 4), dtype=\"float32\""),
        Arguments.of(
            Reductions.sum(tensor("x", DType.INT8, 2, 3), List.of(0), false),
            "(3,), dtype=\"int8\""),
        Arguments.of(
            Reductions.sum(ofRank("x", DType.INT8, 3), List.of(0), false),
            "dtype=\"int8\", ndim=2"),
        Arguments.of(
            Reductions.sum(ofRank("x", DType.INT8, 3), List.of(0), true), "dtype=\"int8\", ndim=3"),
        Arguments.of(
            Reductions.sum(ofRank("x", DType.INT8, 2), List.of(0, 1), true),
            "(1, 1), dtype=\"int8\""),
        Arguments.of(Reductions.sum(unknown("x")), "()"),
        Arguments.of(Reductions.argmax(X, 1, false), "(2, 4), dtype=\"int64\""),
        Arguments.of(Reductions.argmin(X, -1, true), "(2, 3, 1), dtype=\"int64\""),
        Arguments.of(Call.of(Reductions.ARGMAX, X), "(), dtype=\"int64\""),
        Arguments.of(Reductions.median(X, List.of(0, 2), false), "(3,), dtype=\"float32\""),
        Arguments.of(Call.of(Reductions.MEDIAN, X), "(), dtype=\"float32\""));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void derivesTheType(Call call, String type) {
    assertThat(textOf(call)).isEqualTo("R.Tensor(" + type + ")");
  }

  @Test
  void knowsNothingOfSomeAxesOfAnUnknownTensor() {
    assertThat(textOf(Reductions.sum(unknown("x"), List.of(5), true))).isEqualTo("R.Tensor");
    assertThat(textOf(Reductions.argmax(unknown("x"), 5, true)))
        .isEqualTo("R.Tensor(dtype=\"int64\")");
  }

  @Test
  void theMedianAlongOneAxisHasIndices() {
    assertThat(textOf(Reductions.median(X, List.of(1), true)))
        .isEqualTo(
            "R.Tuple(R.Tensor((2, 1, 4), dtype=\"float32\"),"
                + " R.Tensor((2, 1, 4), dtype=\"int64\"))");
  }

  @Test
  void writesAllAttributes() {
    assertThat(Reductions.mean(X, List.of(2, 3), false))
        .hasToString("R.mean(x, axis=[2, 3], keepdims=false)");
  }

  static Stream<Arguments> mistakes() {
    RelaxVar ints = tensor("x", DType.INT32, 2);
    return Stream.of(
        Arguments.of(
            Reductions.sum(X, List.of(3), false),
            "sum: there is no axis 3 of 3 axes; expected one from -3 to 2"),
        Arguments.of(
            Reductions.max(X, List.of(-4), false),
            "max: there is no axis -4 of 3 axes; expected one from -3 to 2"),
        Arguments.of(
            Reductions.sum(X, List.of(1, -2), false), "sum: the axis -2 is given twice in [1, -2]"),
        Arguments.of(
            Reductions.argmax(floats("x"), 0, false), "argmax: there is no axis 0 of 0 axes"),
        Arguments.of(
            Reductions.mean(ints),
            "mean: the argument x must be a tensor of floats, but is"
                + " R.Tensor((2,), dtype=\"int32\")"),
        Arguments.of(
            Reductions.variance(ints, List.of(0), false),
            "variance: the argument x must be a tensor of floats, but is"
                + " R.Tensor((2,), dtype=\"int32\")"),
        Arguments.of(
            Reductions.std(ints, List.of(0), false),
            "std: the argument x must be a tensor of floats, but is"
                + " R.Tensor((2,), dtype=\"int32\")"),
        Arguments.of(
            Reductions.sum(tensor("x", DType.BOOL, 2)),
            "sum: the argument x must be a tensor of numbers, but is"
                + " R.Tensor((2,), dtype=\"bool\")"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  private static final RelaxVar SMALL = floats("x", 2, 3);
  private static final Tensor DATA = Tensor.of(new float[] {4, 2, 4, 1, 6, 1}, Shape.of(2, 3));

  private static float[] reduced(Call call) {
    return compute(call, DATA).getFirst().toFloatArray();
  }

  @Test
  void computesEachReduction() {
    assertThat(reduced(Reductions.sum(SMALL, List.of(1), false))).containsExactly(10, 8);
    assertThat(reduced(Reductions.max(SMALL, List.of(0), true))).containsExactly(4, 6, 4);
    assertThat(reduced(Reductions.min(SMALL))).containsExactly(1);
    assertThat(reduced(Reductions.prod(SMALL, List.of(-1), false))).containsExactly(32, 6);
    assertThat(reduced(Reductions.mean(SMALL))).containsExactly(3);
    Tensor even = Tensor.of(new float[] {1, 1, 1, 5, 5, 5}, Shape.of(2, 3));
    assertThat(
            compute(Reductions.variance(SMALL, List.of(0), false), even).getFirst().toFloatArray())
        .containsExactly(4, 4, 4);
    assertThat(compute(Reductions.std(SMALL, List.of(0), false), even).getFirst().toFloatArray())
        .containsExactly(2, 2, 2);
  }

  @Test
  void theFirstOfEqualsWins() {
    assertThat(compute(Reductions.argmax(SMALL, 1, false), DATA).getFirst().toLongArray())
        .containsExactly(0, 1);
    assertThat(compute(Reductions.argmin(SMALL, 1, false), DATA).getFirst().toLongArray())
        .containsExactly(1, 0);
    assertThat(compute(Call.of(Reductions.ARGMAX, SMALL), DATA).getFirst().toLongArray())
        .containsExactly(4);
  }

  @Test
  void computesMedians() {
    List<Tensor> both = compute(Reductions.median(SMALL, List.of(1), false), DATA);
    assertThat(both.get(0).toFloatArray()).containsExactly(4, 1);
    assertThat(both.get(1).toLongArray()).containsExactly(0, 2);
    assertThat(reduced(Call.of(Reductions.MEDIAN, SMALL))).containsExactly(2);
    RelaxVar cube = floats("x", 2, 2, 2);
    Tensor data = Tensor.of(new float[] {1, 9, 2, 8, 3, 7, 4, 6}, Shape.of(2, 2, 2));
    assertThat(
            compute(Reductions.median(cube, List.of(0, 2), true), data).getFirst().toFloatArray())
        .containsExactly(3, 4);
  }

  @Test
  void reducesNothing() {
    RelaxVar none = floats("x", 0, 2);
    Tensor data = Tensor.zeros(DType.FLOAT32, Shape.of(0, 2));
    assertThat(compute(Reductions.sum(none, List.of(0), false), data).getFirst().toFloatArray())
        .containsExactly(0, 0);
    assertThat(compute(Reductions.prod(none, List.of(0), false), data).getFirst().toFloatArray())
        .containsExactly(1, 1);
    assertThat(compute(Reductions.sum(none, List.of(1), false), data).getFirst().toFloatArray())
        .isEmpty();
  }
}
