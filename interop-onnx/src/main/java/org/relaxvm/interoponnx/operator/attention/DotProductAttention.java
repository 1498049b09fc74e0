package org.relaxvm.interoponnx.operator.attention;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.nn.Attention;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * {@code softmax(q k^T * scale + bias) v} for each batch and head. Rows of scores that a bias hides
 * wholly give 0.
 *
 * @param query of {@code n} heads
 * @param key of {@code nk} heads, a divisor of {@code n}
 * @param value of as many heads and positions as the keys
 * @param scale empty for {@code 1 / sqrt(d)}
 */
public record DotProductAttention(
    NodeContext node, Heads query, Heads key, Heads value, Optional<Double> scale) {
  /** Checks that the extents fit; where that is not certain they are checked at run time. */
  public static DotProductAttention of(
      NodeContext node, Heads query, Heads key, Heads value, Optional<Double> scale) {
    Emitter e = new Emitter(node);
    PrimExpr batch = query.batch(e);
    Heads k = key.withDims(e, batch, key.positions(e), key.count(e), query.size(e));
    Heads v = value.withDims(e, batch, k.positions(e), k.count(e), value.size(e));
    if (!(query.count(e) instanceof IntImm n)
        || !(k.count(e) instanceof IntImm nk)
        || nk.value() < 1
        || n.value() % nk.value() != 0) {
      throw node.unsupported(
          "the heads of queries and keys are "
              + Emitter.text(query.count(e))
              + " and "
              + Emitter.text(k.count(e))
              + "; expected numbers of which the second divides the first",
          "");
    }
    return new DotProductAttention(node, query, k, v, scale);
  }

  /** The extents of the scores. */
  public List<PrimExpr> scoreDims() {
    Emitter e = new Emitter(node);
    return List.of(query.batch(e), query.count(e), query.positions(e), key.positions(e));
  }

  /** The dtype of the queries. */
  public DType dtype() {
    return node.dtype(query.tensor());
  }

  /** The dtype that scores are computed in. */
  public DType wide() {
    return dtype().bits() < Float.SIZE ? DType.FLOAT32 : dtype();
  }

  // ---------------------------------------------------------------- one kernel

  /**
   * The result by the operator for attention.
   *
   * @param bias in the dtype of the queries, of 4 axes; empty for none
   */
  public Heads fused(Optional<Expr> bias) {
    Emitter e = new Emitter(node);
    Heads result = fused(bias, Attrs.NONE);
    return bias.isEmpty()
        ? result
        : new Heads(
            e.where(
                e.permute(hiddenRows(bias.get()), 0, 2, 1, 3),
                node.scalar(dtype(), 0),
                result.tensor()),
            false);
  }

  /**
   * The result by the operator for attention, where queries see the keys up to their own index, or
   * up to that plus the number of keys that come before them.
   *
   * @param cached whether there are keys before those of the queries
   * @param window how many keys a query sees at most; empty for all
   */
  public Heads fusedCausal(boolean cached, Optional<Long> window) {
    Attrs attrs = Attrs.of("causal_mask", cached ? "BottomRight" : "TopLeft");
    return fused(
        Optional.empty(), window.isPresent() ? attrs.with("window_size", window.get()) : attrs);
  }

  private Heads fused(Optional<Expr> bias, Attrs attrs) {
    Emitter e = new Emitter(node);
    List<Expr> tensors = new ArrayList<>();
    for (Heads heads : List.of(query, key, value)) {
      tensors.add(e.cast(heads.byPosition(e), dtype()));
    }
    bias.ifPresent(tensors::add);
    Attrs all = scale.isPresent() ? attrs.with("scale", scale.get()) : attrs;
    return new Heads(node.emit(Attention.attention(tensors, all)), false);
  }

  /** Whether rows are hidden wholly: {@code [b, n, sq, 1]}. */
  private Expr hiddenRows(Expr bias) {
    Expr largest = node.emit(Ops.max(bias, List.of(3), true));
    return node.emit(Ops.equal(largest, Ops.scalar(node.dtype(bias), Double.NEGATIVE_INFINITY)));
  }

  // ---------------------------------------------------------------- step by step

  /** The scores {@code q k^T * scale}: {@code [b, n, sq, sk]}, in the wide dtype. */
  public Expr scores() {
    Emitter e = new Emitter(node);
    Expr q = scaled(e.cast(query.byHead(e), wide()));
    Expr k = e.transposed(e.cast(key.byHead(e), wide()));
    return product(q, k);
  }

  private Expr scaled(Expr q) {
    Emitter e = new Emitter(node);
    if (scale.isPresent()) {
      return e.multiply(q, scale.get());
    }
    if (query.size(e) instanceof IntImm size) {
      return e.multiply(q, 1 / Math.sqrt(size.value()));
    }
    Expr size = e.cast(e.scalar(query.size(e)), wide());
    return e.multiply(q, node.emit(Ops.rsqrt(size)));
  }

  /** The product for each head of the first tensor; heads of the second serve several of them. */
  private Expr product(Expr a, Expr b) {
    Emitter e = new Emitter(node);
    List<PrimExpr> dims = node.dims(a);
    PrimExpr heads = e.dim(b, 1);
    if (e.areEqual(dims.get(1), heads)) {
      return e.matmul(a, b);
    }
    PrimExpr share = e.simplify(Exprs.floorDiv(dims.get(1), heads));
    Expr grouped = e.reshape(a, List.of(dims.get(0), heads, share, dims.get(2), dims.get(3)));
    Expr result = e.matmul(grouped, e.unsqueeze(b, 2));
    return e.reshape(result, List.of(dims.get(0), dims.get(1), dims.get(2), e.dim(b, 3)));
  }

  /** Scores limited smoothly to numbers between {@code -cap} and {@code cap}; 0 is no limit. */
  public Expr capped(Expr scores, double cap) {
    Emitter e = new Emitter(node);
    return cap == 0 ? scores : e.multiply(e.tanh(e.multiply(scores, 1 / cap)), cap);
  }

  /**
   * The weights of the values.
   *
   * @param scores with the bias added
   * @param bias what was added, by which rows are hidden; empty for none
   */
  public Expr probabilities(Expr scores, Optional<Expr> bias) {
    Emitter e = new Emitter(node);
    Expr all = e.softmax(scores, 3);
    return bias.isEmpty()
        ? all
        : e.where(hiddenRows(bias.get()), node.scalar(node.dtype(all), 0), all);
  }

  /**
   * The weights of the values where each head has one more score, of nothing.
   *
   * @param sink {@code [n]}
   */
  public Expr probabilitiesWithSink(Expr scores, Expr sink) {
    Emitter e = new Emitter(node);
    List<PrimExpr> dims = node.dims(scores);
    Expr column =
        e.reshape(
            e.withDims(e.cast(sink, node.dtype(scores)), List.of(dims.get(1))),
            List.of(IntImm.of(1), dims.get(1), IntImm.of(1), IntImm.of(1)));
    List<PrimExpr> shape = List.of(dims.get(0), dims.get(1), dims.get(2), IntImm.of(1));
    Expr extra = node.emit(Ops.broadcastTo(column, shape.toArray()));
    Expr all = e.softmax(e.concat(3, scores, extra), 3);
    return e.slice(all, 3, IntImm.of(0), dims.get(3));
  }

  /** The values weighted. */
  public Heads weighted(Expr probabilities) {
    Emitter e = new Emitter(node);
    Expr v = e.cast(value.byHead(e), wide());
    return new Heads(e.cast(product(e.cast(probabilities, wide()), v), dtype()), true);
  }
}
