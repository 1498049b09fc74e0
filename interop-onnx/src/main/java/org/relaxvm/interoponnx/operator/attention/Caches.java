package org.relaxvm.interoponnx.operator.attention;

import java.util.Optional;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Keys or values with those of earlier calls before them.
 *
 * @param all what attention reads
 * @param present what the next call gets, {@code [b, n, s, d]}
 * @param past how many of earlier calls there are
 */
public record Caches(Heads all, Expr present, PrimExpr past) {
  /**
   * Those without earlier ones, after earlier ones, or written into a buffer that has room for
   * more.
   *
   * @param own of this call
   * @param past {@code [b, n, p, d]}; empty for none
   * @param filled how many positions of the buffer {@code past} are in use; empty for all
   */
  public static Caches of(
      NodeContext node, Heads own, Optional<Expr> past, Optional<PrimExpr> filled) {
    Emitter e = new Emitter(node);
    if (past.isEmpty()) {
      return new Caches(own, own.byHead(e), IntImm.of(0));
    }
    Expr buffer = past.get();
    if (filled.isEmpty()) {
      Heads all = own.after(e, buffer);
      return new Caches(all, all.tensor(), e.dim(buffer, 2));
    }
    PrimExpr end = e.sum(filled.get(), own.positions(e));
    Heads all = own.after(e, e.slice(buffer, 2, IntImm.of(0), filled.get()));
    Expr unused = e.slice(buffer, 2, end, e.dim(buffer, 2));
    return new Caches(all, e.concat(2, all.tensor(), unused), filled.get());
  }
}
