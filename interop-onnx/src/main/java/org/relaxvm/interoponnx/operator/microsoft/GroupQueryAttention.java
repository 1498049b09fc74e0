package org.relaxvm.interoponnx.operator.microsoft;

import static org.relaxvm.interoponnx.convert.OperatorTable.MICROSOFT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.NnOps;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.index.Gathers;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.attention.DotProductAttention;
import org.relaxvm.interoponnx.operator.attention.Heads;
import org.relaxvm.interoponnx.operator.attention.Masks;
import org.relaxvm.interoponnx.operator.attention.RotaryEmbeddings;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Attention whose queries share keys, with rotary embeddings and a cache. Rows of a batch may have
 * different lengths: the keys of this call lie after those of earlier calls in each row, not at the
 * end of the longest one.
 */
final class GroupQueryAttention {
  private static final int POSITIONS = 9;
  private static final int BIAS = 10;
  private static final int SINK = 11;

  private GroupQueryAttention() {}

  static void addTo(OperatorTable.Builder table) {
    table
        .add(MICROSOFT, "GroupQueryAttention", GroupQueryAttention::convert)
        .add(MICROSOFT, "RotaryEmbedding", GroupQueryAttention::rotary);
  }

  private static List<Operand> convert(NodeContext node) {
    refuse(node);
    Emitter e = new Emitter(node);
    Heads[] own = inputs(node);
    Expr past = past(node, own[0]);
    Expr positions = e.add(e.unsqueeze(past, 1), e.range(own[0].positions(e)));
    if (node.attributes().flag("do_rotary", false)) {
      Expr rows = node.has(POSITIONS) ? positionIds(node, own[0]) : positions;
      boolean interleaved = node.attributes().flag("rotary_interleaved", false);
      for (int i = 0; i < 2; i++) {
        Expr cos = e.take(node.tensor(7), rows, 0);
        Expr sin = e.take(node.tensor(8), rows, 0);
        own[i] = RotaryEmbeddings.rotated(node, own[i], cos, sin, interleaved);
      }
    }
    Heads key = cached(node, own[1], 3, past);
    Heads value = cached(node, own[2], 4, past);
    DotProductAttention product =
        DotProductAttention.of(node, own[0], key, value, Attentions.scale(node));
    List<Expr> results = new ArrayList<>();
    results.add(result(node, product, positions).joined(e));
    results.add(product.key().byHead(e));
    results.add(product.value().byHead(e));
    return node.results(results);
  }

  private static void refuse(NodeContext node) {
    for (String name : List.of("k_quant_type", "v_quant_type")) {
      String type = node.attributes().string(name, "NONE");
      if (!type.equals("NONE")) {
        throw node.unsupported("a quantized cache is not supported: " + name + " is " + type, "");
      }
    }
    for (String name : List.of("sliding_window_cache", "qk_output")) {
      if (node.attributes().flag(name, false)) {
        throw node.unsupported("the attribute " + name + " is not supported", "");
      }
    }
  }

  /** Queries, keys and values; they may be packed in one tensor. */
  private static Heads[] inputs(NodeContext node) {
    Emitter e = new Emitter(node);
    IntImm heads = Attentions.heads(node, "num_heads");
    IntImm shared = Attentions.heads(node, "kv_num_heads");
    Heads[] all = new Heads[3];
    if (node.has(1)) {
      all[0] = Heads.split(node, node.tensor(0), heads);
      all[1] = Heads.split(node, node.tensor(1), shared);
      all[2] = Heads.split(node, node.tensor(2), shared);
    } else {
      IntImm together = IntImm.of(heads.value() + 2 * shared.value());
      Expr packed = Heads.split(node, node.tensor(0), together).tensor();
      long first = heads.value();
      long second = first + shared.value();
      all[0] = new Heads(e.slice(packed, 2, 0, first), false);
      all[1] = new Heads(e.slice(packed, 2, first, second), false);
      all[2] = new Heads(e.slice(packed, 2, second, together.value()), false);
    }
    if (node.has(14) && node.has(15)) {
      for (int i = 0; i < 2; i++) {
        double epsilon = node.attributes().real("qk_norm_epsilon", 1e-6f);
        Expr normal =
            node.emit(NnOps.rmsNorm(all[i].tensor(), node.tensor(14 + i), List.of(3), epsilon));
        all[i] = new Heads(normal, false);
      }
    }
    return all;
  }

  /** How many keys of earlier calls each row has, {@code [b]} int64. */
  private static Expr past(NodeContext node, Heads query) {
    Emitter e = new Emitter(node);
    Expr given = node.tensor(5);
    Expr flat = node.rank(given) == 1 ? given : e.reshape(given, List.of(query.batch(e)));
    Expr last = e.cast(e.withDims(flat, List.of(query.batch(e))), DType.INT64);
    // A row of a first call that is padded is shorter than the call.
    Expr past = e.subtract(e.add(last, 1), new PrimValue(query.positions(e)));
    return node.emit(Ops.maximum(past, e.number(past, 0)));
  }

  private static Expr positionIds(NodeContext node, Heads query) {
    Emitter e = new Emitter(node);
    return e.broadcastable(node.tensor(POSITIONS), List.of(query.batch(e), query.positions(e)));
  }

  /** Keys or values of earlier calls with those of this one in their rows. */
  private static Heads cached(NodeContext node, Heads own, int input, Expr past) {
    if (!node.has(input)) {
      return own;
    }
    Emitter e = new Emitter(node);
    Expr buffer = node.tensor(input);
    PrimExpr size = e.dim(buffer, 2);
    PrimExpr length = e.simplify(Exprs.max(size, node.extents(6).getFirst()));
    List<PrimExpr> dims = List.of(own.batch(e), own.count(e), size, own.size(e));
    Expr fitting = e.withDims(buffer, dims);
    Expr longer =
        e.areEqual(length, size)
            ? fitting
            : e.concat(
                2,
                fitting,
                e.zeros(
                    List.of(dims.get(0), dims.get(1), e.difference(length, size), dims.get(3)),
                    node.dtype(buffer)));
    Expr all = e.withDims(longer, List.of(dims.get(0), dims.get(1), length, dims.get(3)));
    // Element [b, j]: which position of this call row j of the cache is.
    Expr position = e.subtract(e.range(length), e.unsqueeze(past, 1));
    Expr zero = e.number(position, 0);
    PrimExpr count = own.positions(e);
    Expr isOwn = e.and(e.lessEqual(zero, position), e.less(position, new PrimValue(count)));
    Expr inside =
        node.emit(
            Ops.minimum(
                node.emit(Ops.maximum(position, zero)),
                new PrimValue(e.difference(count, IntImm.of(1)))));
    Expr placed = node.emit(Gathers.gatherNd(own.byPosition(e), e.unsqueeze(inside, 2), 1));
    Expr byHead = e.permute(placed, 0, 2, 1, 3);
    return new Heads(
        e.where(e.unsqueeze(isOwn, 1, 3), e.cast(byHead, node.dtype(buffer)), all), true);
  }

  // ---------------------------------------------------------------- the product

  private static Heads result(NodeContext node, DotProductAttention product, Expr positions) {
    Emitter e = new Emitter(node);
    double cap = node.attributes().real("softcap", 0);
    Optional<Expr> sink = sink(node, product);
    boolean isPlain = cap == 0 && sink.isEmpty();
    Optional<Expr> bias =
        masks(node, product, positions).sum(isPlain ? product.dtype() : product.wide());
    if (isPlain) {
      return product.fused(bias);
    }
    Expr capped = product.capped(product.scores(), cap);
    Expr scores = bias.isPresent() ? e.add(capped, bias.get()) : capped;
    return product.weighted(
        sink.isPresent()
            ? product.probabilitiesWithSink(scores, sink.get())
            : product.probabilities(scores, bias));
  }

  private static Optional<Expr> sink(NodeContext node, DotProductAttention product) {
    if (node.has(SINK)) {
      return node.optional(SINK);
    }
    Emitter e = new Emitter(node);
    return node.attributes().integer("smooth_softmax", 0) == 1
        ? Optional.of(e.zeros(List.of(product.scoreDims().get(1)), product.wide()))
        : Optional.empty();
  }

  /** Keys at positions up to that of the query, in a window where there is one. */
  private static Masks masks(NodeContext node, DotProductAttention product, Expr positions) {
    Emitter e = new Emitter(node);
    Masks masks = new Masks(node, product.scoreDims());
    Expr own = e.unsqueeze(positions, 1, 3);
    if (node.attributes().flag("causal", true)) {
      masks.require(e.lessEqual(masks.keys(), own));
    } else {
      masks.requireBelow(e.add(e.cast(node.tensor(5), DType.INT64), 1));
    }
    long window = node.attributes().integer("local_window_size", -1);
    if (window > 0) {
      masks.require(e.less(own, e.add(masks.keys(), e.scalar(IntImm.of(window)))));
    }
    if (node.has(BIAS)) {
      masks.addMask(node.tensor(BIAS));
    }
    return masks;
  }

  // ---------------------------------------------------------------- RotaryEmbedding

  /** A single position is that of the first element of each row. */
  private static List<Operand> rotary(NodeContext node) {
    if (node.attributes().flag("is_packed_batching", false)) {
      throw node.unsupported("packed batches are not supported", "");
    }
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    boolean isJoined = node.rank(x) == 3;
    Heads heads = isJoined ? Heads.split(node, x, rotaryHeads(node, x)) : new Heads(x, true);
    Expr given = e.cast(node.tensor(1), DType.INT64);
    Expr rows =
        node.rank(given) == 1
            ? e.unsqueeze(e.add(given, e.range(heads.positions(e))), 0)
            : e.broadcastable(given, List.of(heads.batch(e), heads.positions(e)));
    Heads rotated =
        RotaryEmbeddings.rotated(
            node,
            heads,
            e.take(node.tensor(2), rows, 0),
            e.take(node.tensor(3), rows, 0),
            node.attributes().flag("interleaved", false));
    return node.result(isJoined ? rotated.joined(e) : rotated.byHead(e));
  }

  /** Without the attribute the whole of each head is rotated. */
  private static PrimExpr rotaryHeads(NodeContext node, Expr x) {
    long heads = node.attributes().integer("num_heads", 0);
    if (heads > 0) {
      return IntImm.of(heads);
    }
    Emitter e = new Emitter(node);
    PrimExpr size = e.product(e.dim(node.tensor(2), 1), IntImm.of(2));
    return e.simplify(Exprs.floorDiv(e.dim(x, 2), size));
  }
}
