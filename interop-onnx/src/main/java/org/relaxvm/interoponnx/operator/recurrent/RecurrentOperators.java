package org.relaxvm.interoponnx.operator.recurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.nn.Recurrent;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.serial.GateFunction;
import org.relaxvm.tir.op.serial.GateFunction.Kind;

/** Recurrent layers: RNN, GRU and LSTM. */
public final class RecurrentOperators {
  private RecurrentOperators() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("RNN", 1, node -> new Layer(node, 1).results(RecurrentOperators::rnn, Kind.TANH))
        .add(
            "GRU",
            1,
            node -> new Layer(node, 3).results(RecurrentOperators::gru, Kind.SIGMOID, Kind.TANH))
        .add(
            "LSTM",
            1,
            node ->
                new Layer(node, 4)
                    .results(RecurrentOperators::lstm, Kind.SIGMOID, Kind.TANH, Kind.TANH));
  }

  /** A call of one direction. */
  private interface Call {
    Expr of(Layer layer, int direction, Attrs attrs);
  }

  private static Expr rnn(Layer layer, int direction, Attrs attrs) {
    Expr x = layer.contributions(direction, layer.bias(direction, true));
    return layer.node.emit(Recurrent.rnn(layer.arguments(direction, x), attrs));
  }

  /** Where the reset gate comes after the product, it also applies to the bias of the weights. */
  private static Expr gru(Layer layer, int direction, Attrs attrs) {
    if (!layer.node.attributes().flag("linear_before_reset", false)) {
      Expr x = layer.contributions(direction, layer.bias(direction, true));
      return layer.node.emit(Recurrent.gru(layer.arguments(direction, x), attrs));
    }
    Expr x = layer.contributions(direction, layer.bias(direction, false));
    Expr own =
        layer
            .half(direction, 1)
            .map(bias -> layer.e.slice(bias, 0, layer.size * 2, layer.size * 3))
            .orElseGet(() -> layer.e.zeros(List.of(IntImm.of(layer.size)), layer.dtype));
    return layer.node.emit(Recurrent.gru(layer.arguments(direction, x, own), attrs));
  }

  private static Expr lstm(Layer layer, int direction, Attrs attrs) {
    Expr x = layer.contributions(direction, layer.bias(direction, true));
    List<Expr> args = layer.arguments(direction, x, layer.initial(6, direction));
    if (layer.node.has(7)) {
      args.add(
          layer.e.withDims(
              layer.e.at(layer.node.tensor(7), 0, direction), List.of(IntImm.of(3 * layer.size))));
    }
    boolean couple = layer.node.attributes().flag("input_forget", false);
    return layer.node.emit(Recurrent.lstm(args, attrs, couple));
  }

  /** A node. Not thread-safe. */
  private static final class Layer {
    final NodeContext node;
    final Emitter e;
    final DType dtype;
    final long size;
    private final int gates;
    private final boolean batchFirst;
    private final Expr x;
    private final PrimExpr steps;
    private final PrimExpr batch;
    private final List<Boolean> reverse;
    private @Nullable Expr lengths;

    Layer(NodeContext node, int gates) {
      this.node = node;
      this.gates = gates;
      this.e = new Emitter(node);
      this.batchFirst = node.attributes().flag("layout", false);
      Expr given = node.tensor(0);
      if (node.rank(given) != 3
          || node.rank(node.tensor(1)) != 3
          || node.rank(node.tensor(2)) != 3) {
        throw node.unsupported("expected X, W and R of 3 axes each", "");
      }
      this.x = batchFirst ? e.permute(given, 1, 0, 2) : given;
      this.dtype = node.dtype(x);
      this.steps = e.dim(x, 0);
      this.batch = e.dim(x, 1);
      if (!(e.dim(node.tensor(2), 2) instanceof IntImm hidden)) {
        throw node.unsupported("the hidden size is computed at run time", "");
      }
      this.size = hidden.value();
      String direction = node.attributes().string("direction", "forward");
      this.reverse =
          switch (direction) {
            case "forward" -> List.of(false);
            case "reverse" -> List.of(true);
            case "bidirectional" -> List.of(false, true);
            default ->
                throw node.unsupported(
                    "the direction is '"
                        + direction
                        + "'; expected forward, reverse or bidirectional",
                    "");
          };
    }

    /** All outputs: hidden states with the axis of the directions, then the last states. */
    List<Operand> results(Call call, Kind... functions) {
      List<List<GateFunction>> all = GateFunctions.of(node, reverse.size(), functions);
      Double clip = node.attributes().real("clip").map(Float::doubleValue).orElse(null);
      List<Expr> calls = new ArrayList<>();
      for (int d = 0; d < reverse.size(); d++) {
        calls.add(call.of(this, d, Recurrent.attrs(all.get(d), reverse.get(d), clip)));
      }
      List<Expr> results = new ArrayList<>();
      results.add(joined(calls, 0, 1, y -> batchFirst ? e.permute(y, 2, 0, 1, 3) : y));
      for (int i = 1; i <= (gates == 4 ? 2 : 1); i++) {
        results.add(joined(calls, i, 0, h -> batchFirst ? e.permute(h, 1, 0, 2) : h));
      }
      return node.results(results);
    }

    private Expr joined(List<Expr> calls, int field, int axis, Function<Expr, Expr> layout) {
      List<Expr> parts =
          calls.stream().map(all -> node.emit(new TupleGetItem(all, field))).toList();
      return layout.apply(e.stack(axis, parts));
    }

    List<Expr> arguments(int direction, Expr inputs, Expr... more) {
      Expr recurrence =
          e.withDims(
              e.at(node.tensor(2), 0, direction),
              List.of(IntImm.of(gates * size), IntImm.of(size)));
      List<Expr> args = new ArrayList<>();
      args.add(inputs);
      args.add(e.transposed(recurrence));
      args.add(initial(5, direction));
      args.add(lengths());
      args.addAll(List.of(more));
      return args;
    }

    /** What the inputs contribute to the gates in all steps. */
    Expr contributions(int direction, Optional<Expr> bias) {
      Expr weights =
          e.withDims(
              e.at(node.tensor(1), 0, direction), List.of(IntImm.of(gates * size), e.dim(x, 2)));
      Expr product = e.matmul(x, e.transposed(weights));
      return bias.isPresent() ? e.add(product, bias.get()) : product;
    }

    /** The biases of inputs (0) or of the hidden state (1). */
    Optional<Expr> half(int direction, int which) {
      if (!node.has(3)) {
        return Optional.empty();
      }
      Expr own =
          e.withDims(e.at(node.tensor(3), 0, direction), List.of(IntImm.of(2 * gates * size)));
      return Optional.of(e.slice(own, 0, which * gates * size, (which + 1) * gates * size));
    }

    /**
     * The sum of the biases.
     *
     * @param whole whether that of the hidden state counts for the last gate, too
     */
    Optional<Expr> bias(int direction, boolean whole) {
      Optional<Expr> input = half(direction, 0);
      if (input.isEmpty()) {
        return Optional.empty();
      }
      Expr hidden = half(direction, 1).orElseThrow();
      if (!whole) {
        long kept = (gates - 1) * size;
        hidden = e.concat(0, e.slice(hidden, 0, 0, kept), e.zeros(List.of(IntImm.of(size)), dtype));
      }
      return Optional.of(e.add(input.get(), hidden));
    }

    /** A state at the start, {@code [b, h]}. */
    Expr initial(int input, int direction) {
      List<PrimExpr> dims = List.of(batch, IntImm.of(size));
      return node.has(input)
          ? e.withDims(e.at(node.tensor(input), batchFirst ? 1 : 0, direction), dims)
          : e.zeros(dims, dtype);
    }

    private Expr lengths() {
      Expr known = lengths;
      if (known == null) {
        known =
            node.has(4)
                ? e.withDims(node.tensor(4), List.of(batch))
                : node.emit(Ops.full(new ShapeExpr(List.of(batch)), e.scalar(steps)));
        lengths = known;
      }
      return known;
    }
  }
}
