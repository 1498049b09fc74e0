package org.relaxvm.interoponnx.operator.attention;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Attention of {@code ai.onnx}, since version 23, and FlexAttention of {@code ai.onnx.preview}. */
public final class StandardAttention {
  private static final String PREVIEW = "ai.onnx.preview";
  private static final long UNBOUNDED = -1;

  private StandardAttention() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Attention", 23, StandardAttention::attention)
        .add(PREVIEW, "FlexAttention", StandardAttention::flexAttention);
  }

  // ---------------------------------------------------------------- Attention

  private enum Input {
    QUERY,
    KEY,
    VALUE,
    MASK,
    PAST_KEY,
    PAST_VALUE,
    LENGTHS
  }

  private static boolean has(NodeContext node, Input input) {
    return node.has(input.ordinal());
  }

  private static Expr tensor(NodeContext node, Input input) {
    return node.tensor(input.ordinal());
  }

  private static Heads heads(NodeContext node, Input input, String attribute) {
    Expr x = tensor(node, input);
    return node.rank(x) == 4
        ? new Heads(x, true)
        : Heads.split(node, x, IntImm.of(node.attributes().requiredInteger(attribute)));
  }

  private static List<Operand> attention(NodeContext node) {
    Emitter e = new Emitter(node);
    Heads query = heads(node, Input.QUERY, "q_num_heads");
    Heads key = heads(node, Input.KEY, "kv_num_heads");
    Heads value = heads(node, Input.VALUE, "kv_num_heads");
    if (has(node, Input.PAST_KEY) != has(node, Input.PAST_VALUE)) {
      throw node.unsupported("one of past_key and past_value is absent; expected both", "");
    }
    PrimExpr past = IntImm.of(0);
    if (has(node, Input.PAST_KEY)) {
      past = e.dim(tensor(node, Input.PAST_KEY), 2);
      key = key.after(e, tensor(node, Input.PAST_KEY));
      value = value.after(e, tensor(node, Input.PAST_VALUE));
    }
    DotProductAttention product =
        DotProductAttention.of(
            node, query, key, value, node.attributes().real("scale").map(Float::doubleValue));
    List<Operand> results = new ArrayList<>(computed(node, product, past));
    boolean isJoined = node.rank(tensor(node, Input.QUERY)) == 3;
    Heads y = new Heads(node.leaf(results.getFirst()), !isJoined);
    results.set(0, node.operandOf(isJoined ? y.joined(e) : y.tensor()));
    if (node.wants(1)) {
      results.set(1, node.operandOf(product.key().byHead(e)));
    }
    if (node.wants(2)) {
      results.set(2, node.operandOf(product.value().byHead(e)));
    }
    return results;
  }

  /** The first result in the layout that the node has, absent ones, and the scores. */
  private static List<Operand> computed(
      NodeContext node, DotProductAttention product, PrimExpr past) {
    Emitter e = new Emitter(node);
    boolean isJoined = node.rank(tensor(node, Input.QUERY)) == 3;
    double cap = node.attributes().real("softcap", 0);
    DType precision = precision(node, product.wide());
    Operand none = new Operand.Maybe(Optional.empty());
    if (!node.wants(3) && cap == 0 && precision.equals(product.wide())) {
      Heads y =
          fusedCausal(node, product, past)
              .orElseGet(() -> product.fused(masks(node, product, past).sum(product.dtype())));
      return List.of(node.operandOf(isJoined ? y.byPosition(e) : y.byHead(e)), none, none, none);
    }
    Optional<Expr> bias = masks(node, product, past).sum(product.wide());
    Expr raw = product.scores();
    Expr capped = product.capped(raw, cap);
    Expr biased = bias.isPresent() ? e.add(capped, bias.get()) : capped;
    Expr probabilities = product.probabilities(e.cast(biased, precision), bias);
    Heads y = product.weighted(probabilities);
    long mode = node.attributes().integer("qk_matmul_output_mode", 0);
    if (mode < 0 || mode > 3) {
      throw node.unsupported("qk_matmul_output_mode is " + mode + "; expected 0 to 3", "");
    }
    Expr shown = List.of(raw, capped, biased, probabilities).get((int) mode);
    return List.of(
        node.operandOf(isJoined ? y.byPosition(e) : y.byHead(e)),
        none,
        none,
        node.operandOf(e.cast(shown, product.dtype())));
  }

  static DType precision(NodeContext node, DType missing) {
    Optional<Long> number = node.attributes().integer("softmax_precision");
    if (number.isEmpty()) {
      return missing;
    }
    DType dtype = ElementType.of(number.get()).dtype();
    if (dtype == null || !dtype.isFloat() || dtype.isFloat8()) {
      throw node.unsupported(
          "softmax_precision is " + number.get() + "; expected 1, 10, 11 or 16", "");
    }
    // Narrower floats than those that sums are computed in are not less exact there.
    return dtype.bits() < Float.SIZE ? missing : dtype;
  }

  private static long window(NodeContext node, String name) {
    long window = node.attributes().integer(name, UNBOUNDED);
    if (window < UNBOUNDED) {
      throw node.unsupported(name + " is " + window + "; expected -1 or more", "");
    }
    return window;
  }

  /** Causal attention that needs no mask in memory. */
  private static Optional<Heads> fusedCausal(
      NodeContext node, DotProductAttention product, PrimExpr past) {
    Emitter e = new Emitter(node);
    long left = window(node, "left_window_size");
    boolean isPlain =
        node.attributes().flag("is_causal", false)
            && !has(node, Input.MASK)
            && !has(node, Input.LENGTHS);
    if (!isPlain) {
      return Optional.empty();
    }
    List<PrimExpr> scores = product.scoreDims();
    boolean isTopLeft = past instanceof IntImm zero && zero.value() == 0;
    if (!isTopLeft && !Masks.isDifference(e, scores.get(3), scores.get(2), past)) {
      return Optional.empty();
    }
    return Optional.of(
        product.fusedCausal(
            !isTopLeft, left == UNBOUNDED ? Optional.empty() : Optional.of(left + 1)));
  }

  private static Masks masks(NodeContext node, DotProductAttention product, PrimExpr past) {
    Emitter e = new Emitter(node);
    Masks masks = new Masks(node, product.scoreDims());
    Expr offset = Masks.offset(past);
    if (has(node, Input.MASK)) {
      masks.addMask(tensor(node, Input.MASK));
    }
    if (has(node, Input.LENGTHS)) {
      Expr lengths = tensor(node, Input.LENGTHS);
      masks.requireBelow(lengths);
      if (!has(node, Input.PAST_KEY)) {
        offset = e.subtract(masks.perBatch(lengths), Masks.offset(product.scoreDims().get(2)));
      }
    }
    if (node.attributes().flag("is_causal", false)) {
      masks.requireCausal(offset);
    }
    long left = window(node, "left_window_size");
    if (left != UNBOUNDED) {
      masks.requireLeft(offset, left);
    }
    long right = window(node, "right_window_size");
    if (right != UNBOUNDED) {
      masks.requireRight(offset, right);
    }
    return masks;
  }

  // ---------------------------------------------------------------- FlexAttention

  /** Subgraphs change the scores before, and the weights after the softmax. */
  private static List<Operand> flexAttention(NodeContext node) {
    Emitter e = new Emitter(node);
    List<Heads> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      if (node.rank(node.tensor(i)) != 4) {
        throw node.unsupported(
            "input " + i + " has " + node.rank(node.tensor(i)) + " axes; expected 4", "");
      }
      all.add(new Heads(node.tensor(i), true));
    }
    DotProductAttention product =
        DotProductAttention.of(
            node,
            all.get(0),
            all.get(1),
            all.get(2),
            node.attributes().real("scale").map(Float::doubleValue));
    DType precision =
        node.attributes()
            .integer("softmax_precision")
            .map(number -> ElementType.of(number).dtype())
            .orElse(product.wide());
    Expr scores = modified(node, "score_mod", e.cast(product.scores(), precision));
    Expr weights = modified(node, "prob_mod", e.softmax(scores, 3));
    return node.result(product.weighted(weights).byHead(e));
  }

  private static Expr modified(NodeContext node, String attribute, Expr x) {
    if (!node.attributes().has(attribute)) {
      return x;
    }
    List<Operand> results =
        node.inline(node.attributes().graph(attribute), List.of(node.operandOf(x)), attribute);
    if (results.size() != 1) {
      throw node.unsupported(
          "the subgraph " + attribute + " has " + results.size() + " outputs; expected 1", "");
    }
    return new Emitter(node).withDims(node.leaf(results.getFirst()), node.dims(x));
  }
}
