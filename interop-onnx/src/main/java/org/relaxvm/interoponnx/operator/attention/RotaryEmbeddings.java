package org.relaxvm.interoponnx.operator.attention;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Rotary embeddings: pairs of elements of each head rotated by an angle of their position. */
public final class RotaryEmbeddings {
  private RotaryEmbeddings() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("RotaryEmbedding", 23, RotaryEmbeddings::standard);
  }

  private static List<Operand> standard(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    boolean isJoined = node.rank(x) == 3;
    Heads heads =
        isJoined
            ? Heads.split(node, x, IntImm.of(node.attributes().requiredInteger("num_heads")))
            : new Heads(x, true);
    Expr cos = node.tensor(1);
    Expr sin = node.tensor(2);
    Optional<Expr> positions = node.optional(3);
    Heads result =
        rotated(
            node,
            heads,
            angle(node, cos, positions, heads),
            angle(node, sin, positions, heads),
            node.attributes().flag("interleaved", false));
    return node.result(isJoined ? result.joined(e) : result.byHead(e));
  }

  /**
   * Cosines or sines of each position, {@code [b, s, r / 2]}.
   *
   * @param positions of rows of the cache {@code [b, s]}; empty where the cache has such a row for
   *     each position
   */
  static Expr angle(NodeContext node, Expr cache, Optional<Expr> positions, Heads heads) {
    Emitter e = new Emitter(node);
    Expr rows = positions.isPresent() ? e.take(cache, positions.get(), 0) : cache;
    if (node.rank(rows) != 3) {
      throw node.unsupported(
          "the caches of cosines and sines give "
              + node.rank(rows)
              + " axes; expected batch, positions, half of the rotated size",
          "give position_ids of 2 axes with caches of 2, or caches of 3 axes");
    }
    return e.withDims(
        rows,
        List.of(
            e.dim(rows, 0) instanceof IntImm one && one.value() == 1
                ? e.dim(rows, 0)
                : heads.batch(e),
            heads.positions(e),
            e.dim(rows, 2)));
  }

  /**
   * The heads with their first elements rotated; twice as many as there are cosines.
   *
   * @param cos {@code [b, s, r / 2]}
   * @param interleaved whether pairs are adjacent, or lie in two halves
   */
  public static Heads rotated(
      NodeContext node, Heads heads, Expr cos, Expr sin, boolean interleaved) {
    Emitter e = new Emitter(node);
    int axis = heads.headsFirst() ? 1 : 2;
    Expr c = e.unsqueeze(e.cast(cos, node.dtype(heads.tensor())), axis);
    Expr s = e.unsqueeze(e.cast(sin, node.dtype(heads.tensor())), axis);
    PrimExpr half = e.dim(c, 3);
    PrimExpr rotated = e.product(half, IntImm.of(2));
    if (rotated instanceof IntImm r && heads.size(e) instanceof IntImm d && r.value() > d.value()) {
      throw node.unsupported(
          "the caches rotate " + r.value() + " elements of heads of size " + d.value(), "");
    }
    Expr x = e.slice(heads.tensor(), 3, IntImm.of(0), rotated);
    Expr result =
        interleaved ? adjacent(e, node, x, c, s, half) : halves(e, x, c, s, half, rotated);
    if (e.areEqual(rotated, heads.size(e))) {
      return new Heads(result, heads.headsFirst());
    }
    Expr kept = e.slice(heads.tensor(), 3, rotated, heads.size(e));
    return new Heads(e.concat(3, result, kept), heads.headsFirst());
  }

  private static Expr halves(Emitter e, Expr x, Expr c, Expr s, PrimExpr half, PrimExpr rotated) {
    Expr a = e.slice(x, 3, IntImm.of(0), half);
    Expr b = e.slice(x, 3, half, rotated);
    return e.concat(3, real(e, a, b, c, s), imaginary(e, a, b, c, s));
  }

  private static Expr adjacent(Emitter e, NodeContext node, Expr x, Expr c, Expr s, PrimExpr half) {
    List<PrimExpr> dims = node.dims(x);
    Expr pairs = e.reshape(x, List.of(dims.get(0), dims.get(1), dims.get(2), half, IntImm.of(2)));
    Expr a = e.at(pairs, 4, 0);
    Expr b = e.at(pairs, 4, 1);
    Expr both = e.stack(4, List.of(real(e, a, b, c, s), imaginary(e, a, b, c, s)));
    return e.reshape(both, dims);
  }

  private static Expr real(Emitter e, Expr a, Expr b, Expr c, Expr s) {
    return e.subtract(e.multiply(a, c), e.multiply(b, s));
  }

  private static Expr imaginary(Emitter e, Expr a, Expr b, Expr c, Expr s) {
    return e.add(e.multiply(a, s), e.multiply(b, c));
  }
}
