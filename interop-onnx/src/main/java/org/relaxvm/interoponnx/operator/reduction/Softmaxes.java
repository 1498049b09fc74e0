package org.relaxvm.interoponnx.operator.reduction;

import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.nn.AxisActivations;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Softmax and the like. Before version 13 the tensor counts as a matrix whose columns are all axes
 * from one on; since then the operators go along one axis.
 */
public final class Softmaxes {
  private static final int ONE_AXIS = 13;

  private Softmaxes() {}

  /** A function along an axis. */
  @FunctionalInterface
  private interface AlongAxis {
    Expr apply(NodeContext node, Expr x, int axis);
  }

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Softmax", 1, converter((node, x, axis) -> AxisActivations.softmax(x, axis)))
        .add("LogSoftmax", 1, converter((node, x, axis) -> AxisActivations.logSoftmax(x, axis)))
        .add("Hardmax", 1, converter(Softmaxes::hardmax));
  }

  private static Converter converter(AlongAxis function) {
    return node -> {
      Expr x = node.tensor(0);
      int rank = node.rank(x);
      if (node.version() >= ONE_AXIS) {
        int axis = node.axis(node.attributes().integer("axis", -1), rank);
        return node.result(function.apply(node, x, axis));
      }
      long given = node.attributes().integer("axis", 1);
      int axis = given == rank ? rank : node.axis(given, rank);
      return node.result(
          axis == rank - 1 ? function.apply(node, x, axis) : overColumns(node, x, axis, function));
    };
  }

  private static Expr overColumns(NodeContext node, Expr x, int axis, AlongAxis function) {
    List<PrimExpr> dims = node.dims(x);
    PrimExpr rows = node.analyzer().simplify(Exprs.product(dims.subList(0, axis)));
    PrimExpr columns = node.analyzer().simplify(Exprs.product(dims.subList(axis, dims.size())));
    Expr matrix = node.emit(Ops.reshape(x, new ShapeExpr(List.of(rows, columns))));
    Expr result = node.emit(function.apply(node, matrix, 1));
    return Ops.reshape(result, new ShapeExpr(dims));
  }

  /** 1 where the first of the largest elements is, else 0. */
  private static Expr hardmax(NodeContext node, Expr x, int axis) {
    List<PrimExpr> dims = node.dims(x);
    Expr largest = node.emit(Ops.argmax(x, axis, true));
    Expr line = node.emit(Ops.arange(new PrimValue(dims.get(axis)), DType.INT64));
    List<PrimExpr> shape =
        IntStream.range(0, dims.size())
            .mapToObj(i -> i == axis ? dims.get(i) : IntImm.of(1))
            .toList();
    Expr positions = node.emit(Ops.reshape(line, new ShapeExpr(shape)));
    return Dtypes.cast(node, node.emit(Ops.equal(largest, positions)), node.dtype(x));
  }
}
