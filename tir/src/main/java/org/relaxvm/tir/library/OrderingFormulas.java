package org.relaxvm.tir.library;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.OrderingOps;
import org.relaxvm.tir.op.ReductionOps;
import org.relaxvm.tir.op.ScanOps;
import org.relaxvm.tir.te.TensorExpr;

/** Elements in the order of numbers, extremes, and sums of all before. */
final class OrderingFormulas {
  private OrderingFormulas() {}

  static void addTo(Map<String, Formula> all) {
    all.put(
        "sort",
        Formula.of(
            o ->
                OrderingOps.sort(
                    o.kernel(), Operands.OUT, o.tensor("x"), axis(o), o.flag("descending"))));
    all.put(
        "argsort",
        Formula.of(
            o ->
                OrderingOps.argsort(
                    o.kernel(),
                    Operands.OUT,
                    o.tensor("x"),
                    axis(o),
                    o.flag("descending"),
                    o.outDType())));
    all.put("topk", Formula.ofKnown(o -> topk(o, false)));
    all.put("topk_indices", Formula.ofKnown(o -> topk(o, true)));
    all.put("argmax", Formula.of(o -> extreme(o, true)));
    all.put("argmin", Formula.of(o -> extreme(o, false)));
    all.put("cumsum", Formula.of(o -> scan(o, true)));
    all.put("cumprod", Formula.of(o -> scan(o, false)));
  }

  private static int axis(Operands o) {
    o.requireRank("x", 1);
    return o.axis("axis", o.shapeOf("x").rank());
  }

  private static @Nullable Integer axisOrNull(Operands o) {
    return o.isNull("axis") ? null : o.axis("axis", o.shapeOf("x").rank());
  }

  private static TensorExpr topk(Operands o, boolean indices) {
    int axis = axis(o);
    Shape x = o.shapeOf("x");
    Shape given = o.shapeOf(Operands.OUT);
    o.require(
        given.rank() == x.rank() && given.dim(axis) <= x.dim(axis),
        Operands.OUT,
        "shape " + x + " with no more along axis " + axis,
        "shape " + given);
    TensorExpr of = o.tensor("x");
    TensorExpr order =
        OrderingOps.argsort(o.kernel(), "order", of, axis, o.flag("largest"), DType.INT64);
    List<PrimExpr> shape = AxisLists.with(of.shape(), axis, o.outShape().get(axis));
    return o.kernel()
        .compute(
            Operands.OUT,
            shape,
            i ->
                indices
                    ? Exprs.cast(o.outDType(), order.at(i))
                    : of.at(AxisLists.with(i, axis, order.at(i))));
  }

  private static TensorExpr extreme(Operands o, boolean largest) {
    Integer axis = axisOrNull(o);
    Shape x = o.shapeOf("x");
    o.require(
        axis == null ? x.elementCount() > 0 : x.dim(axis) > 0,
        "x",
        "not empty along the reduced axes",
        "shape " + x);
    boolean keep = o.flag("keepdims");
    TensorExpr of = o.tensor("x");
    return largest
        ? ReductionOps.argmax(o.kernel(), Operands.OUT, of, axis, keep, o.outDType())
        : ReductionOps.argmin(o.kernel(), Operands.OUT, of, axis, keep, o.outDType());
  }

  private static TensorExpr scan(Operands o, boolean sums) {
    Integer axis = axisOrNull(o);
    boolean exclusive = o.flag("exclusive");
    TensorExpr x = o.tensor("x");
    return sums
        ? ScanOps.cumsum(o.kernel(), Operands.OUT, x, axis, x.dtype(), exclusive)
        : ScanOps.cumprod(o.kernel(), Operands.OUT, x, axis, x.dtype(), exclusive);
  }
}
