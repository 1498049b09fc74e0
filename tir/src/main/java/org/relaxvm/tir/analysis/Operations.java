package org.relaxvm.tir.analysis;

import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;

/** What expressions cost, in simple operations. */
public final class Operations {
  private static final long FUNCTION = 16;

  private Operations() {}

  /** The operations of an expression; those of indices are not counted. */
  public static long count(PrimExpr expr) {
    if (expr instanceof BufferLoad) {
      return 0;
    }
    long own =
        switch (expr) {
          case Call call when call.op() != Intrinsic.IF_THEN_ELSE -> FUNCTION;
          case Call choice -> 1;
          case Binary binary -> 1;
          case Select select -> 1;
          case Cast cast -> 1;
          default -> 0;
        };
    return own + expr.operands().stream().mapToLong(Operations::count).sum();
  }

  /** Whether an expression reads no buffer. */
  public static boolean isFreeOfLoads(PrimExpr expr) {
    return !(expr instanceof BufferLoad)
        && expr.operands().stream().allMatch(Operations::isFreeOfLoads);
  }
}
