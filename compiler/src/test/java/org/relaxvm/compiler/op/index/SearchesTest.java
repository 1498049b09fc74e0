package org.relaxvm.compiler.op.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.of;
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
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Var;

class SearchesTest {
  private final Var n = Var.index("n");

  @Test
  void chooseElements() {
    Tensor data = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    is(
        Searches.where(tensor(DType.BOOL, 2, 1), floats(n), floats()),
        "R.Tensor((2, n), dtype=\"float32\")");
    is(Searches.where(unknown(), floats(3), ofRank(2)), "R.Tensor(dtype=\"float32\")");
    is(Searches.where(tensor(DType.BOOL, 4), ofRank(2), unknown()), "R.Tensor");
    assertThat(
            Execution.text(
                Searches.where(tensor(DType.BOOL, n), floats(n), floats()),
                Tensor.of(new boolean[] {true, false, true}, Shape.of(3)),
                data,
                Tensor.scalar(9f)))
        .isEqualTo("float32 [3] [1.0, 9.0, 3.0]");
    refused(
        Searches.where(ints(3), floats(3), floats(3)),
        "where: the argument condition must be a tensor of booleans, but is R.Tensor((3,),"
            + " dtype=\"int64\")");
    refused(
        Searches.where(tensor(DType.BOOL, 3), floats(3), ints(3)),
        "where: expected one dtype, but x1 is float32 and x2 is int64; use astype");
  }

  @Test
  void countBoundariesBelow() {
    is(
        Searches.bucketize(floats(2, n), floats(4), true, false),
        "R.Tensor((2, n), dtype=\"int32\")");
    is(Searches.bucketize(someFloats(), ofRank(1), false, false), "R.Tensor(dtype=\"int64\")");
    Tensor x = Tensor.of(new float[] {1, 2, 9}, Shape.of(3));
    Tensor edges = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    assertThat(Execution.text(Searches.bucketize(floats(n), floats(3), false, false), x, edges))
        .isEqualTo("int64 [3] [0, 1, 3]");
    assertThat(Execution.text(Searches.bucketize(floats(n), floats(3), true, true), x, edges))
        .isEqualTo("int32 [3] [1, 2, 3]");
    refused(
        Searches.bucketize(floats(3), floats(3, 1), true, false),
        "bucketize: the argument boundaries must be a tensor with 1 axis, but is R.Tensor((3, 1),"
            + " dtype=\"float32\")");
  }

  private static List<String> bindings(Expr expr) {
    return Execution.legalize(expr)
        .relaxFunctions()
        .firstEntry()
        .getValue()
        .body()
        .bindings()
        .map(Object::toString)
        .toList();
  }

  @Test
  void leaveTheLengthOfTheResultToTheData() {
    is(DataDependent.nonzero(floats(2, n)), "R.Tensor(dtype=\"int64\", ndim=2)");
    assertThat(bindings(DataDependent.nonzero(someFloats())))
        .containsExactly("gv = R.call_pure_packed(R.ExternFunc(\"relax.run.nonzero\"), x)");
    is(
        DataDependent.unique(floats(2, n), false, false, false),
        "R.Tensor(dtype=\"float32\", ndim=1)");
    is(
        DataDependent.unique(floats(2, n), true, false, true, -1),
        "R.Tuple(R.Tensor(dtype=\"float32\", ndim=2), R.Tensor(dtype=\"int64\", ndim=1),"
            + " R.Tensor(dtype=\"int64\", ndim=1))");
    assertThat(bindings(DataDependent.unique(floats(2), false, true, false, 0)))
        .containsExactly(
            "gv = R.call_pure_packed(R.ExternFunc(\"relax.run.unique\"), x,"
                + " R.prim_value(True), R.prim_value(False), R.prim_value(True),"
                + " R.prim_value(False), R.prim_value(0))");
    refused(
        DataDependent.unique(floats(2), true, false, false, 1),
        "unique: there is no axis 1 of 1 axis; expected one from -1 to 0");
    refused(
        Call.of(
            DataDependent.UNIQUE,
            floats(2),
            PrimValue.of(true),
            scalar(DType.BOOL),
            PrimValue.of(true),
            PrimValue.of(true)),
        "unique: the argument return_index must be a constant boolean, but is"
            + " R.Prim(\"bool\")");
    refused(
        DataDependent.nonzero(scalar(DType.INT64)),
        "nonzero: the argument x must be a tensor, but is R.Prim(\"int64\")");
  }

  @Test
  void leaveCallsWhoseArgumentsAreNotKnown() {
    assertThat(bindings(Searches.where(of(TensorType.ofRank(DType.BOOL, 1)), floats(2), floats(2))))
        .containsExactly("gv = R.where(x, x, x)");
  }
}
