package org.relaxvm.interoponnx.operator.reduction;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.known.KnownReductions;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Reductions. What comes before and after one is applied also where {@code noop_with_empty_axes}
 * leaves no axis. Sums of powers and exponentials are computed in float32 or more, of integers in
 * float64.
 */
public final class AxisReductions {
  private AxisReductions() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("ReduceSum", 1, plain(Reductions::sum), KnownReductions::sum)
        .add("ReduceProd", 1, plain(Reductions::prod), KnownReductions::prod)
        .add("ReduceMax", 1, extreme(Reductions::max), KnownReductions::max)
        .add("ReduceMin", 1, extreme(Reductions::min), KnownReductions::min)
        .add("ReduceMean", 1, AxisReductions::mean)
        .add("ReduceL1", 1, AxisReductions::sumOfSizes)
        .add("ReduceL2", 1, AxisReductions::rootOfSquares)
        .add("ReduceSumSquare", 1, AxisReductions::sumOfSquares)
        .add("ReduceLogSum", 1, AxisReductions::logOfSum)
        .add("ReduceLogSumExp", 1, AxisReductions::logOfSumOfExponentials);
  }

  private static ReducedAxes axes(NodeContext node, Expr x) {
    return ReducedAxes.of(node, node.rank(x));
  }

  private static Converter plain(ReducedAxes.Reduction reduction) {
    return node -> {
      Expr x = node.tensor(0);
      return node.result(axes(node, x).reduce(node, x, reduction));
    };
  }

  /** Booleans are 0 and 1 here. */
  private static Converter extreme(ReducedAxes.Reduction reduction) {
    return node -> {
      Expr x = node.tensor(0);
      DType dtype = node.dtype(x);
      Expr numbers = dtype.equals(DType.BOOL) ? Dtypes.cast(node, x, DType.UINT8) : x;
      return node.result(Dtypes.cast(node, axes(node, x).reduce(node, numbers, reduction), dtype));
    };
  }

  /** Quotients of integers are rounded towards 0. */
  private static List<Operand> mean(NodeContext node) {
    Expr x = node.tensor(0);
    ReducedAxes reduced = axes(node, x);
    if (node.dtype(x).isFloat()) {
      return node.result(reduced.reduce(node, x, Reductions::mean));
    }
    Expr sum = reduced.reduce(node, x, Reductions::sum);
    List<PrimExpr> dims = node.dims(x);
    PrimExpr count = Exprs.product(reduced.axes().stream().map(dims::get).toList());
    return node.result(Ops.divide(sum, Dtypes.number(node, sum, node.analyzer().simplify(count))));
  }

  private static List<Operand> sumOfSizes(NodeContext node) {
    Expr x = node.tensor(0);
    Expr sizes = node.dtype(x).code() == TypeCode.UINT ? x : node.emit(Ops.abs(x));
    return node.result(axes(node, x).reduce(node, sizes, Reductions::sum));
  }

  private static List<Operand> rootOfSquares(NodeContext node) {
    Expr x = node.tensor(0);
    Expr squares = node.emit(Ops.square(Dtypes.widened(node, x)));
    Expr sum = axes(node, x).reduce(node, squares, Reductions::sum);
    return node.result(Dtypes.cast(node, node.emit(Ops.sqrt(sum)), node.dtype(x)));
  }

  private static List<Operand> sumOfSquares(NodeContext node) {
    Expr x = node.tensor(0);
    DType dtype = node.dtype(x);
    Expr squares = node.emit(Ops.square(dtype.isFloat() ? Dtypes.widened(node, x) : x));
    return node.result(
        Dtypes.cast(node, axes(node, x).reduce(node, squares, Reductions::sum), dtype));
  }

  private static List<Operand> logOfSum(NodeContext node) {
    Expr x = node.tensor(0);
    Expr sum = axes(node, x).reduce(node, Dtypes.widened(node, x), Reductions::sum);
    return node.result(Dtypes.cast(node, node.emit(Ops.log(sum)), node.dtype(x)));
  }

  /** The exponents are shifted by the largest element, where that is finite. */
  private static List<Operand> logOfSumOfExponentials(NodeContext node) {
    Expr x = node.tensor(0);
    ReducedAxes reduced = axes(node, x);
    if (reduced.axes().isEmpty()) {
      return node.result(x);
    }
    Expr wide = Dtypes.widened(node, x);
    Expr largest = node.emit(Ops.max(wide, reduced.axes(), true));
    Expr zero = node.scalar(node.dtype(wide), 0);
    Expr shift = node.emit(Ops.where(node.emit(Functions.isFinite(largest)), largest, zero));
    Expr powers = node.emit(Ops.exp(node.emit(Ops.subtract(wide, shift))));
    Expr sum = node.emit(Ops.sum(powers, reduced.axes(), true));
    Expr log = node.emit(Ops.add(node.emit(Ops.log(sum)), shift));
    Expr result =
        reduced.keepDims()
            ? log
            : node.emit(Ops.squeeze(log, reduced.axes().toArray(new Integer[0])));
    return node.result(Dtypes.cast(node, result, node.dtype(x)));
  }
}
