package org.relaxvm.compiler.op.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.of;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.someFloats;
import static org.relaxvm.compiler.op.Rules.unknown;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.tir.expr.Var;

class UnitAxesTest {
  private final Var n = Var.index("n");

  @Test
  void countAxesFromBothEnds() {
    is(UnitAxes.expandDims(floats(2, n), 0), "R.Tensor((1, 2, n), dtype=\"float32\")");
    is(UnitAxes.expandDims(floats(2, n), -1), "R.Tensor((2, n, 1), dtype=\"float32\")");
    is(UnitAxes.expandDims(floats(2, n), -3), "R.Tensor((1, 2, n), dtype=\"float32\")");
    is(UnitAxes.expandDims(floats(2, n), 3, 0), "R.Tensor((1, 2, n, 1), dtype=\"float32\")");
    is(UnitAxes.expandDims(floats(2, n)), "R.Tensor((2, n), dtype=\"float32\")");
    is(UnitAxes.expandDims(floats()), "R.Tensor((), dtype=\"float32\")");
    is(UnitAxes.expandDims(floats(), 0), "R.Tensor((1,), dtype=\"float32\")");
    is(UnitAxes.expandDims(ofRank(2), 0, 1), "R.Tensor(dtype=\"float32\", ndim=4)");
    is(UnitAxes.expandDims(unknown(), 7), "R.Tensor");
  }

  @Test
  void refuseAxesThatThereAreNot() {
    refused(
        UnitAxes.expandDims(floats(2), 2),
        "expand_dims: there is no axis 2 of 2 axes; expected one from -2 to 1");
    refused(
        UnitAxes.expandDims(floats(2), -3),
        "expand_dims: there is no axis -3 of 2 axes; expected one from -2 to 1");
    refused(
        UnitAxes.expandDims(floats(2), 0, -3),
        "expand_dims: the axis -3 is given twice in [0, -3]");
    refused(UnitAxes.squeeze(floats(), 0), "squeeze: there is no axis 0 of 0 axes");
    refused(
        Call.of(UnitAxes.EXPAND_DIMS, floats(2)),
        "expand_dims: the attribute axis must be given: a list of integers");
  }

  @Test
  void takeAxesOfExtentOneAway() {
    is(UnitAxes.squeeze(floats(1, n, 1), 0, -1), "R.Tensor((n,), dtype=\"float32\")");
    is(UnitAxes.squeeze(floats(1, n), 1), "R.Tensor((1,), dtype=\"float32\")");
    is(UnitAxes.squeeze(floats(1, n)), "R.Tensor((1, n), dtype=\"float32\")");
    is(UnitAxes.squeeze(ofRank(3), 0), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(UnitAxes.squeeze(someFloats(), 5), "R.Tensor(dtype=\"float32\")");
    is(UnitAxes.squeezeAll(floats(1, 3, 1)), "R.Tensor((3,), dtype=\"float32\")");
    is(UnitAxes.squeezeAll(floats(1, n)), "R.Tensor(dtype=\"float32\")");
    is(UnitAxes.squeezeAll(ofRank(2)), "R.Tensor(dtype=\"float32\")");
    refused(UnitAxes.squeeze(floats(1, 2), 1), "squeeze: the extent of axis 1 must be 1, but is 2");
  }

  @Test
  void repeatUpToAShape() {
    is(UnitAxes.broadcastTo(floats(1, n), 2, 3, n), "R.Tensor((2, 3, n), dtype=\"float32\")");
    is(UnitAxes.broadcastTo(floats(n), 4), "R.Tensor((4,), dtype=\"float32\")");
    is(UnitAxes.broadcastTo(floats(1), of(ShapeType.ofRank(2))), "R.Tensor(x, dtype=\"float32\")");
    is(UnitAxes.broadcastTo(unknown(), 4, 0), "R.Tensor((4, 0))");
    refused(
        UnitAxes.broadcastTo(floats(2, 3), 2, 4),
        "broadcast_to: cannot repeat the extent 3 of axis 1 up to 4; expected 1 or the same");
    refused(
        UnitAxes.broadcastTo(floats(2, 3), 3),
        "broadcast_to: cannot repeat 2 axes up to 1; x is R.Tensor((2, 3), dtype=\"float32\")");
  }

  @Test
  void keepTheElements() {
    Tensor data = Tensor.of(new long[] {1, 2}, Shape.of(1, 2));
    assertThat(Execution.text(UnitAxes.expandDims(ints(1, n), 1), data))
        .isEqualTo("int64 [1, 1, 2] [1, 2]");
    assertThat(Execution.text(UnitAxes.squeeze(ints(1, n), 0), data)).isEqualTo("int64 [2] [1, 2]");
    assertThat(Execution.text(UnitAxes.squeezeAll(ints(1, 2)), data)).isEqualTo("int64 [2] [1, 2]");
    assertThat(Execution.text(UnitAxes.broadcastTo(ints(1, n), 2, n), data))
        .isEqualTo("int64 [2, 2] [1, 2, 1, 2]");
    assertThat(Execution.kernels(UnitAxes.squeezeAll(ints(1, n)))).isEmpty();
  }
}
