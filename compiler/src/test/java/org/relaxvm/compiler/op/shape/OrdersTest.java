package org.relaxvm.compiler.op.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.someFloats;
import static org.relaxvm.compiler.op.Rules.tensor;
import static org.relaxvm.compiler.op.Rules.unknown;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.tir.expr.Var;

class OrdersTest {
  private final Var n = Var.index("n");

  @Test
  void permuteAxes() {
    is(Orders.transpose(floats(2, 3, n)), "R.Tensor((n, 3, 2), dtype=\"float32\")");
    is(Orders.permuteDims(floats(2, 3, n), 1, -1, 0), "R.Tensor((3, n, 2), dtype=\"float32\")");
    is(Orders.permuteDims(unknown(), 1, 0), "R.Tensor(ndim=2)");
    is(Orders.transpose(someFloats()), "R.Tensor(dtype=\"float32\")");
    is(Orders.permuteDims(ofRank(2), 1, 0), "R.Tensor(dtype=\"float32\", ndim=2)");
    refused(
        Orders.permuteDims(floats(2, 3), 0),
        "permute_dims: expected an order of 2 axes, but got axes=[0]");
    refused(
        Orders.permuteDims(floats(2, 3), 0, -2),
        "permute_dims: the axis -2 is given twice in [0, -2]");
    Tensor data = Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    assertThat(Execution.text(Orders.transpose(ints(2, n)), data))
        .isEqualTo("int64 [3, 2] [1, 4, 2, 5, 3, 6]");
    assertThat(
            Execution.text(
                Orders.transpose(tensor(DType.BFLOAT16, 0, 2)),
                Tensor.zeros(DType.BFLOAT16, Shape.of(0, 2))))
        .isEqualTo("bfloat16 [2, 0] []");
    assertThat(Execution.kernels(Orders.transpose(ints(2, n)))).containsExactly("transpose");
  }

  @Test
  void flipAxes() {
    is(Orders.flip(ofRank(2), -1), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(Orders.flip(unknown(), 8), "R.Tensor");
    refused(
        Orders.flip(floats(2, 3), 2),
        "flip: there is no axis 2 of 2 axes; expected one from -2 to 1");
    refused(
        Orders.flip(floats(2, 3), -3),
        "flip: there is no axis -3 of 2 axes; expected one from -2 to 1");
    Tensor data = Tensor.of(new long[] {1, 2, 3}, Shape.of(3));
    assertThat(Execution.text(Orders.flip(ints(n), -1), data)).isEqualTo("int64 [3] [3, 2, 1]");
  }

  @Test
  void reverseStartsOfLines() {
    Tensor data = Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    Tensor lengths = Tensor.of(new long[] {3, 2}, Shape.of(2));
    assertThat(Execution.text(Orders.reverseSequence(ints(2, n), ints(2), 1, 0), data, lengths))
        .isEqualTo("int64 [2, 3] [3, 2, 1, 5, 4, 6]");
    is(
        Call.of(Orders.REVERSE_SEQUENCE, List.of(someFloats(), ints(2)), Attrs.NONE),
        "R.Tensor(dtype=\"float32\")");
    refused(
        Orders.reverseSequence(floats(2, 3), ints(2), 0, -2),
        "reverse_sequence: seq_axis and batch_axis must be different, but both are 0");
    refused(
        Orders.reverseSequence(floats(2, 3), ints(4), 1, 0),
        "reverse_sequence: the extents of axis 0 and of seq_lengths must be equal, but are 2 and"
            + " 4");
    refused(
        Orders.reverseSequence(floats(2, 3), floats(2), 1, 0),
        "reverse_sequence: the argument seq_lengths must be a tensor of integers, but is"
            + " R.Tensor((2,), dtype=\"float32\")");
  }

  @Test
  void repeatTensorsAndElements() {
    Tensor data = Tensor.of(new long[] {1, 2}, Shape.of(2));
    is(Repeats.tile(floats(2, n), 3), "R.Tensor((2, n * 3), dtype=\"float32\")");
    is(Repeats.tile(floats(n), 2, 1), "R.Tensor((2, n), dtype=\"float32\")");
    is(Repeats.tile(ofRank(1), 2, 3), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(Repeats.tile(unknown(), 2), "R.Tensor");
    is(Repeats.tile(floats(2), 0), "R.Tensor((0,), dtype=\"float32\")");
    is(Repeats.repeat(floats(2, n), 3, -1), "R.Tensor((2, n * 3), dtype=\"float32\")");
    is(Repeats.repeat(ofRank(2), 3, 0), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(Repeats.repeat(unknown(), 3, 0), "R.Tensor");
    Call flat = Call.of(Repeats.REPEAT, List.of(ints(2, n)), Attrs.of("repeats", 2));
    is(flat, "R.Tensor((n * 4,), dtype=\"int64\")");
    is(Call.of(Repeats.REPEAT, List.of(unknown()), Attrs.of("repeats", 2)), "R.Tensor(ndim=1)");
    assertThat(Execution.text(Repeats.tile(ints(n), 2, 2), data))
        .isEqualTo("int64 [2, 4] [1, 2, 1, 2, 1, 2, 1, 2]");
    assertThat(Execution.text(Repeats.repeat(ints(n), 2, 0), data))
        .isEqualTo("int64 [4] [1, 1, 2, 2]");
    assertThat(Execution.text(flat, Tensor.of(new long[] {1, 2}, Shape.of(2, 1))))
        .isEqualTo("int64 [4] [1, 1, 2, 2]");
    refused(Repeats.tile(floats(2), 2, -1), "tile: repeats must not be negative, but is [2, -1]");
    refused(Repeats.repeat(floats(2), -1, 0), "repeat: repeats must not be negative, but is [-1]");
  }
}
