package org.relaxvm.compiler.op.nn;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.SpatialLayout;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.PoolAttrs;

/**
 * A call of a pooling with its attributes checked. Source: docs/spec/op-set.md, section 2.8.
 *
 * @param window one per spatial axis
 * @param strides one per spatial axis
 * @param padding all begins, then all ends
 * @param dilation one per spatial axis
 */
record PoolRule(
    OpCall call,
    int spatial,
    List<Long> window,
    List<Long> strides,
    List<Long> padding,
    List<Long> dilation,
    SpatialLayout layout,
    SpatialLayout out) {

  static PoolRule of(OpCall call, int spatial) {
    String plain = SpatialLayout.data(spatial);
    SpatialLayout layout = SpatialLayout.of(call, "layout", plain, plain);
    return new PoolRule(
        call,
        spatial,
        WindowAttrs.perAxis(call, "pool_size", spatial, 1),
        WindowAttrs.perAxis(call, "strides", spatial, 1),
        WindowAttrs.padding(call, spatial, false),
        WindowAttrs.perAxis(call, "dilation", spatial, 1),
        layout,
        SpatialLayout.of(call, "out_layout", layout.text(), plain));
  }

  TensorType type() {
    return typeOf(0);
  }

  /** The type of the pooled argument. */
  TensorType typeOf(int arg) {
    TensorType x = Ranks.require(call, arg, 2 + spatial);
    if (x.dims().isEmpty()) {
      return x.withRank(2 + spatial);
    }
    List<PrimExpr> in = layout.plain(x.dims().get());
    List<PrimExpr> plain = new ArrayList<>(in.subList(0, 2));
    for (int axis = 0; axis < spatial; axis++) {
      plain.add(windowCount(in.get(2 + axis), axis));
    }
    return x.withDims(Extents.simplify(call, out.own(plain)));
  }

  private PrimExpr windowCount(PrimExpr in, int axis) {
    long stride = strides.get(axis);
    long before = padding.get(axis);
    PrimExpr padded = Exprs.add(in, before + padding.get(spatial + axis));
    PrimExpr span = WindowAttrs.span(IntImm.of(window.get(axis)), dilation.get(axis));
    if (!ceilMode()) {
      return WindowAttrs.windowCount(call, padded, span, stride);
    }
    PrimExpr up = WindowAttrs.windowCount(call, Exprs.add(padded, stride - 1), span, stride);
    // The last window must not start after the data.
    PrimExpr lastStart = Exprs.mul(Exprs.sub(up, 1), stride);
    PrimExpr beyond = Exprs.binary(BinaryOp.GE, lastStart, Exprs.add(in, before));
    return Exprs.sub(up, Exprs.select(beyond, IntImm.of(1), IntImm.of(0)));
  }

  private boolean ceilMode() {
    return call.attrs().bool("ceil_mode").orElseThrow();
  }

  /** The attributes as kernels have them. */
  PoolAttrs attrs() {
    Attrs attrs = call.attrs();
    return new PoolAttrs(
        window,
        strides,
        padding,
        dilation,
        ceilMode(),
        attrs.bool("count_include_pad").orElseThrow(),
        layout.text());
  }
}
