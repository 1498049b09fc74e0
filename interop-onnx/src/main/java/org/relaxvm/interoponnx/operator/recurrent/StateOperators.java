package org.relaxvm.interoponnx.operator.recurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.nn.ConvOptions;
import org.relaxvm.compiler.op.nn.Convolutions;
import org.relaxvm.compiler.op.nn.LinearAttention;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.attention.Heads;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Layers that carry a state from one part of a sequence to the next. */
public final class StateOperators {
  private StateOperators() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("CausalConvWithState", 27, StateOperators::causalConvolution)
        .add(OperatorTable.MICROSOFT, "CausalConvWithState", StateOperators::causalConvolution)
        .add("LinearAttention", 27, StateOperators::linearAttention)
        .add(OperatorTable.MICROSOFT, "LinearAttention", StateOperators::linearAttention);
  }

  private static void requireNone(NodeContext node, String attribute, long plain) {
    long value = node.attributes().integer(attribute, plain);
    if (value != plain) {
      throw node.unsupported(
          "the attribute " + attribute + " is " + value + "; only " + plain + " is supported", "");
    }
  }

  // ---------------------------------------------------------------- convolution

  /** The state is what the convolution reads before the first position. */
  private static List<Operand> causalConvolution(NodeContext node) {
    requireNone(node, "ndim", 1);
    requireNone(node, "channels_last", 0);
    requireNone(node, "state_window", 0);
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    Expr weight = node.tensor(1);
    if (node.rank(x) != 3 || node.rank(weight) != 3) {
      throw node.unsupported("expected an input and weights of 3 axes each", "");
    }
    List<PrimExpr> dims = node.dims(x);
    long dilation = node.attributes().integer("dilation", 1);
    if (!(e.dim(weight, 0) instanceof IntImm channels)
        || !(e.dim(weight, 2) instanceof IntImm taps)) {
      throw node.unsupported("the shape of the weights is computed at run time", "");
    }
    PrimExpr state = IntImm.of((taps.value() - 1) * dilation);
    List<PrimExpr> stateDims = List.of(dims.get(0), channels, state);
    Expr before =
        node.has(3) ? e.withDims(node.tensor(3), stateDims) : e.zeros(stateDims, node.dtype(x));
    Expr fitting = e.withDims(x, List.of(dims.get(0), channels, dims.get(2)));
    Expr padded = e.concat(2, before, fitting);
    ConvOptions options =
        ConvOptions.DEFAULT.withGroups((int) channels.value()).withDilation(dilation);
    Expr y = node.emit(Convolutions.conv1d(padded, weight, options));
    if (node.has(2)) {
      y = e.add(y, e.reshape(node.tensor(2), List.of(channels, IntImm.of(1))));
    }
    Expr present = e.slice(padded, 2, dims.get(2), e.sum(dims.get(2), state));
    return node.results(List.of(activated(node, e.withDims(y, node.dims(fitting))), present));
  }

  private static Expr activated(NodeContext node, Expr x) {
    String activation = node.attributes().string("activation", "none");
    Emitter e = new Emitter(node);
    return switch (activation) {
      case "none" -> x;
      case "silu", "swish" -> {
        DType dtype = node.dtype(x);
        Expr wide = e.cast(x, dtype.bits() < Float.SIZE ? DType.FLOAT32 : dtype);
        yield e.cast(e.multiply(wide, e.sigmoid(wide)), dtype);
      }
      default ->
          throw node.unsupported(
              "the activation is '" + activation + "'; expected none, silu or swish", "");
    };
  }

  // ---------------------------------------------------------------- linear attention

  private static List<Operand> linearAttention(NodeContext node) {
    requireNone(node, "state_window", 0);
    if (node.has(6)) {
      throw node.unsupported("an erase gate is not supported", "");
    }
    Emitter e = new Emitter(node);
    long queries = node.attributes().requiredInteger("q_num_heads");
    long keys = node.attributes().requiredInteger("kv_num_heads");
    if (keys < 1 || queries < 1 || queries % keys != 0) {
      throw node.unsupported(
          "the heads of queries and keys are "
              + queries
              + " and "
              + keys
              + "; expected numbers of which the second divides the first",
          "");
    }
    Heads query = Heads.split(node, node.tensor(0), IntImm.of(queries));
    PrimExpr batch = query.batch(e);
    PrimExpr steps = query.positions(e);
    Heads key =
        Heads.split(node, node.tensor(1), IntImm.of(keys))
            .withDims(e, batch, steps, IntImm.of(keys), query.size(e));
    Heads given = Heads.split(node, node.tensor(2), IntImm.of(keys));
    Heads value = given.withDims(e, batch, steps, IntImm.of(keys), given.size(e));
    List<PrimExpr> stateDims = List.of(batch, IntImm.of(keys), key.size(e), value.size(e));
    Expr state =
        node.has(3)
            ? e.withDims(node.tensor(3), stateDims)
            : e.zeros(stateDims, node.dtype(query.tensor()));
    Rule rule = rule(node);
    Expr both =
        node.emit(
            LinearAttention.linearAttention(
                List.of(query.tensor(), key.tensor(), value.tensor(), state),
                rule.decays ? Optional.of(decay(node, key)) : Optional.empty(),
                rule.corrects ? Optional.of(rates(node, key)) : Optional.empty(),
                scale(node, query.size(e))));
    Heads y = new Heads(node.emit(new TupleGetItem(both, 0)), false);
    List<Expr> results = new ArrayList<>(List.of(y.joined(e)));
    results.add(node.emit(new TupleGetItem(both, 1)));
    return node.results(results);
  }

  private record Rule(boolean decays, boolean corrects) {}

  private static Rule rule(NodeContext node) {
    String name = node.attributes().string("update_rule", "gated_delta");
    Rule rule =
        switch (name) {
          case "linear" -> new Rule(false, false);
          case "gated" -> new Rule(true, false);
          case "delta" -> new Rule(false, true);
          case "gated_delta" -> new Rule(true, true);
          default ->
              throw node.unsupported(
                  "the update rule is '" + name + "'; expected linear, gated, delta or gated_delta",
                  "");
        };
    if (rule.decays != node.has(4) || rule.corrects != node.has(5)) {
      throw node.unsupported(
          "the update rule " + name + " does not fit the inputs decay and beta that are given", "");
    }
    return rule;
  }

  private static double scale(NodeContext node, PrimExpr size) {
    double scale = node.attributes().real("scale", 0);
    if (scale != 0) {
      return scale;
    }
    if (size instanceof IntImm known) {
      return 1 / Math.sqrt(known.value());
    }
    throw node.unsupported(
        "the size of a head is computed at run time", "give the inputs of the model shapes");
  }

  /** {@code [b, t, h, dk]}, or {@code [b, t, h, 1]}. */
  private static Expr decay(NodeContext node, Heads key) {
    Emitter e = new Emitter(node);
    Expr decay = node.tensor(4);
    PrimExpr batch = key.batch(e);
    PrimExpr steps = key.positions(e);
    if (node.rank(decay) == 3 && e.areEqual(e.dim(decay, 2), key.count(e))) {
      return e.unsqueeze(e.withDims(decay, List.of(batch, steps, key.count(e))), 3);
    }
    return Heads.split(node, decay, key.count(e))
        .withDims(e, batch, steps, key.count(e), key.size(e))
        .tensor();
  }

  /** {@code [b, t, h]}, or {@code [b, t, 1]}. */
  private static Expr rates(NodeContext node, Heads key) {
    Emitter e = new Emitter(node);
    if (node.rank(node.tensor(5)) != 3) {
      throw node.unsupported(
          "beta has " + node.rank(node.tensor(5)) + " axes; expected [batch, steps, heads]", "");
    }
    return e.broadcastable(node.tensor(5), List.of(key.batch(e), key.positions(e), key.count(e)));
  }
}
