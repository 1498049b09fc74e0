package org.relaxvm.interoponnx.operator.reduction;

import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;

/** The indices of largest and smallest elements. */
public final class Extremes {
  private Extremes() {}

  /** The index of an element along an axis: the first one of equals. */
  @FunctionalInterface
  private interface Index {
    Expr of(Expr x, int axis, boolean keepDims);
  }

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("ArgMax", 1, converter(Reductions::argmax))
        .add("ArgMin", 1, converter(Reductions::argmin));
  }

  /** The last one of equals is the first one of the reversed axis. */
  private static Converter converter(Index index) {
    return node -> {
      Expr x = node.tensor(0);
      int axis = node.axis(node.attributes().integer("axis", 0), node.rank(x));
      boolean keepDims = node.attributes().flag("keepdims", true);
      if (!node.attributes().flag("select_last_index", false)) {
        return node.result(index.of(x, axis, keepDims));
      }
      Expr first = node.emit(index.of(node.emit(Orders.flip(x, axis)), axis, keepDims));
      PrimExpr last = node.analyzer().simplify(Exprs.sub(node.dims(x).get(axis), 1));
      return node.result(Ops.subtract(new PrimValue(last), first));
    };
  }
}
