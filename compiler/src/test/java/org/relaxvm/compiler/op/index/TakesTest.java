package org.relaxvm.compiler.op.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.any;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.intsOfRank;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.scalar;
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
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.IndexingOps.Mode;

class TakesTest {
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");

  @Test
  void replaceTheAxisByTheShapeOfIndices() {
    is(Takes.take(floats(2, n, 3), ints(m), 1), "R.Tensor((2, m, 3), dtype=\"float32\")");
    is(Takes.take(floats(2, n, 3), ints(4, 5), -2), "R.Tensor((2, 4, 5, 3), dtype=\"float32\")");
    is(Takes.take(floats(2, n), ints(), 0), "R.Tensor((n,), dtype=\"float32\")");
    is(Takes.take(floats(2, n), PrimValue.of(1), 1), "R.Tensor((2,), dtype=\"float32\")");
    is(Takes.take(floats(2, n), scalar(DType.INT32), 1), "R.Tensor((2,), dtype=\"float32\")");
    is(Takes.take(floats(2, n), ints(0), 0), "R.Tensor((0, n), dtype=\"float32\")");
    is(Takes.take(floats(2, n), intsOfRank(3), 0), "R.Tensor(dtype=\"float32\", ndim=4)");
    is(Takes.take(ofRank(2), ints(2), 0), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(Takes.take(someFloats(), ints(2), 7), "R.Tensor(dtype=\"float32\")");
    is(Takes.take(floats(2), unknown(), 0), "R.Tensor(dtype=\"float32\")");
    is(Call.of(Takes.TAKE, floats(9), ints(2, 3)), "R.Tensor((2, 3), dtype=\"float32\")");
    is(Call.of(Takes.TAKE, someFloats(), ints(2)), "R.Tensor(dtype=\"float32\", ndim=1)");
  }

  @Test
  void refuseWhatCannotBeTaken() {
    refused(
        Takes.take(floats(2), floats(2), 0),
        "take: the argument indices must be integers, but is R.Tensor((2,), dtype=\"float32\")");
    refused(
        Takes.take(floats(2), any(), 0),
        "take: the argument indices must be a tensor or a scalar, but is R.Any");
    refused(
        Takes.take(floats(2), ints(2), 1),
        "take: there is no axis 1 of 1 axis; expected one from -1 to 0");
    refused(
        Call.of(Takes.TAKE, floats(2, 2), ints(2)),
        "take: an axis must be given, for x has 2 axes");
    refused(
        Call.of(Takes.TAKE, floats(), ints(2)),
        "take: the argument x must be a tensor with 1 axis, but is R.Tensor((),"
            + " dtype=\"float32\")");
    refused(
        Call.of(Takes.TAKE, List.of(floats(2), ints(2)), Attrs.of("mode", "raise")),
        "take: there is no mode raise; expected fast, wrap, clip or nan");
    refused(
        Takes.take(ints(2), ints(2), 0, Mode.NAN),
        "take: the argument x must be a tensor of floats, but is R.Tensor((2,), dtype=\"int64\")");
  }

  @Test
  void takeAsTheModeSays() {
    Tensor data = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    Tensor indices = Tensor.of(new long[] {1, 4, -5}, Shape.of(3));
    assertThat(Execution.text(Takes.take(floats(n), ints(m), 0, Mode.WRAP), data, indices))
        .isEqualTo("float32 [3] [2.0, 2.0, 2.0]");
    assertThat(Execution.text(Takes.take(floats(n), ints(m), 0, Mode.CLIP), data, indices))
        .isEqualTo("float32 [3] [2.0, 3.0, 1.0]");
    assertThat(Execution.text(Takes.take(floats(n), ints(m), 0, Mode.NAN), data, indices))
        .isEqualTo("float32 [3] [2.0, NaN, NaN]");
    assertThat(Execution.text(Takes.take(floats(n), PrimValue.of(-1), 0), data))
        .isEqualTo("float32 [] [3.0]");
    assertThat(
            Execution.text(
                Call.of(Takes.TAKE, floats(n), tensor(DType.UINT8, 1, 1)),
                data,
                Tensor.zeros(DType.UINT8, Shape.of(1, 1))))
        .isEqualTo("float32 [1, 1] [1.0]");
    assertThat(Execution.kernels(Takes.take(floats(n), ints(m), 0))).containsExactly("take");
  }

  private static Call gradient(Attrs attrs) {
    return Call.of(Takes.TAKE_BACKWARD, List.of(floats(2, 3), floats(2, 4), ints(3)), attrs);
  }

  @Test
  void gradientsAreAddedWhereSlicesAreFrom() {
    is(gradient(Attrs.of("axis", 1)), "R.Tensor((2, 4), dtype=\"float32\")");
    Tensor slices = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    Tensor x = Tensor.of(new float[8], Shape.of(2, 4));
    Tensor indices = Tensor.of(new long[] {1, 3, 1}, Shape.of(3));
    assertThat(Execution.text(gradient(Attrs.of("axis", 1)), slices, x, indices))
        .isEqualTo("float32 [2, 4] [0.0, 4.0, 0.0, 2.0, 0.0, 10.0, 0.0, 5.0]");
    Tensor outside = Tensor.of(new long[] {-1, 9, 2}, Shape.of(3));
    Attrs clip = Attrs.of("axis", 1).with("mode", "clip");
    assertThat(Execution.text(gradient(clip), slices, x, outside))
        .isEqualTo("float32 [2, 4] [1.0, 0.0, 3.0, 2.0, 4.0, 0.0, 6.0, 5.0]");
    Attrs nan = Attrs.of("axis", 1).with("mode", "nan");
    assertThat(Execution.text(gradient(nan), slices, x, outside))
        .isEqualTo("float32 [2, 4] [0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 6.0, 0.0]");
    refused(
        gradient(Attrs.NONE),
        "grad.take_backward: the argument x must be a tensor with 1 axis, but is R.Tensor((2, 4),"
            + " dtype=\"float32\")");
    refused(
        Call.of(
            Takes.TAKE_BACKWARD,
            List.of(floats(2, 3, 4), floats(2, 4), ints(3)),
            Attrs.of("axis", 1)),
        "grad.take_backward: the argument output_grad must be a tensor with 2 axes, but is"
            + " R.Tensor((2, 3, 4), dtype=\"float32\")");
  }
}
