package org.relaxvm.tir.op.layout;

import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Dims;

/**
 * A part of the index of an axis and its weight in a position: {@code index // below % extent *
 * scale}.
 *
 * @param top whether no part of the index is above it: the remainder then changes nothing
 */
record Digit(int axis, long below, PrimExpr extent, boolean top, PrimExpr scale) {
  Digit times(PrimExpr factor) {
    return new Digit(axis, below, extent, top, Dims.simplify(Exprs.mul(scale, factor)));
  }

  /** What {@code % count} leaves of the part. */
  Digit low(long count) {
    return new Digit(axis, below, IntImm.of(count), false, scale);
  }

  /** What {@code // count} leaves of the part; without weight. */
  Digit high(long count) {
    PrimExpr left = Dims.simplify(Exprs.ceilDiv(extent, IntImm.of(count)));
    return new Digit(axis, below * count, left, top, IntImm.of(1));
  }
}
