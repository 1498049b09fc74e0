package org.relaxvm.compiler.op.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.of;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.someFloats;
import static org.relaxvm.compiler.op.Rules.tensor;
import static org.relaxvm.compiler.op.Rules.unknown;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Var;

class ReshapesTest {
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");

  @Test
  void giveTheShapeThatIsAskedFor() {
    is(Reshapes.reshape(floats(2, 3), 6), "R.Tensor((6,), dtype=\"float32\")");
    is(Reshapes.reshape(floats(1), new Object[0]), "R.Tensor((), dtype=\"float32\")");
    is(Reshapes.reshape(floats(n, 4), Exprs.mul(n, 4)), "R.Tensor((n * 4,), dtype=\"float32\")");
    is(Reshapes.reshape(floats(n), m), "R.Tensor((m,), dtype=\"float32\")");
    is(Reshapes.reshape(unknown(), n, 2), "R.Tensor((n, 2))");
    is(Reshapes.reshape(floats(2, 3), of(ShapeType.ofRank(3))), "R.Tensor(x, dtype=\"float32\")");
    is(
        Reshapes.reshape(floats(2), of(ShapeType.of(TensorType.of(DType.INT8, n).dims().get()))),
        "R.Tensor((n,), dtype=\"float32\")");
  }

  @Test
  void fillInTheExtentThatIsLeft() {
    is(Reshapes.reshape(floats(2, 6), 3, -1), "R.Tensor((3, 4), dtype=\"float32\")");
    is(Reshapes.reshape(floats(n, 3, 4), n, -1), "R.Tensor((n, 12), dtype=\"float32\")");
    is(Reshapes.reshape(floats(n, 3, 4), -1, 2, 6), "R.Tensor((n, 2, 6), dtype=\"float32\")");
    is(Reshapes.reshape(floats(n, m), -1), "R.Tensor((n * m,), dtype=\"float32\")");
    is(Reshapes.reshape(floats(n, m), -1, 4), "R.Tensor((n * m // 4, 4), dtype=\"float32\")");
    is(Reshapes.reshape(floats(), -1), "R.Tensor((1,), dtype=\"float32\")");
    is(Reshapes.reshape(floats(0, 3), -1, 3), "R.Tensor((0, 3), dtype=\"float32\")");
  }

  @Test
  void copyExtentsWhereZeroStands() {
    is(Reshapes.reshape(floats(n, 6), 0, 2, 3), "R.Tensor((n, 2, 3), dtype=\"float32\")");
    is(Reshapes.reshape(floats(n, m, 6), 0, -1), "R.Tensor((n, m * 6), dtype=\"float32\")");
    is(Reshapes.reshape(floats(4, 0), 0), "R.Tensor((0,), dtype=\"float32\")");
    is(Reshapes.reshape(floats(4, 0), 2, 0, 7), "R.Tensor((2, 0, 7), dtype=\"float32\")");
  }

  @Test
  void haveCompleteShapesInNormalForm() {
    RelaxVar x = floats(n, 6);
    BlockBuilder builder = new BlockBuilder();
    builder.beginFunction("main", List.of(x));
    builder.beginBlock(false);
    Call open = Reshapes.reshape(x, 0, -1, 2);
    assertThat(builder.normalize(open)).hasToString("R.reshape(x, R.shape([n, 3, 2]))");
    RelaxVar shape = builder.emit(ShapeExpr.of(-1));
    assertThat(builder.normalize(Reshapes.reshape(x, shape)))
        .hasToString("R.reshape(x, R.shape([n * 6]))");
    Call complete = Reshapes.reshape(x, 6, n);
    assertThat(builder.normalize(complete)).hasToString("R.reshape(x, R.shape([6, n]))");
  }

  @Test
  void refuseShapesThatCannotBe() {
    refused(
        Reshapes.reshape(floats(2, 3), 5), "reshape: x has 6 elements, but the shape (5,) has 5");
    refused(
        Reshapes.reshape(floats(n, 2), Exprs.add(Exprs.mul(n, 2), 1)),
        "reshape: x has n * 2 elements, but the shape (n * 2 + 1,) has n * 2 + 1");
    refused(
        Reshapes.reshape(floats(2, 3), -1, -1),
        "reshape: extents must not be negative, but for one that is -1; got (-1, -1)");
    refused(
        Reshapes.reshape(floats(2, 3), -2, 3),
        "reshape: extents must not be negative, but for one that is -1; got (-2, 3)");
    refused(
        Reshapes.reshape(floats(2, 3), -1, 4),
        "reshape: no extent instead of -1 gives the shape (-1, 4) as many elements as x has:"
            + " (2, 3)");
    refused(
        Reshapes.reshape(floats(0, 3), -1, 0),
        "reshape: no extent instead of -1 gives the shape (-1, 0) as many elements as x has:"
            + " (0, 3)");
    refused(
        Reshapes.reshape(floats(2, 3), 6, 1, 0),
        "reshape: the extent 0 at axis 2 stands for that of x, which has no such axis: (2, 3)");
    refused(
        Reshapes.reshape(ofRank(2), -1),
        "reshape: the extent -1 stands for what is left, but the shape of x is not known; say what"
            + " it is with match_cast, or give the extent");
    refused(
        Call.of(Reshapes.RESHAPE, floats(2), floats(2)),
        "reshape: the argument shape must be a shape, but is R.Tensor((2,), dtype=\"float32\")");
  }

  @Test
  void flatten() {
    RelaxVar shaped = of(TensorType.of(Optional.empty(), new RelaxVar("s", ShapeType.ofRank(1))));
    is(Reshapes.flatten(floats(2, n, 3)), "R.Tensor((n * 6,), dtype=\"float32\")");
    is(Reshapes.flatten(floats()), "R.Tensor((1,), dtype=\"float32\")");
    is(Reshapes.flatten(shaped), "R.Tensor(s)");
    is(Reshapes.flatten(someFloats()), "R.Tensor(dtype=\"float32\", ndim=1)");
    is(Reshapes.flatten(ofRank(0)), "R.Tensor(dtype=\"float32\", ndim=1)");
  }

  @Test
  void keepTheElements() {
    Tensor data = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    assertThat(Execution.text(Reshapes.reshape(floats(n, 3), -1, n), data))
        .isEqualTo("float32 [3, 2] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]");
    assertThat(Execution.text(Reshapes.flatten(floats(n, m)), data))
        .isEqualTo("float32 [6] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]");
    assertThat(
            Execution.text(
                Reshapes.reshape(tensor(DType.BOOL, n, 3), 3, n),
                Tensor.zeros(DType.BOOL, Shape.of(0, 3))))
        .isEqualTo("bool [3, 0] []");
    assertThat(Execution.kernels(Reshapes.flatten(floats(2, 2)))).containsExactly("reshape");
  }
}
