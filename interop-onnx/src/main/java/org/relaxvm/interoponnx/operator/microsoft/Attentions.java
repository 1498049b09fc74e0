package org.relaxvm.interoponnx.operator.microsoft;

import static org.relaxvm.interoponnx.convert.OperatorTable.MICROSOFT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.attention.Caches;
import org.relaxvm.interoponnx.operator.attention.DotProductAttention;
import org.relaxvm.interoponnx.operator.attention.Heads;
import org.relaxvm.interoponnx.operator.attention.Masks;
import org.relaxvm.interoponnx.operator.attention.RotaryEmbeddings;
import org.relaxvm.interoponnx.operator.quantized.QuantizedProducts;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Attention of several heads, with projections, biases, masks and caches. */
final class Attentions {
  private Attentions() {}

  static void addTo(OperatorTable.Builder table) {
    table
        .add(MICROSOFT, "Attention", Attentions::attention)
        .add(MICROSOFT, "QAttention", Attentions::quantized)
        .add(MICROSOFT, "MultiHeadAttention", Attentions::multiHead)
        .add(MICROSOFT, "DecoderMaskedMultiHeadAttention", Attentions::decoder);
  }

  /** The operands of a kind of attention. */
  private record Projected(Heads query, Heads key, Heads value) {}

  /** By number, where inputs lie; -1 for one that an operator never has. */
  private record Inputs(int mask, int bias) {}

  static IntImm heads(NodeContext node, String attribute) {
    long heads = node.attributes().requiredInteger(attribute);
    if (heads < 1) {
      throw node.unsupported(attribute + " is " + heads + "; expected 1 or more", "");
    }
    return IntImm.of(heads);
  }

  /** The attribute {@code scale}, where 0 means that there is none. */
  static Optional<Double> scale(NodeContext node) {
    return node.attributes().real("scale").filter(s -> s != 0).map(Float::doubleValue);
  }

  // ---------------------------------------------------------------- the product

  /**
   * The result {@code [b, sq, n * d]}, and the weights where the last output is wanted.
   *
   * @param causal whether queries see only keys up to their own position
   */
  private static Expr[] product(
      NodeContext node, Projected all, PrimExpr past, Inputs inputs, boolean causal, int weights) {
    Emitter e = new Emitter(node);
    DotProductAttention product =
        DotProductAttention.of(node, all.query, all.key, all.value, scale(node));
    List<PrimExpr> scores = product.scoreDims();
    Masks masks = new Masks(node, scores);
    DType dtype = product.dtype();
    if (node.has(inputs.mask)) {
      PaddingMasks.add(node, masks, node.tensor(inputs.mask), scores, past, dtype);
    }
    if (inputs.bias >= 0 && node.has(inputs.bias)) {
      masks.add(node.tensor(inputs.bias));
    }
    boolean showsWeights = weights >= 0 && node.wants(weights);
    boolean isTopLeft = past instanceof IntImm zero && zero.value() == 0;
    if (causal && masks.isEmpty() && isTopLeft && !showsWeights) {
      return new Expr[] {product.fusedCausal(false, Optional.empty()).joined(e)};
    }
    if (causal) {
      masks.requireCausal(new PrimValue(past));
    }
    Optional<Expr> bias = masks.sum(showsWeights ? product.wide() : dtype);
    if (!showsWeights) {
      return new Expr[] {product.fused(bias).joined(e)};
    }
    Expr raw = product.scores();
    Expr shown = product.probabilities(bias.isPresent() ? e.add(raw, bias.get()) : raw, bias);
    return new Expr[] {product.weighted(shown).joined(e), e.cast(shown, dtype)};
  }

  // ---------------------------------------------------------------- Attention

  /**
   * By number, where the inputs of attention with a projection lie; -1 for one that it never has.
   *
   * @param past caches of keys and values, stacked
   * @param filled the number of positions of a shared buffer that are in use, as extents
   */
  private record ProjectedInputs(int past, int filled, Inputs masks) {}

  private static List<Operand> attention(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr projection = e.matmul(node.tensor(0), node.tensor(1));
    if (node.has(2)) {
      projection = e.add(projection, node.tensor(2));
    }
    return attention(node, projection, new ProjectedInputs(4, 6, new Inputs(3, 5)));
  }

  /** The projection is a product of 8-bit integers. */
  private static List<Operand> quantized(NodeContext node) {
    Expr projection =
        QuantizedProducts.toFloat(node, new QuantizedProducts.FloatProduct(3, 4, 6, 7, 2));
    Expr typed = new Emitter(node).cast(projection, node.dtype(node.tensor(3)));
    return attention(node, typed, new ProjectedInputs(8, -1, new Inputs(5, -1)));
  }

  /** Splits a projection into queries, keys and values; caches are stacked. */
  private static List<Operand> attention(
      NodeContext node, Expr projection, ProjectedInputs inputs) {
    Emitter e = new Emitter(node);
    IntImm heads = heads(node, "num_heads");
    Projected own = parts(node, projection, sizes(node, e.dim(projection, 2)), heads);
    Optional<PrimExpr> filled = filled(node, inputs.filled);
    Optional<Expr> pastKey = node.optional(inputs.past).map(past -> e.at(past, 0, 0));
    Optional<Expr> pastValue = node.optional(inputs.past).map(past -> e.at(past, 0, 1));
    PrimExpr past =
        filled.orElseGet(() -> pastKey.isPresent() ? e.dim(pastKey.get(), 2) : IntImm.of(0));
    if (node.attributes().flag("do_rotary", false)) {
      own = new Projected(rotated(node, own.query, past), rotated(node, own.key, past), own.value);
    }
    Caches key = Caches.of(node, own.key, pastKey, filled);
    Caches value = Caches.of(node, own.value, pastValue, filled);
    boolean causal = node.attributes().flag("unidirectional", false);
    int mask = inputs.masks.mask;
    boolean isMaskCausal = node.has(mask) && node.rank(node.tensor(mask)) == 4;
    Expr[] y =
        product(
            node,
            new Projected(own.query, key.all(), value.all()),
            past,
            inputs.masks,
            causal && !isMaskCausal,
            -1);
    List<Expr> results = new ArrayList<>(List.of(y[0]));
    if (node.wants(1)) {
      results.add(e.stack(0, List.of(key.present(), value.present())));
    }
    return node.results(results);
  }

  private static List<PrimExpr> sizes(NodeContext node, PrimExpr columns) {
    Optional<List<Long>> given =
        node.attributes().integers("qkv_hidden_sizes").filter(list -> !list.isEmpty());
    if (given.isPresent()) {
      if (given.get().size() != 3) {
        throw node.unsupported(
            "qkv_hidden_sizes has " + given.get().size() + " numbers; expected 3", "");
      }
      return given.get().stream().<PrimExpr>map(IntImm::of).toList();
    }
    if (!(columns instanceof IntImm count) || count.value() % 3 != 0) {
      throw node.unsupported(
          "the projection has " + Emitter.text(columns) + " columns; expected three equal parts",
          "give the attribute qkv_hidden_sizes");
    }
    IntImm third = IntImm.of(count.value() / 3);
    return List.of(third, third, third);
  }

  /** Columns of one tensor as queries, keys and values. */
  private static Projected parts(NodeContext node, Expr x, List<PrimExpr> sizes, IntImm heads) {
    Emitter e = new Emitter(node);
    List<Heads> parts = new ArrayList<>();
    PrimExpr from = IntImm.of(0);
    for (PrimExpr size : sizes) {
      PrimExpr to = e.sum(from, size);
      parts.add(Heads.split(node, e.slice(x, 2, from, to), heads));
      from = to;
    }
    return new Projected(parts.get(0), parts.get(1), parts.get(2));
  }

  /** The number of positions of a shared buffer that are in use. */
  private static Optional<PrimExpr> filled(NodeContext node, int input) {
    return input >= 0 && node.has(input)
        ? Optional.of(node.extents(input).getFirst())
        : Optional.empty();
  }

  /** Pairs of the two halves are rotated by {@code position * 10000^(-2 i / r)}. */
  private static Heads rotated(NodeContext node, Heads heads, PrimExpr past) {
    Emitter e = new Emitter(node);
    if (!(heads.size(e) instanceof IntImm size)) {
      throw node.unsupported("the size of a head is computed at run time", "");
    }
    long given = node.attributes().integer("rotary_embedding_dim", 0);
    long elements = given == 0 ? size.value() : given;
    Expr positions = e.cast(e.add(e.range(heads.positions(e)), new PrimValue(past)), DType.FLOAT32);
    Expr step = e.cast(e.range(IntImm.of(elements / 2)), DType.FLOAT32);
    Expr frequencies = node.emit(Ops.exp(e.multiply(step, -2 * Math.log(10000) / elements)));
    Expr angles = e.unsqueeze(e.multiply(e.unsqueeze(positions, 1), frequencies), 0);
    return RotaryEmbeddings.rotated(
        node, heads, node.emit(Ops.cos(angles)), node.emit(Ops.sin(angles)), false);
  }

  // ---------------------------------------------------------------- MultiHeadAttention

  private static List<Operand> multiHead(NodeContext node) {
    refuseBeams(node, 9);
    Projected own = multiHeadInputs(node, 3);
    return cached(
        node,
        own,
        6,
        filled(node, 8),
        new Inputs(4, 5),
        node.attributes().flag("unidirectional", false));
  }

  private static void refuseBeams(NodeContext node, int input) {
    if (node.has(input)) {
      throw node.unsupported("caches with an indirection for beam search are not supported", "");
    }
  }

  /** Outputs are the result, the caches, and the weights. */
  private static List<Operand> cached(
      NodeContext node,
      Projected own,
      int pastInput,
      Optional<PrimExpr> filled,
      Inputs inputs,
      boolean causal) {
    Caches key = Caches.of(node, own.key, node.optional(pastInput), filled);
    Caches value = Caches.of(node, own.value, node.optional(pastInput + 1), filled);
    Expr[] y =
        product(
            node, new Projected(own.query, key.all(), value.all()), key.past(), inputs, causal, 3);
    List<Operand> results = new ArrayList<>();
    results.add(node.operandOf(y[0]));
    Operand none = new Operand.Maybe(Optional.empty());
    results.add(node.wants(1) ? node.operandOf(key.present()) : none);
    results.add(node.wants(2) ? node.operandOf(value.present()) : none);
    results.add(y.length > 1 ? node.operandOf(y[1]) : none);
    return results;
  }

  /** Queries, keys and values that are separate, packed, or already have heads. */
  private static Projected multiHeadInputs(NodeContext node, int biasInput) {
    Emitter e = new Emitter(node);
    IntImm heads = heads(node, "num_heads");
    Expr query = node.tensor(0);
    if (node.rank(query) == 5) {
      return new Projected(
          biased(node, packed(e, query, 0), biasInput, 0),
          biased(node, packed(e, query, 1), biasInput, 1),
          biased(node, packed(e, query, 2), biasInput, 2));
    }
    Heads q = biased(node, Heads.split(node, query, heads), biasInput, 0);
    if (!node.has(1)) {
      throw node.unsupported("the keys are absent; expected them, or packed queries", "");
    }
    Expr key = node.tensor(1);
    if (node.rank(key) == 5) {
      return new Projected(
          q,
          biased(node, packed(e, key, 0), biasInput, 1),
          biased(node, packed(e, key, 1), biasInput, 2));
    }
    Expr value = node.tensor(2);
    if (node.rank(key) == 4) {
      return new Projected(q, new Heads(key, true), new Heads(value, true));
    }
    return new Projected(
        q,
        biased(node, Heads.split(node, key, heads), biasInput, 1),
        biased(node, Heads.split(node, value, heads), biasInput, 2));
  }

  private static Heads packed(Emitter e, Expr x, int part) {
    return new Heads(e.at(x, 3, part), false);
  }

  /** The heads plus their part of the bias of queries, keys and values. */
  private static Heads biased(NodeContext node, Heads heads, int input, int part) {
    if (!node.has(input)) {
      return heads;
    }
    Emitter e = new Emitter(node);
    Expr bias = node.tensor(input);
    PrimExpr width = e.product(heads.count(e), heads.size(e));
    PrimExpr from =
        part < 2 ? e.product(width, IntImm.of(part)) : e.difference(e.dim(bias, 0), width);
    Expr own = e.slice(bias, 0, from, e.sum(from, width));
    Expr shaped = e.reshape(own, List.of(heads.count(e), heads.size(e)));
    return new Heads(e.add(heads.byPosition(e), shaped), false);
  }

  // ---------------------------------------------------------------- one query

  private static List<Operand> decoder(NodeContext node) {
    refuseBeams(node, 9);
    if (node.has(1)) {
      return cached(
          node, multiHeadInputs(node, 10), 5, decoderFilled(node), new Inputs(3, 4), false);
    }
    Emitter e = new Emitter(node);
    Expr packed = node.tensor(0);
    Expr all = node.has(10) ? e.add(packed, node.tensor(10)) : packed;
    Projected own = parts(node, all, sizes(node, e.dim(all, 2)), heads(node, "num_heads"));
    return cached(node, own, 5, decoderFilled(node), new Inputs(3, 4), false);
  }

  private static Optional<PrimExpr> decoderFilled(NodeContext node) {
    return node.attributes().flag("past_present_share_buffer", false)
        ? filled(node, 7)
        : Optional.empty();
  }
}
