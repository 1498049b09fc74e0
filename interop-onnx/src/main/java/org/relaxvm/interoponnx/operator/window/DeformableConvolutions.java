package org.relaxvm.interoponnx.operator.window;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.nn.DeformableColumns;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.product.Products;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Convolutions whose windows have elements at positions that a tensor gives. */
public final class DeformableConvolutions {
  private DeformableConvolutions() {}

  /** Adds the operator to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("DeformConv", 19, DeformableConvolutions::deformConv);
  }

  /** The elements of all windows as columns, multiplied with the weights of each group. */
  private static List<Operand> deformConv(NodeContext node) {
    Expr x = node.tensor(0);
    Expr weight = node.tensor(1);
    int spatial = Windows.spatial(node, node.rank(x));
    Windows windows = Windows.of(node, node.dims(x), Convolutions.window(node, weight, spatial));
    if (!windows.isConstant(false)) {
      throw node.unsupported("its pads are negative; expected 0 or more", "");
    }
    long offsetGroups = node.attributes().integer("offset_group", 1);
    if (offsetGroups < 1 || offsetGroups > Integer.MAX_VALUE) {
      throw node.unsupported("offset_group is " + offsetGroups + "; expected 1 or more", "");
    }
    Expr offset = node.tensor(2);
    Expr columns =
        node.emit(
            DeformableColumns.deformableColumns(
                x, offset, node.optional(4), windows.options(), (int) offsetGroups));
    Expr product = product(node, weight, columns);
    List<PrimExpr> shape =
        new ArrayList<>(List.of(node.dims(x).getFirst(), node.dims(weight).getFirst()));
    shape.addAll(node.dims(offset).subList(2, 2 + spatial));
    Expr result = Ops.reshape(node.emit(product), new ShapeExpr(shape));
    return node.result(Convolutions.biased(node, result, node.optional(3), spatial));
  }

  /** {@code [n, groups, outputs, positions]} of columns {@code [n, c, taps, out...]}. */
  private static Expr product(NodeContext node, Expr weight, Expr columns) {
    PrimExpr groups = IntImm.of(Convolutions.groups(node));
    List<PrimExpr> dims = node.dims(columns);
    List<PrimExpr> weights = node.dims(weight);
    PrimExpr taps = Exprs.product(weights.subList(1, weights.size()));
    PrimExpr positions = Exprs.product(dims.subList(3, dims.size()));
    PrimExpr outputs = Exprs.floorDiv(weights.getFirst(), groups);
    Expr rows = node.emit(Ops.reshape(weight, shape(node, groups, outputs, taps)));
    Expr each =
        node.emit(Ops.reshape(columns, shape(node, dims.getFirst(), groups, taps, positions)));
    return Products.matmul(node, rows, each);
  }

  private static ShapeExpr shape(NodeContext node, PrimExpr... extents) {
    return new ShapeExpr(List.of(extents).stream().map(node.analyzer()::simplify).toList());
  }
}
