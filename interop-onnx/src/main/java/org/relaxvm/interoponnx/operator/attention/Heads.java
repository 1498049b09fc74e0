package org.relaxvm.interoponnx.operator.attention;

import java.util.List;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Queries, keys or values of several heads.
 *
 * @param tensor {@code [b, s, n, d]}, or {@code [b, n, s, d]}
 * @param headsFirst whether the heads come before the positions
 */
public record Heads(Expr tensor, boolean headsFirst) {
  /** Those of a tensor {@code [b, s, n * d]}. */
  public static Heads split(NodeContext node, Expr x, PrimExpr heads) {
    List<PrimExpr> dims = node.dims(x);
    if (dims.size() != 3) {
      throw node.unsupported(
          "an input has " + dims.size() + " axes; expected batch, positions, heads * size", "");
    }
    if (!(heads instanceof IntImm count) || count.value() < 1) {
      throw node.unsupported(
          "the number of heads is " + Emitter.text(heads) + "; expected 1 or more", "");
    }
    if (dims.get(2) instanceof IntImm width && width.value() % count.value() != 0) {
      throw node.unsupported(
          "an input of " + width.value() + " columns has no " + count.value() + " equal heads", "");
    }
    Emitter e = new Emitter(node);
    PrimExpr size = e.simplify(Exprs.floorDiv(dims.get(2), heads));
    return new Heads(e.reshape(x, List.of(dims.get(0), dims.get(1), heads, size)), false);
  }

  /** {@code [b, n, s, d]}. */
  public Expr byHead(Emitter e) {
    return headsFirst ? tensor : e.permute(tensor, 0, 2, 1, 3);
  }

  /** {@code [b, s, n, d]}. */
  public Expr byPosition(Emitter e) {
    return headsFirst ? e.permute(tensor, 0, 2, 1, 3) : tensor;
  }

  /** {@code [b, s, n * d]}. */
  public Expr joined(Emitter e) {
    return e.reshape(byPosition(e), List.of(batch(e), positions(e), e.product(count(e), size(e))));
  }

  /** The number of batches. */
  public PrimExpr batch(Emitter e) {
    return e.dim(tensor, 0);
  }

  /** The number of positions. */
  public PrimExpr positions(Emitter e) {
    return e.dim(tensor, headsFirst ? 2 : 1);
  }

  /** The number of heads. */
  public PrimExpr count(Emitter e) {
    return e.dim(tensor, headsFirst ? 1 : 2);
  }

  /** The size of a head. */
  public PrimExpr size(Emitter e) {
    return e.dim(tensor, 3);
  }

  /** The same with these extents, which are checked at run time where they are not certain. */
  public Heads withDims(
      Emitter e, PrimExpr batch, PrimExpr positions, PrimExpr count, PrimExpr size) {
    List<PrimExpr> dims =
        headsFirst
            ? List.of(batch, count, positions, size)
            : List.of(batch, positions, count, size);
    return new Heads(e.withDims(tensor, dims), headsFirst);
  }

  /** The positions of others before these, as {@code [b, n, s, d]}. */
  public Heads after(Emitter e, Expr past) {
    Expr own = byHead(e);
    Expr fitting =
        e.withDims(past, List.of(e.dim(own, 0), e.dim(own, 1), e.dim(past, 2), e.dim(own, 3)));
    return new Heads(e.concat(2, fitting, own), true);
  }
}
