package org.relaxvm.compiler.op.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.someFloats;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.tir.expr.Var;

class SplitsTest {
  private final Var n = Var.index("n");

  private static String vectors(Object... lengths) {
    return List.of(lengths).stream()
        .map(length -> "R.Tensor((" + length + ",), dtype=\"float32\")")
        .toList()
        .toString()
        .replace("[", "R.Tuple(")
        .replace("]", ")");
  }

  @Test
  void makeSections() {
    is(Splits.split(floats(6), 2, 0), vectors(3, 3));
    is(Splits.split(floats(7), 3, 0), vectors(3, 3, 1));
    is(Splits.split(floats(6), 4, 0), vectors(2, 2, 2, 0));
    is(Splits.split(floats(0), 2, 0), vectors(0, 0));
    is(Splits.split(floats(n), 2, 0), vectors("(n + 1) // 2", "n - (n + 1) // 2"));
    is(
        Splits.split(floats(2, 6), 2, -1),
        "R.Tuple(R.Tensor((2, 3), dtype=\"float32\"), R.Tensor((2, 3), dtype=\"float32\"))");
    is(Splits.split(floats(n), 1, 0), "R.Tensor((n,), dtype=\"float32\")");
    is(
        Splits.split(ofRank(2), 2, 0),
        "R.Tuple(R.Tensor(dtype=\"float32\", ndim=2), R.Tensor(dtype=\"float32\", ndim=2))");
    is(
        Splits.split(someFloats(), 2, 5),
        "R.Tuple(R.Tensor(dtype=\"float32\"), R.Tensor(dtype=\"float32\"))");
  }

  @Test
  void splitAtPositions() {
    is(Splits.split(floats(6), List.of(2, 5), 0), vectors(2, 3, 1));
    is(Splits.split(floats(6), List.of(4, 9), 0), vectors(4, 2, 0));
    is(Splits.split(floats(6), List.of(4, 2), 0), vectors(4, 0, 4));
    is(Splits.split(floats(6), List.of(-3), 0), vectors(0, 6));
    is(Splits.split(floats(6), List.of(), 0), "R.Tensor((6,), dtype=\"float32\")");
    is(Splits.split(floats(n), List.of(3), 0), vectors("min(n, 3)", "n - min(n, 3)"));
  }

  @Test
  void refuseWhatCannotBe() {
    refused(
        Splits.split(floats(5), 4, 0),
        "split: an extent of 5 does not have 4 sections of 2; split it at positions instead");
    refused(Splits.split(floats(5), 0, 0), "split: expected at least 1 section, but got 0");
    refused(
        Splits.split(floats(5), 1, 1),
        "split: there is no axis 1 of 1 axis; expected one from -1 to 0");
    refused(
        Call.of(Splits.SPLIT, floats(5)),
        "split: the attribute indices_or_sections must be given: an attribute");
  }

  @Test
  void keepTheElements() {
    Tensor data = Tensor.of(new long[] {1, 2, 3, 4, 5}, Shape.of(5));
    assertThat(Execution.text(Splits.split(ints(n), 2, 0), data))
        .isEqualTo("[int64 [3] [1, 2, 3], int64 [2] [4, 5]]");
    assertThat(Execution.text(Splits.split(ints(n), List.of(1, 9), 0), data))
        .isEqualTo("[int64 [1] [1], int64 [4] [2, 3, 4, 5], int64 [0] []]");
    assertThat(Execution.text(Splits.split(ints(5), List.of(3, 1), 0), data))
        .isEqualTo("[int64 [3] [1, 2, 3], int64 [0] [], int64 [4] [2, 3, 4, 5]]");
    assertThat(Execution.text(Splits.split(ints(5), 1, 0), data))
        .isEqualTo("int64 [5] [1, 2, 3, 4, 5]");
    assertThat(Execution.kernels(Splits.split(ints(5), 1, 0))).isEmpty();
    assertThat(Execution.kernels(Splits.split(ints(6), 3, 0))).containsExactly("split");
  }
}
