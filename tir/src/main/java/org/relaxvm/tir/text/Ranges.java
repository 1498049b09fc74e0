package org.relaxvm.tir.text;

import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.Range;

/**
 * The text says where ranges end, the IR how long they are. Each extent has an end from which just
 * this extent is read again.
 */
final class Ranges {
  private Ranges() {}

  /** The extent of {@code min:stop}. */
  static PrimExpr extent(PrimExpr min, PrimExpr stop) {
    if (isZero(min) && min.dtype().equals(stop.dtype())) {
      return stop;
    }
    if (min instanceof IntImm a && stop instanceof IntImm b && isNumbers(a, b)) {
      return new IntImm(a.dtype(), IntegerMath.wrap(a.dtype(), b.value() - a.value()));
    }
    return stop instanceof Binary(BinaryOp op, PrimExpr a, PrimExpr b)
            && op == BinaryOp.ADD
            && a.equals(min)
        ? b
        : new Binary(BinaryOp.SUB, stop, min);
  }

  /** An end that {@link #extent} turns into the extent of this range. */
  static PrimExpr stop(Range range) {
    PrimExpr min = range.min();
    PrimExpr extent = range.extent();
    if (isZero(min) && min.dtype().equals(extent.dtype())) {
      return extent;
    }
    if (min instanceof IntImm a && extent instanceof IntImm b && isNumbers(a, b)) {
      return new IntImm(a.dtype(), IntegerMath.wrap(a.dtype(), a.value() + b.value()));
    }
    if (extent instanceof Binary(BinaryOp op, PrimExpr stop, PrimExpr from)
        && op == BinaryOp.SUB
        && from.equals(min)
        && extent(min, stop).equals(extent)) {
      return stop;
    }
    return new Binary(BinaryOp.ADD, min, extent);
  }

  /** Whether a region names just the index where it starts. */
  static boolean isSingle(Range range) {
    return range.extent().equals(one(range.min()));
  }

  /** The extent of a region that names just an index. */
  static PrimExpr one(PrimExpr min) {
    return DTypes.isIntegral(min.dtype()) ? new IntImm(min.dtype(), 1) : IntImm.of(1);
  }

  /** Whether the text leaves the start out. */
  static boolean startsAtZero(Range range) {
    return isZero(range.min()) && range.min().dtype().equals(range.extent().dtype());
  }

  private static boolean isNumbers(IntImm a, IntImm b) {
    return a.dtype().equals(b.dtype()) && DTypes.isInteger(a.dtype());
  }

  private static boolean isZero(PrimExpr min) {
    return min instanceof IntImm known && known.value() == 0;
  }
}
