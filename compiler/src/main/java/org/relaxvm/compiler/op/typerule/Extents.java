package org.relaxvm.compiler.op.typerule;

import java.util.List;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Extents, which are int64 expressions, and lists of them. */
public final class Extents {
  private Extents() {}

  /** Whether an extent is the constant 1. */
  public static boolean isOne(PrimExpr extent) {
    return isConstant(extent, 1);
  }

  /** Whether an extent is this constant. */
  public static boolean isConstant(PrimExpr extent, long value) {
    return extent instanceof IntImm known && known.value() == value;
  }

  /** The extents in their simplest form. */
  public static List<PrimExpr> simplify(OpCall call, List<? extends PrimExpr> extents) {
    return extents.stream().map(call.analyzer()::simplify).toList();
  }

  /** The number of elements, in its simplest form. */
  public static PrimExpr product(OpCall call, List<? extends PrimExpr> extents) {
    PrimExpr product = IntImm.of(1);
    for (PrimExpr extent : extents) {
      product = Exprs.mul(product, extent);
    }
    return call.analyzer().simplify(product);
  }

  /** Whether two extents are certainly different. */
  public static boolean differ(OpCall call, PrimExpr a, PrimExpr b) {
    if (a instanceof IntImm x && b instanceof IntImm y) {
      return x.value() != y.value();
    }
    return !a.equals(b) && call.analyzer().canProve(Exprs.binary(BinaryOp.NE, a, b));
  }

  /**
   * Refuses extents that are certainly different; {@code what} they are, such as {@code axis 1}.
   */
  public static void requireSame(OpCall call, PrimExpr a, PrimExpr b, String what) {
    if (differ(call, a, b)) {
      throw call.error(
          "the extents of "
              + what
              + " must be equal, but are "
              + PrimText.print(a)
              + " and "
              + PrimText.print(b));
    }
  }
}
