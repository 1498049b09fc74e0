package org.relaxvm.compiler.op.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.of;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.onDevice;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.someFloats;
import static org.relaxvm.compiler.op.Rules.unknown;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Var;

class JoinsTest {
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");

  private static Expr concat(int axis, Expr... parts) {
    return Joins.concat(List.of(parts), axis);
  }

  @Test
  void addExtentsAlongTheAxis() {
    is(concat(0, floats(n, 2), floats(m, 2)), "R.Tensor((n + m, 2), dtype=\"float32\")");
    is(concat(-1, floats(2, n), floats(2, 3)), "R.Tensor((2, n + 3), dtype=\"float32\")");
    is(concat(1, floats(n, 1), floats(4, 1)), "R.Tensor((4, 2), dtype=\"float32\")");
    is(concat(0, floats(3)), "R.Tensor((3,), dtype=\"float32\")");
    is(concat(0, floats(0, 2), floats(0, 2)), "R.Tensor((0, 2), dtype=\"float32\")");
    is(concat(1, floats(2, 3), someFloats()), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(concat(1, someFloats(), ofRank(2)), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(concat(7, someFloats(), unknown()), "R.Tensor");
    is(
        Call.of(Joins.CONCAT, Tuple.of(floats(2), floats(n))),
        "R.Tensor((n + 2,), dtype=\"float32\")");
    TensorType vector = TensorType.of(DType.INT8, n);
    is(Joins.concat(of(TupleType.of(vector, vector)), 0), "R.Tensor((n * 2,), dtype=\"int8\")");
  }

  @Test
  void refusePartsThatDoNotFit() {
    refused(
        concat(0, floats(2, 3), floats(2, 4)),
        "concat: the extents of axis 1 must be equal, but are 3 and 4");
    refused(
        concat(0, floats(2, n), floats(2, Exprs.add(n, 1))),
        "concat: the extents of axis 1 must be equal, but are n and n + 1");
    refused(
        concat(0, floats(2), floats(2, 3)),
        "concat: expected one number of axes, but tensors[0] is R.Tensor((2,), dtype=\"float32\")"
            + " and tensors[1] is R.Tensor((2, 3), dtype=\"float32\")");
    refused(
        concat(0, floats(2), ints(2)),
        "concat: expected one dtype, but tensors[0] is float32 and tensors[1] is int64; use"
            + " astype");
    refused(
        concat(2, someFloats(), ofRank(2)),
        "concat: there is no axis 2 of 2 axes; expected one from -2 to 1");
    refused(concat(0), "concat: expected at least one tensor, but got none");
    refused(
        Joins.concat(floats(2), 0),
        "concat: the argument tensors must be a tuple of tensors, but is R.Tensor((2,),"
            + " dtype=\"float32\")");
    refused(
        concat(0, onDevice("cuda"), onDevice("opencl")),
        "concat: expected one virtual device, but tensors[0] lies in cuda:0:global and tensors[1]"
            + " lies in opencl:0:global; use to_vdevice");
  }

  @Test
  void withoutAnAxisAllElementsAreJoined() {
    is(
        Joins.concat(List.of(floats(n, 2), floats(3), floats())),
        "R.Tensor((n * 2 + 4,), dtype=\"float32\")");
    is(Joins.concat(List.of(floats(2, 2), someFloats())), "R.Tensor(dtype=\"float32\", ndim=1)");
    is(Joins.concat(List.of(unknown())), "R.Tensor(ndim=1)");
    refused(
        Joins.concat(List.of(floats(2), ints(2, 2))),
        "concat: expected one dtype, but tensors[0] is float32 and tensors[1] is int64; use"
            + " astype");
    refused(Joins.concat(List.of()), "concat: expected at least one tensor, but got none");
    Tensor a = Tensor.of(new long[] {1, 2, 3, 4}, Shape.of(2, 2));
    Tensor b = Tensor.of(new long[] {5}, Shape.of(1));
    assertThat(Execution.text(Joins.concat(List.of(ints(n, 2), ints(m))), a, b))
        .isEqualTo("int64 [5] [1, 2, 3, 4, 5]");
  }

  @Test
  void stackAlongANewAxis() {
    List<RelaxVar> parts = List.of(floats(2, n), floats(2, n));
    is(Joins.stack(parts, 0), "R.Tensor((2, 2, n), dtype=\"float32\")");
    is(Joins.stack(parts, -1), "R.Tensor((2, n, 2), dtype=\"float32\")");
    is(Joins.stack(List.of(ofRank(1), floats(3)), 0), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(Joins.stack(List.of(someFloats()), 0), "R.Tensor(dtype=\"float32\")");
    refused(
        Joins.stack(List.of(floats(2), floats(3)), 0),
        "stack: the extents of axis 0 must be equal, but are 2 and 3");
    refused(
        Joins.stack(parts, 3), "stack: there is no axis 3 of 3 axes; expected one from -3 to 2");
  }

  @Test
  void makeGrids() {
    is(
        Joins.meshgrid(List.of(floats(2), floats(n))),
        "R.Tuple(R.Tensor((2, n), dtype=\"float32\"), R.Tensor((2, n), dtype=\"float32\"))");
    is(
        Joins.meshgrid(List.of(floats(2), someFloats())),
        "R.Tuple(R.Tensor(dtype=\"float32\", ndim=2), R.Tensor(dtype=\"float32\", ndim=2))");
    refused(
        Joins.meshgrid(List.of(floats(2, 2))),
        "meshgrid: the argument tensors must be a tuple of tensors with 1 axis, but is"
            + " R.Tuple(R.Tensor((2, 2), dtype=\"float32\"))");
    refused(
        Call.of(Joins.MESHGRID, List.of(Tuple.of(floats(2))), Attrs.of("indexing", "yx")),
        "meshgrid: the indexing must be ij or xy, but is yx");
  }

  @Test
  void gridsOfCoordinatesExchangeTheFirstTwoAxes() {
    is(
        Joins.meshgrid(List.of(floats(2), floats(n), floats(3)), "xy"),
        "R.Tuple("
            + String.join(", ", Collections.nCopies(3, "R.Tensor((n, 2, 3), dtype=\"float32\")"))
            + ")");
    is(Joins.meshgrid(List.of(floats(2)), "xy"), "R.Tuple(R.Tensor((2,), dtype=\"float32\"))");
    is(
        Joins.meshgrid(List.of(floats(2), someFloats()), "xy"),
        "R.Tuple(R.Tensor(dtype=\"float32\", ndim=2), R.Tensor(dtype=\"float32\", ndim=2))");
    Tensor a = Tensor.of(new long[] {1, 2}, Shape.of(2));
    Tensor b = Tensor.of(new long[] {3, 4, 5}, Shape.of(3));
    assertThat(Execution.text(Joins.meshgrid(List.of(ints(n), ints(m)), "xy"), a, b))
        .isEqualTo("[int64 [3, 2] [1, 2, 1, 2, 1, 2], int64 [3, 2] [3, 3, 4, 4, 5, 5]]");
  }

  @Test
  void keepTheElements() {
    Tensor a = Tensor.of(new long[] {1, 2}, Shape.of(2));
    Tensor b = Tensor.of(new long[] {3}, Shape.of(1));
    assertThat(Execution.text(concat(0, ints(n), ints(m)), a, b)).isEqualTo("int64 [3] [1, 2, 3]");
    assertThat(
            Execution.text(concat(0, ints(n), ints(m)), Tensor.zeros(DType.INT64, Shape.of(0)), b))
        .isEqualTo("int64 [1] [3]");
    assertThat(Execution.text(Joins.stack(List.of(ints(n), ints(n)), 1), a, a))
        .isEqualTo("int64 [2, 2] [1, 1, 2, 2]");
    assertThat(Execution.text(Joins.meshgrid(List.of(ints(n), ints(m))), a, b))
        .isEqualTo("[int64 [2, 1] [1, 2], int64 [2, 1] [3, 3]]");
    assertThat(Execution.kernels(concat(0, ints(n), ints(m)))).containsExactly("concatenate");
  }
}
