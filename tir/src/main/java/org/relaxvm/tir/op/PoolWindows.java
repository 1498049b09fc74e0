package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Layout;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * The windows over data.
 *
 * @param x in the plain layout
 * @param shape of the result in its layout
 */
record PoolWindows(TensorExpr x, PoolAttrs attrs, Layout layout, List<PrimExpr> shape) {
  static PoolWindows of(String op, KernelBuilder k, TensorExpr data, PoolAttrs attrs) {
    Check.rank(op, data, 2 + attrs.spatial());
    Layout layout = Layout.of(op, attrs.layout(), Layout.data(attrs.spatial()));
    TensorExpr x = layout.plain(k, data);
    List<PrimExpr> plain = new ArrayList<>(x.shape().subList(0, 2));
    for (int axis = 0; axis < attrs.spatial(); axis++) {
      plain.add(outputExtent(x.shape().get(2 + axis), attrs, axis));
    }
    return new PoolWindows(x, attrs, layout, layout.own(plain));
  }

  private static PrimExpr outputExtent(PrimExpr in, PoolAttrs attrs, int axis) {
    long stride = attrs.strides().get(axis);
    long before = attrs.padding().get(axis);
    PrimExpr padded = Exprs.add(in, before + attrs.padding().get(attrs.spatial() + axis));
    PrimExpr span = IntImm.of(attrs.span(axis));
    if (!attrs.ceilMode()) {
      return ConvOps.outputExtent(padded, span, stride);
    }
    PrimExpr up = ConvOps.outputExtent(Exprs.add(padded, stride - 1), span, stride);
    // The last window must not start after the data.
    PrimExpr lastStart = Exprs.mul(Exprs.sub(up, 1), stride);
    PrimExpr beyond = Arith.ge(lastStart, Exprs.add(in, before));
    return Dims.simplify(Exprs.sub(up, Exprs.select(beyond, IntImm.of(1), IntImm.of(0))));
  }

  /**
   * Where a point of a window is along a spatial axis of {@code x}; perhaps outside of it.
   *
   * @param i the index of the window in the plain layout
   */
  PrimExpr position(List<PrimExpr> i, PrimExpr point, int axis) {
    PrimExpr start = Exprs.mul(i.get(2 + axis), attrs.strides().get(axis));
    PrimExpr step = Exprs.mul(point, attrs.dilation().get(axis));
    return Exprs.sub(Exprs.add(start, step), attrs.padding().get(axis));
  }

  private List<PrimExpr> at(List<PrimExpr> own, List<PrimExpr> r) {
    List<PrimExpr> i = layout.plain(own);
    List<PrimExpr> at = new ArrayList<>(i.subList(0, 2));
    for (int axis = 0; axis < attrs.spatial(); axis++) {
      at.add(position(i, r.get(axis), axis));
    }
    return at;
  }

  private PrimExpr isInside(List<PrimExpr> at) {
    PrimExpr inside = IntImm.of(true);
    for (int axis = 0; axis < attrs.spatial(); axis++) {
      PrimExpr position = at.get(2 + axis);
      if (attrs.padding().get(axis) > 0) {
        inside = Exprs.and(inside, Exprs.le(IntImm.of(0), position));
      }
      if (attrs.padding().get(attrs.spatial() + axis) > 0 || attrs.ceilMode()) {
        inside = Exprs.and(inside, Exprs.lt(position, x.shape().get(2 + axis)));
      }
    }
    return inside;
  }

  PrimExpr tap(List<PrimExpr> own, List<PrimExpr> r, PrimExpr none) {
    List<PrimExpr> at = at(own, r);
    return Exprs.ifThenElse(isInside(at), x.at(at), none);
  }

  /** The number of an element in row-major order; -1 outside. */
  PrimExpr number(List<PrimExpr> own, List<PrimExpr> r) {
    List<PrimExpr> at = at(own, r);
    return Exprs.select(isInside(at), Exprs.rowMajorOffset(at, x.shape()), IntImm.of(-1));
  }

  /** How many elements of a window count; int64. */
  PrimExpr count(List<PrimExpr> own) {
    List<PrimExpr> i = layout.plain(own);
    PrimExpr count = IntImm.of(1);
    for (int axis = 0; axis < attrs.spatial(); axis++) {
      PrimExpr start = position(i, IntImm.of(0), axis);
      long after = attrs.padding().get(attrs.spatial() + axis);
      boolean all = attrs.countIncludePad();
      PrimExpr low = IntImm.of(all ? -attrs.padding().get(axis) : 0);
      PrimExpr high = Exprs.add(x.shape().get(2 + axis), all ? after : 0);
      PrimExpr step = IntImm.of(attrs.dilation().get(axis));
      // The iterations from the first at or above low to the last below high.
      PrimExpr first = Exprs.max(Exprs.ceilDiv(Exprs.sub(low, start), step), IntImm.of(0));
      PrimExpr end =
          Exprs.min(
              Exprs.ceilDiv(Exprs.sub(high, start), step), IntImm.of(attrs.window().get(axis)));
      count = Exprs.mul(count, Exprs.max(Exprs.sub(end, first), IntImm.of(0)));
    }
    return Exprs.max(count, IntImm.of(1));
  }
}
