package org.relaxvm.compiler.op.create;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.intsOfRank;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.of;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.scalar;
import static org.relaxvm.compiler.op.Rules.tensor;
import static org.relaxvm.compiler.op.Rules.unknown;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Var;

class CreationTest {
  private final Var n = Var.index("n");

  private static PrimValue number(long value) {
    return PrimValue.of(value);
  }

  private static PrimValue real(double value) {
    return PrimValue.of(value);
  }

  @Test
  void fillShapes() {
    Constant half = new Constant(Tensor.scalar(0.5f));
    is(Fills.ones(ShapeExpr.of(2, n), DType.INT32), "R.Tensor((2, n), dtype=\"int32\")");
    is(Fills.full(ShapeExpr.of(), floats()), "R.Tensor((), dtype=\"float32\")");
    is(Fills.full(of(ShapeType.ofRank(2)), floats()), "R.Tensor(x, dtype=\"float32\")");
    is(Fills.full(ShapeExpr.of(3), unknown()), "R.Tensor((3,))");
    is(Fills.full(ShapeExpr.of(3), unknown(), DType.INT8), "R.Tensor((3,), dtype=\"int8\")");
    is(Fills.fullLike(ofRank(2), ints()), "R.Tensor(dtype=\"int64\", ndim=2)");
    is(Fills.zerosLike(ints(0, n)), "R.Tensor((0, n), dtype=\"int64\")");
    is(
        Call.of(Fills.ONES_LIKE, List.of(ints(3)), Attrs.of("dtype", "void")),
        "R.Tensor((3,), dtype=\"int64\")");
    assertThat(Execution.text(Fills.full(ShapeExpr.of(2), half)))
        .isEqualTo("float32 [2] [0.5, 0.5]");
    assertThat(Execution.text(Fills.full(ShapeExpr.of(2), half, DType.INT64)))
        .isEqualTo("int64 [2] [0, 0]");
    assertThat(
            Execution.text(
                Fills.fullLike(floats(n), ints()),
                Tensor.zeros(DType.FLOAT32, Shape.of(2)),
                Tensor.scalar(7L)))
        .isEqualTo("int64 [2] [7, 7]");
    for (DType dtype :
        List.of(DType.FLOAT16, DType.BFLOAT16, DType.INT8, DType.UINT8, DType.BOOL)) {
      assertThat(Execution.text(Fills.ones(ShapeExpr.of(1), dtype)))
          .isEqualTo(dtype + (dtype.isFloat() ? " [1] [1.0]" : " [1] [1]"));
    }
    assertThat(Execution.text(Fills.zeros(ShapeExpr.of(0, 2), DType.INT32)))
        .isEqualTo("int32 [0, 2] []");
    assertThat(Execution.kernels(Fills.onesLike(floats(2)))).containsExactly("ones");
    assertThat(Execution.kernels(Fills.zeros(ShapeExpr.of(n), DType.INT8)))
        .containsExactly("zeros");
  }

  @Test
  void fillRefusesWhatIsNoShapeOrNoSingleElement() {
    refused(
        Fills.ones(ints(2), DType.INT32),
        "ones: the argument shape must be a shape, but is R.Tensor((2,), dtype=\"int64\")");
    refused(
        Fills.full(ShapeExpr.of(2), floats(1)),
        "full: the argument fill_value must be a tensor with 0 axes, but is R.Tensor((1,),"
            + " dtype=\"float32\")");
    refused(
        Call.of(Fills.ZEROS, ShapeExpr.of(2)), "zeros: the attribute dtype must be given: a dtype");
  }

  private Expr range(PrimValue start, PrimValue end, PrimValue step) {
    return Ranges.arange(start, end, step, DType.INT64);
  }

  @Test
  void countInSteps() {
    is(range(number(0), number(10), number(3)), "R.Tensor((4,), dtype=\"int64\")");
    is(range(number(5), number(0), number(-1)), "R.Tensor((5,), dtype=\"int64\")");
    is(range(number(5), number(0), number(1)), "R.Tensor((0,), dtype=\"int64\")");
    is(
        Arithmetic.add(ints(n), range(number(0), new PrimValue(n), number(1))),
        "R.Tensor((n,), dtype=\"int64\")");
    is(range(number(0), real(2.1), real(0.5)), "R.Tensor((5,), dtype=\"int64\")");
    is(
        Ranges.arange(number(0), scalar(DType.INT64), number(1), DType.INT64),
        "R.Tensor(dtype=\"int64\", ndim=1)");
    assertThat(Execution.text(range(number(5), number(0), number(-2))))
        .isEqualTo("int64 [3] [5, 3, 1]");
    assertThat(Execution.text(Ranges.arange(number(0), real(1), real(0.25), DType.FLOAT32)))
        .isEqualTo("float32 [4] [0.0, 0.25, 0.5, 0.75]");
    RelaxVar x = ints(n);
    Expr counted = range(number(0), new PrimValue(Exprs.mul(n, 1)), number(1));
    assertThat(
            Execution.text(Arithmetic.add(x, counted), Tensor.of(new long[] {7, 7}, Shape.of(2))))
        .isEqualTo("int64 [2] [7, 8]");
    assertThat(Execution.text(range(number(1), number(1), number(1)))).isEqualTo("int64 [0] []");
  }

  @Test
  void refuseStepsOfUnknownSign() {
    refused(
        range(number(0), number(9), number(0)),
        "arange: the step must be a constant that is not 0, but is 0");
    refused(
        range(number(0), number(9), new PrimValue(n)),
        "arange: the step must be a constant that is not 0, but is n");
    refused(
        Ranges.arange(floats(), number(9), number(1), DType.INT64),
        "arange: the argument start must be a scalar, but is R.Tensor((), dtype=\"float32\")");
  }

  @Test
  void makeWindows() {
    Expr window = Ranges.hammingWindow(number(3), false, 0.5, 0.5, DType.FLOAT32);
    assertThat(Execution.text(window)).isEqualTo("float32 [3] [0.0, 1.0, 0.0]");
    is(
        Ranges.hammingWindow(scalar(DType.INT64), true, 0.5, 0.5, DType.FLOAT32),
        "R.Tensor(dtype=\"float32\", ndim=1)");
    refused(
        Ranges.hammingWindow(number(3), true, 0.5, 0.5, DType.INT32),
        "hamming_window: the dtype must be one of floats, but is int32");
    refused(
        Ranges.hammingWindow(real(3), true, 0.5, 0.5, DType.FLOAT32),
        "hamming_window: the argument window_size must be an integer, but is R.Prim(\"float64\")");
    Expr open =
        Call.of(
            Ranges.HAMMING_WINDOW,
            List.of(number(3), number(1), scalar(DType.FLOAT64), real(1)),
            Attrs.of("dtype", DType.FLOAT32));
    assertThat(Execution.kernels(open)).isEmpty();
  }

  @Test
  void makeDiagonals() {
    is(
        Matrices.eye(new PrimValue(n), number(3), number(0), DType.INT8),
        "R.Tensor((n, 3), dtype=\"int8\")");
    is(
        Matrices.eye(scalar(DType.INT64), number(3), number(0), DType.INT8),
        "R.Tensor(dtype=\"int8\", ndim=2)");
    is(Matrices.eyeLike(unknown(), 0), "R.Tensor(ndim=2)");
    is(Matrices.eyeLike(ints(n, 2), 0), "R.Tensor((n, 2), dtype=\"int64\")");
    assertThat(Execution.text(Matrices.eye(number(2), number(3), number(1), DType.INT64)))
        .isEqualTo("int64 [2, 3] [0, 1, 0, 0, 0, 1]");
    assertThat(
            Execution.text(
                Matrices.eyeLike(tensor(DType.BOOL, 2, n), -1),
                Tensor.zeros(DType.BOOL, Shape.of(2, 2))))
        .isEqualTo("bool [2, 2] [0, 0, 1, 0]");
    refused(
        Matrices.eyeLike(floats(2), 0),
        "eye_like: the argument x must be a tensor with 2 axes, but is R.Tensor((2,),"
            + " dtype=\"float32\")");
  }

  @Test
  void keepTriangles() {
    RelaxVar x = ints(2, n);
    Tensor data = Tensor.of(new long[] {1, 2, 3, 4}, Shape.of(2, 2));
    is(Matrices.tril(ofRank(3), 0), "R.Tensor(dtype=\"float32\", ndim=3)");
    assertThat(Execution.text(Matrices.tril(x, 0), data)).isEqualTo("int64 [2, 2] [1, 0, 3, 4]");
    assertThat(Execution.text(Matrices.triu(x, 1), data)).isEqualTo("int64 [2, 2] [0, 2, 0, 0]");
    assertThat(Execution.text(Call.of(Matrices.TRIU, x), data))
        .isEqualTo("int64 [2, 2] [1, 2, 0, 4]");
    refused(
        Matrices.tril(floats(2), 0),
        "tril: the argument x must be a tensor with 2 axes or more, but is R.Tensor((2,),"
            + " dtype=\"float32\")");
  }

  @Test
  void markIndices() {
    PrimValue on = new PrimValue(new FloatImm(DType.FLOAT32, 5));
    PrimValue off = new PrimValue(new FloatImm(DType.FLOAT32, 1));
    is(Matrices.oneHot(ints(2, n), on, off, 3, -1), "R.Tensor((2, n, 3), dtype=\"float32\")");
    is(Matrices.oneHot(ints(2, n), on, off, 3, 0), "R.Tensor((3, 2, n), dtype=\"float32\")");
    is(Matrices.oneHot(intsOfRank(2), on, off, 3, 0), "R.Tensor(dtype=\"float32\", ndim=3)");
    is(Matrices.oneHot(unknown(), on, off, 3, 9), "R.Tensor(dtype=\"float32\")");
    Tensor indices = Tensor.of(new long[] {1, 7}, Shape.of(2));
    assertThat(Execution.text(Matrices.oneHot(ints(n), on, off, 2, -1), indices))
        .isEqualTo("float32 [2, 2] [1.0, 5.0, 1.0, 1.0]");
    refused(
        Matrices.oneHot(ints(2), on, number(0), 3, 0),
        "one_hot: expected one dtype, but on_value is float32 and off_value is int64");
    refused(
        Matrices.oneHot(ints(2), on, off, -3, 0),
        "one_hot: the depth must not be negative, but is -3");
    refused(
        Matrices.oneHot(ints(2), on, off, 3, 2),
        "one_hot: there is no axis 2 of 2 axes; expected one from -2 to 1");
    refused(
        Matrices.oneHot(floats(2), on, off, 3, 0),
        "one_hot: the argument indices must be a tensor of integers, but is R.Tensor((2,),"
            + " dtype=\"float32\")");
  }
}
