package org.relaxvm.interoponnx.operator.window;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.index.Scatters;
import org.relaxvm.compiler.op.nn.Pools;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.ScatterOps;

/** The largest elements of windows, where they are, and the way back. */
public final class MaxPools {
  private MaxPools() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("MaxPool", 1, MaxPools::maxPool).add("MaxUnpool", 9, MaxPools::maxUnpool);
  }

  private static List<Operand> maxPool(NodeContext node) {
    Expr x = node.tensor(0);
    int spatial = Windows.spatial(node, node.rank(x));
    Windows windows = Windows.of(node, node.dims(x), Windows.kernelShape(node, spatial));
    boolean isConstant = windows.isConstant(false);
    if (!isConstant) {
      if (node.wants(1)) {
        throw node.unsupported(
            "indices are wanted, but its padding depends on symbolic extents or is negative",
            "bind the extents (--bind)");
      }
      x = windows.padded(node, x, lowest(node.dtype(x)));
      windows = windows.withoutPadding();
    }
    List<Expr> results =
        new ArrayList<>(List.of(node.emit(Pools.maxPool(x, spatial, windows.options()))));
    if (node.wants(1)) {
      Expr indices = node.emit(Pools.maxPoolIndices(x, spatial, windows.options()));
      boolean isRowMajor = node.attributes().integer("storage_order", 0) == 0;
      results.add(isRowMajor ? indices : columnMajor(node, indices, node.dims(x)));
    }
    return node.results(results);
  }

  private static double lowest(DType dtype) {
    return Reducer.lowest(dtype) instanceof IntImm number
        ? number.value()
        : Double.NEGATIVE_INFINITY;
  }

  /** Indices whose spatial part counts the first spatial axis fastest. */
  private static Expr columnMajor(NodeContext node, Expr indices, List<PrimExpr> dims) {
    List<PrimExpr> spatial = dims.subList(2, dims.size());
    PrimExpr plane = Exprs.product(spatial);
    Expr remainder = node.emit(Arithmetic.floorMod(indices, value(node, plane)));
    Expr result = node.emit(Ops.subtract(indices, remainder));
    for (int axis = spatial.size() - 1; axis >= 0; axis--) {
      PrimValue extent = value(node, spatial.get(axis));
      Expr coordinate = node.emit(Arithmetic.floorMod(remainder, extent));
      remainder = node.emit(Arithmetic.floorDivide(remainder, extent));
      PrimValue stride = value(node, Exprs.product(spatial.subList(0, axis)));
      result = node.emit(Ops.add(result, node.emit(Ops.multiply(coordinate, stride))));
    }
    return result;
  }

  private static PrimValue value(NodeContext node, PrimExpr extent) {
    return new PrimValue(node.analyzer().simplify(extent));
  }

  // ---------------------------------------------------------------- back

  /**
   * Indices count in the shape that the pooled tensor had by the attributes; an output shape that
   * is larger has zeros after it.
   */
  private static List<Operand> maxUnpool(NodeContext node) {
    Expr x = node.tensor(0);
    List<PrimExpr> dims = node.dims(x);
    int spatial = Windows.spatial(node, dims.size());
    Windows windows = Windows.of(node, dims, Windows.kernelShape(node, spatial));
    List<PrimExpr> inferred = new ArrayList<>(dims.subList(0, 2));
    for (int axis = 0; axis < spatial; axis++) {
      PrimExpr steps = Exprs.mul(Exprs.sub(dims.get(2 + axis), 1), windows.strides().get(axis));
      PrimExpr pads = Exprs.add(windows.before().get(axis), windows.after().get(axis));
      PrimExpr extent = Exprs.add(Exprs.sub(steps, pads), windows.window().get(axis));
      inferred.add(node.analyzer().simplify(extent));
    }
    PrimExpr count = node.analyzer().simplify(Exprs.product(dims));
    Expr indices =
        node.emit(Ops.reshape(node.assume(node.tensor(1), dims), new ShapeExpr(List.of(count))));
    List<PrimExpr> shape = inferred;
    if (node.has(2)) {
      shape = outputShape(node, inferred);
      indices = inLargerShape(node, indices, inferred, shape);
    }
    PrimExpr size = node.analyzer().simplify(Exprs.product(shape));
    Expr zeros = node.emit(Ops.zeros(new ShapeExpr(List.of(size)), node.dtype(x)));
    Expr values = node.emit(Ops.reshape(x, new ShapeExpr(List.of(count))));
    Expr flat =
        node.emit(Scatters.scatterElements(zeros, indices, values, 0, ScatterOps.Reduction.UPDATE));
    return node.result(Ops.reshape(flat, new ShapeExpr(shape)));
  }

  private static List<PrimExpr> outputShape(NodeContext node, List<PrimExpr> inferred) {
    List<PrimExpr> shape = node.extents(2);
    if (shape.size() != inferred.size()) {
      throw node.unsupported(
          "output_shape has " + shape.size() + " numbers; expected " + inferred.size(), "");
    }
    for (int axis = 0; axis < shape.size(); axis++) {
      if (shape.get(axis) instanceof IntImm wanted
          && inferred.get(axis) instanceof IntImm own
          && wanted.value() < own.value()) {
        throw node.unsupported(
            "output_shape is "
                + wanted.value()
                + " along axis "
                + axis
                + ", but the pooled tensor had "
                + own.value(),
            "");
      }
    }
    return shape;
  }

  private static Expr inLargerShape(
      NodeContext node, Expr indices, List<PrimExpr> from, List<PrimExpr> to) {
    if (from.equals(to)) {
      return indices;
    }
    Expr remainder = indices;
    Expr result = node.scalar(DType.INT64, 0);
    for (int axis = from.size() - 1; axis >= 0; axis--) {
      PrimValue extent = value(node, from.get(axis));
      Expr coordinate = axis == 0 ? remainder : node.emit(Arithmetic.floorMod(remainder, extent));
      remainder = axis == 0 ? remainder : node.emit(Arithmetic.floorDivide(remainder, extent));
      PrimValue stride = value(node, Exprs.product(to.subList(axis + 1, to.size())));
      result = node.emit(Ops.add(node.emit(Ops.multiply(coordinate, stride)), result));
    }
    return result;
  }
}
