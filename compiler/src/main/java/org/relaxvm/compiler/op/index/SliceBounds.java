package org.relaxvm.compiler.op.index;

import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * How many indices a slice has. Source: docs/spec/op-set.md, section 3.4.
 *
 * @param stride not 0
 */
record SliceBounds(Analyzer analyzer, long stride) {
  /** The number of indices when begin and end count from the end or lie outside. */
  PrimExpr length(PrimExpr begin, PrimExpr end, PrimExpr extent) {
    return analyzer.simplify(
        Exprs.max(inboundLength(bounded(begin, extent), bounded(end, extent)), IntImm.of(0)));
  }

  /** The number of indices when begin and end lie in the tensor and count from the start. */
  PrimExpr inboundLength(PrimExpr begin, PrimExpr end) {
    PrimExpr span = stride > 0 ? Exprs.sub(end, begin) : Exprs.sub(begin, end);
    return analyzer.simplify(
        Exprs.ceilDiv(analyzer.simplify(span), IntImm.of(Math.absExact(stride))));
  }

  private PrimExpr bounded(PrimExpr index, PrimExpr extent) {
    PrimExpr at = fromStart(index, extent);
    PrimExpr low = IntImm.of(stride > 0 ? 0 : -1);
    PrimExpr high = stride > 0 ? extent : Exprs.sub(extent, 1);
    // A huge end says all that there is; no extent is as large.
    return at instanceof IntImm known && known.value() > Integer.MAX_VALUE && !isConstant(extent)
        ? high
        : analyzer.simplify(Exprs.min(Exprs.max(at, low), high));
  }

  private static boolean isConstant(PrimExpr extent) {
    return extent instanceof IntImm;
  }

  private PrimExpr fromStart(PrimExpr index, PrimExpr extent) {
    PrimExpr negative = Exprs.lt(index, IntImm.of(0));
    if (analyzer.canProve(negative)) {
      return Exprs.add(index, extent);
    }
    return analyzer.canProve(Exprs.binary(BinaryOp.GE, index, IntImm.of(0)))
        ? index
        : Exprs.select(negative, Exprs.add(index, extent), index);
  }
}
