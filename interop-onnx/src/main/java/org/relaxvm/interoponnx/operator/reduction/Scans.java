package org.relaxvm.interoponnx.operator.reduction;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.known.KnownReductions;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Sums and products of all elements up to each one. */
public final class Scans {
  private Scans() {}

  /** A scan along an axis. */
  @FunctionalInterface
  private interface Scan {
    Expr apply(Expr x, int axis, boolean exclusive);
  }

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add(
            "CumSum",
            11,
            converter(org.relaxvm.compiler.op.reduce.Scans::cumsum),
            KnownReductions::cumsum)
        .add("CumProd", 26, converter(org.relaxvm.compiler.op.reduce.Scans::cumprod));
  }

  private static Converter converter(Scan scan) {
    return node -> {
      Expr x = node.tensor(0);
      int rank = node.rank(x);
      Optional<Long> axis = node.integers(1).filter(axes -> axes.size() == 1).map(List::getFirst);
      if (rank == 1) {
        return node.result(scan(node, scan, x, 0));
      }
      return node.result(
          axis.isPresent()
              ? scan(node, scan, x, node.axis(axis.get(), rank))
              : alongUnknownAxis(node, scan, x));
    };
  }

  private static Expr scan(NodeContext node, Scan scan, Expr x, int axis) {
    boolean isReversed = node.attributes().flag("reverse", false);
    Expr source = isReversed ? node.emit(Orders.flip(x, axis)) : x;
    boolean isExclusive = node.attributes().flag("exclusive", false);
    Expr result = node.emit(scan.apply(source, axis, isExclusive));
    return isReversed ? Orders.flip(result, axis) : result;
  }

  /**
   * Whatever the axis is, the tensor has the same elements in the same order as one of three axes:
   * the extents before the axis, its own, and those after it.
   */
  private static Expr alongUnknownAxis(NodeContext node, Scan scan, Expr x) {
    List<PrimExpr> dims = node.dims(x);
    PrimExpr axis = fromStart(node, dims.size());
    PrimExpr before = IntImm.of(1);
    // There are no elements where there is no such axis, which is found when they are read.
    PrimExpr own = IntImm.of(0);
    PrimExpr after = IntImm.of(1);
    for (int i = 0; i < dims.size(); i++) {
      PrimExpr number = IntImm.of(i);
      PrimExpr extent = dims.get(i);
      before = Exprs.mul(before, where(Exprs.lt(number, axis), extent, 1));
      own = Exprs.add(own, where(Exprs.eq(number, axis), extent, 0));
      after = Exprs.mul(after, where(Exprs.lt(axis, number), extent, 1));
    }
    Expr three = node.emit(Ops.reshape(x, new ShapeExpr(List.of(before, own, after))));
    List<PrimExpr> symbols =
        List.of(node.symbol("before"), node.symbol("axis"), node.symbol("after"));
    Expr plain = node.matchCast(three, node.type(three).withDims(symbols));
    Expr result = node.emit(scan(node, scan, plain, 1));
    return Ops.reshape(result, new ShapeExpr(dims));
  }

  /** The axis, counted from the start by the program. */
  private static PrimExpr fromStart(NodeContext node, int rank) {
    Expr given = node.tensor(1);
    Expr isNegative = node.emit(Ops.less(given, Dtypes.number(node, given, 0)));
    Expr fromEnd = node.emit(Ops.add(given, Dtypes.number(node, given, rank)));
    List<PrimExpr> axes = node.extents(node.operandOf(Ops.where(isNegative, fromEnd, given)));
    if (axes.size() != 1) {
      throw node.unsupported("it has " + axes.size() + " axes; expected 1", "");
    }
    return axes.getFirst();
  }

  private static PrimExpr where(PrimExpr condition, PrimExpr extent, long otherwise) {
    return Exprs.select(condition, extent, IntImm.of(otherwise));
  }
}
