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

class OrderingsTest {
  private static final RelaxVar X = floats("x", 2, 4);

  private static Call topk(int k, Object... dims) {
    return Orderings.topk(floats("x", dims), k, -1, true, DType.INT32);
  }

  private static Call topk(Attrs attrs) {
    return Call.of(Orderings.TOPK, List.of(X), attrs);
  }

  private static String both(String shape) {
    return "R.Tuple(R.Tensor("
        + shape
        + ", dtype=\"float32\"), R.Tensor("
        + shape
        + ", dtype=\"int32\"))";
  }

  @Test
  void derivesTheType() {
    assertThat(textOf(Orderings.sort(X, 0, true))).isEqualTo("R.Tensor((2, 4), dtype=\"float32\")");
    assertThat(textOf(Orderings.sort(unknown("x"), 9, true))).isEqualTo("R.Tensor");
    assertThat(textOf(Orderings.argsort(X, -1, false, DType.INT64)))
        .isEqualTo("R.Tensor((2, 4), dtype=\"int64\")");
    assertThat(textOf(Call.of(Orderings.ARGSORT, X)))
        .isEqualTo("R.Tensor((2, 4), dtype=\"int32\")");
    assertThat(textOf(topk(3, 2, 4))).isEqualTo(both("(2, 3)"));
    assertThat(textOf(topk(0, 2, 4))).isEqualTo(both("(2, 4)"));
    assertThat(textOf(topk(-1, 2, 4))).isEqualTo(both("(2, 4)"));
    assertThat(textOf(topk(9, 2, 4))).isEqualTo(both("(2, 4)"));
    assertThat(textOf(topk(9, 2, symbol("n")))).isEqualTo(both("(2, 9)"));
    assertThat(textOf(topk(0, 2, symbol("n")))).isEqualTo(both("(2, n)"));
    assertThat(textOf(topk(9, 2, 0))).isEqualTo(both("(2, 0)"));
    assertThat(textOf(topk(Attrs.of("ret_type", "values"))))
        .isEqualTo("R.Tensor((2, 1), dtype=\"float32\")");
    assertThat(textOf(topk(Attrs.of("ret_type", "indices").with("axis", 0).with("k", 1))))
        .isEqualTo("R.Tensor((1, 4), dtype=\"int32\")");
    assertThat(textOf(Orderings.topk(ofRank("x", DType.INT8, 2), 1, 0, true, DType.INT64)))
        .isEqualTo("R.Tuple(R.Tensor(dtype=\"int8\", ndim=2), R.Tensor(dtype=\"int64\", ndim=2))");
    assertThat(topk(3, 2, 4))
        .hasToString("R.topk(x, k=3, axis=-1, ret_type=both, largest=true, dtype=int32)");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            Orderings.sort(X, 2, false),
            "sort: there is no axis 2 of 2 axes; expected one from -2 to 1"),
        Arguments.of(
            Orderings.sort(tensor("x", DType.BOOL, 2), 0, false),
            "sort: the argument data must be a tensor of numbers, but is"
                + " R.Tensor((2,), dtype=\"bool\")"),
        Arguments.of(
            Orderings.argsort(X, 0, false, DType.FLOAT32),
            "argsort: dtype must be int32 or int64, but is float32"),
        Arguments.of(
            topk(Attrs.of("dtype", "int8")), "topk: dtype must be int32 or int64, but is int8"),
        Arguments.of(
            topk(Attrs.of("ret_type", "all")),
            "topk: ret_type must be \"both\", \"values\" or \"indices\", but is \"all\""));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  private static final Tensor DATA =
      Tensor.of(new float[] {2, 1, 2, 3, 5, Float.NaN, 5, 4}, Shape.of(2, 4));

  @Test
  void sortsEqualsByTheirIndicesAndNaNAsTheLargest() {
    assertThat(compute(Orderings.sort(X, -1, false), DATA).getFirst().toFloatArray())
        .containsExactly(1, 2, 2, 3, 4, 5, 5, Float.NaN);
    assertThat(compute(Orderings.argsort(X, -1, false, DType.INT32), DATA).getFirst().toLongArray())
        .containsExactly(1, 0, 2, 3, 3, 0, 2, 1);
    assertThat(compute(Orderings.argsort(X, -1, true, DType.INT64), DATA).getFirst().toLongArray())
        .containsExactly(3, 0, 2, 1, 1, 0, 2, 3);
  }

  @Test
  void findsTheForemost() {
    List<Tensor> largest = compute(Orderings.topk(X, 2, 1, true, DType.INT32), DATA);
    assertThat(largest.get(0).toFloatArray()).containsExactly(3, 2, Float.NaN, 5);
    assertThat(largest.get(1).toLongArray()).containsExactly(3, 0, 1, 0);
    Call smallest = topk(Attrs.of("k", 2).with("largest", false).with("ret_type", "indices"));
    assertThat(compute(smallest, DATA).getFirst().toLongArray()).containsExactly(1, 0, 3, 0);
    Call values = topk(Attrs.of("k", 1).with("axis", 0).with("ret_type", "values"));
    assertThat(compute(values, DATA).getFirst().toFloatArray()).containsExactly(5, Float.NaN, 5, 4);
  }
}
