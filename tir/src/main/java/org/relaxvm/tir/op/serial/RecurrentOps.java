package org.relaxvm.tir.op.serial;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Recurrent layers: all steps of a sequence in one kernel. The contribution of the inputs to the
 * gates is computed before, for all steps at once.
 *
 * <p>Tensors are floats of one dtype; float16 and bfloat16 are computed in float32. A sequence that
 * is shorter than the others keeps its state beyond its end, and gives zeros there.
 */
public final class RecurrentOps {
  /**
   * What all recurrent layers read.
   *
   * @param x contributions of inputs and biases to the gates, {@code [steps, b, gates * h]}
   * @param recurrence weights of the hidden state, {@code [h, gates * h]}
   * @param hidden the hidden state at the start, {@code [b, h]}
   * @param lengths of the sequences, integers {@code [b]}
   */
  public record Inputs(
      TensorExpr x, TensorExpr recurrence, TensorExpr hidden, TensorExpr lengths) {}

  /**
   * How a layer computes.
   *
   * @param functions of its gates, in the order of its definition
   * @param reverse whether it goes from the end of each sequence to its start
   * @param clip bound of what functions are applied to; null means none
   */
  public record Options(List<GateFunction> functions, boolean reverse, @Nullable Double clip) {
    /** Copies the list. */
    public Options {
      functions = List.copyOf(functions);
    }

    private PrimExpr apply(int function, PrimExpr x) {
      return functions
          .get(function)
          .of(clip == null ? x : Arith.clamp(x, Arith.like(x, -clip), Arith.like(x, clip)));
    }
  }

  private RecurrentOps() {}

  /** The state of a layer while its steps are described. */
  private static final class Layer {
    final String name;
    final Inputs in;
    final Options options;
    final DType dtype;
    final DType wide;
    final PrimExpr steps;
    final PrimExpr batch;
    final PrimExpr size;
    final List<Buffer> buffers = new ArrayList<>();
    final Buffer y;
    final Buffer last;
    final Buffer hidden;
    final Buffer gates;

    Layer(String op, String name, Inputs in, Options options, int gateCount, int functionCount) {
      this.name = name;
      this.in = in;
      this.options = options;
      dtype = in.x.dtype();
      wide = Arith.wide(dtype);
      check(op, in, gateCount);
      Check.count(op, "functions", options.functions, functionCount);
      steps = in.x.shape().get(0);
      batch = in.hidden.shape().get(0);
      size = in.hidden.shape().get(1);
      y = buffer("", dtype, List.of(steps, batch, size));
      last = buffer("_hidden", dtype, List.of(batch, size));
      hidden = buffer("_state", wide, List.of(batch, size));
      gates = buffer("_gates", wide, List.of(batch, in.x.shape().get(2)));
    }

    final Buffer buffer(String suffix, DType type, List<PrimExpr> shape) {
      Buffer buffer = Buffer.of(name + suffix, type, shape);
      buffers.add(buffer);
      return buffer;
    }

    PrimExpr read(TensorExpr tensor, PrimExpr... index) {
      return Exprs.cast(wide, tensor.at(index));
    }

    PrimExpr gate(PrimExpr b, int gate, PrimExpr i) {
      return gates.load(List.of(b, Exprs.add(Exprs.mul(size, gate), i)));
    }

    Stmt setGate(PrimExpr b, int gate, PrimExpr i, PrimExpr value) {
      return new BufferStore(gates, value, List.of(b, Exprs.add(Exprs.mul(size, gate), i)));
    }

    /** Gates {@code from} to {@code to} plus the product of a state and their weights. */
    Stmt addProduct(PrimExpr b, Buffer state, int from, int to) {
      PrimExpr begin = Exprs.mul(size, from);
      return Lines.loop(
          "k",
          size,
          k ->
              Lines.loop(
                  "j",
                  Dims.simplify(Exprs.mul(size, to - from)),
                  j -> {
                    PrimExpr column = Exprs.add(begin, j);
                    List<PrimExpr> at = List.of(b, column);
                    PrimExpr part =
                        Exprs.mul(state.load(List.of(b, k)), read(in.recurrence, k, column));
                    return new BufferStore(gates, Exprs.add(gates.load(at), part), at);
                  }));
    }

    Stmt eachUnit(Function<PrimExpr, Stmt> body) {
      return Lines.loop("i", size, body::apply);
    }

    Stmt copy(PrimExpr b, TensorExpr from, Buffer to) {
      return eachUnit(i -> new BufferStore(to, read(from, b, i), List.of(b, i)));
    }

    Stmt narrow(PrimExpr b, Buffer from, Buffer to) {
      return eachUnit(
          i -> {
            List<PrimExpr> at = List.of(b, i);
            return new BufferStore(to, Exprs.cast(dtype, from.load(at)), at);
          });
    }

    /** The new hidden state, which is the result of a step. */
    Stmt setHidden(PrimExpr t, PrimExpr b, PrimExpr i, PrimExpr value) {
      List<PrimExpr> at = List.of(b, i);
      return Lines.seq(
          new BufferStore(hidden, value, at),
          new BufferStore(y, Exprs.cast(dtype, hidden.load(at)), List.of(t, b, i)));
    }

    /**
     * The kernel: for each sequence a start, all steps, and an end.
     *
     * @param step what is done when the gates hold the contributions of a step
     */
    List<TensorExpr> build(
        KernelBuilder k,
        Function<PrimExpr, Stmt> start,
        Function<List<PrimExpr>, Stmt> step,
        Function<PrimExpr, Stmt> end) {
      Stmt body =
          Lines.block(
              name + "_sequence",
              List.of(batch),
              List.of(),
              line -> {
                PrimExpr b = line.getFirst();
                return Lines.seq(
                    copy(b, in.hidden, hidden),
                    start.apply(b),
                    Lines.loop("s", steps, s -> oneStep(s, b, step)),
                    narrow(b, hidden, last),
                    end.apply(b));
              });
      return k.points(buffers, body);
    }

    private Stmt oneStep(PrimExpr s, PrimExpr b, Function<List<PrimExpr>, Stmt> step) {
      PrimExpr t = options.reverse ? Exprs.sub(Exprs.sub(steps, 1), s) : s;
      Stmt load =
          Lines.loop(
              "j",
              gates.shape().get(1),
              j -> new BufferStore(gates, read(in.x, t, b, j), List.of(b, j)));
      Stmt beyond = eachUnit(i -> new BufferStore(y, Arith.of(dtype, 0), List.of(t, b, i)));
      return new IfThenElse(
          Exprs.lt(t, Arith.index(in.lengths.at(b))),
          Lines.seq(load, step.apply(List.of(t, b))),
          Optional.of(beyond));
    }
  }

  private static void check(String op, Inputs in, int gates) {
    Check.floats(op, in.x);
    Check.rank(op, in.x, 3);
    Check.rank(op, in.recurrence, 2);
    Check.rank(op, in.hidden, 2);
    Check.rank(op, in.lengths, 1);
    Check.sameDType(op, in.x, in.recurrence);
    Check.sameDType(op, in.x, in.hidden);
    Check.integers(op, in.lengths);
    PrimExpr size = in.hidden.shape().get(1);
    PrimExpr columns = Dims.simplify(Exprs.mul(size, gates));
    Dims.requireSame(
        op, in.x.shape().get(1), in.hidden.shape().get(0), "the batches of x and hidden");
    Dims.requireSame(
        op, in.x.shape().get(1), in.lengths.shape().get(0), "the batches of x and lengths");
    Dims.requireSame(op, in.x.shape().get(2), columns, "axis 2 of x and the gates");
    Dims.requireSame(
        op, in.recurrence.shape().get(0), size, "axis 0 of recurrence and axis 1 of hidden");
    Dims.requireSame(
        op, in.recurrence.shape().get(1), columns, "axis 1 of recurrence and the gates");
  }

  /**
   * A layer of one gate: {@code h' = f(x + h r)}.
   *
   * @param options with the function f
   * @return all hidden states {@code [steps, b, h]}, and the last one {@code [b, h]}
   */
  public static List<TensorExpr> rnn(KernelBuilder k, String name, Inputs in, Options options) {
    Layer layer = new Layer("rnn", name, in, options, 1, 1);
    return layer
        .build(
            k,
            b -> Lines.seq(),
            at -> {
              PrimExpr b = at.get(1);
              return Lines.seq(
                  layer.addProduct(b, layer.hidden, 0, 1),
                  layer.eachUnit(
                      i ->
                          layer.setHidden(
                              at.getFirst(), b, i, options.apply(0, layer.gate(b, 0, i)))));
            },
            b -> Lines.seq())
        .subList(0, 2);
  }

  /**
   * A gated recurrent unit, with the gates z, r, h: {@code z = f(..)}, {@code r = f(..)}, {@code n
   * = g(x + (r * h) R)} or, if the reset gate comes after the product, {@code n = g(x + r * (h R +
   * bias))}; {@code h' = (1 - z) * n + z * h}.
   *
   * @param options with the functions f, g
   * @param recurrentBias {@code [h]}, where the reset gate comes after the product; else null
   * @return all hidden states {@code [steps, b, h]}, and the last one {@code [b, h]}
   */
  public static List<TensorExpr> gru(
      KernelBuilder k,
      String name,
      Inputs in,
      Options options,
      @Nullable TensorExpr recurrentBias) {
    Layer layer = new Layer("gru", name, in, options, 3, 2);
    Buffer reset = layer.buffer("_reset", layer.wide, List.of(layer.batch, layer.size));
    if (recurrentBias != null) {
      Check.rank("gru", recurrentBias, 1);
      Check.sameDType("gru", in.x, recurrentBias);
      Dims.requireSame(
          "gru",
          recurrentBias.shape().getFirst(),
          layer.size,
          "recurrent_bias and axis 1 of hidden");
    }
    return layer
        .build(
            k,
            b -> Lines.seq(),
            at ->
                recurrentBias == null
                    ? gruStep(layer, reset, at)
                    : gruStep(layer, reset, at, recurrentBias),
            b -> Lines.seq())
        .subList(0, 2);
  }

  private static Stmt gruStep(Layer layer, Buffer reset, List<PrimExpr> at) {
    PrimExpr b = at.get(1);
    Stmt gated =
        layer.eachUnit(
            i ->
                new BufferStore(
                    reset,
                    Exprs.mul(
                        layer.options.apply(0, layer.gate(b, 1, i)),
                        layer.hidden.load(List.of(b, i))),
                    List.of(b, i)));
    return Lines.seq(
        layer.addProduct(b, layer.hidden, 0, 2),
        gated,
        layer.addProduct(b, reset, 2, 3),
        layer.eachUnit(i -> gruMix(layer, at, i, layer.gate(b, 2, i))));
  }

  /** The product of the hidden state and the weights of gate h goes to the buffer first. */
  private static Stmt gruStep(Layer layer, Buffer product, List<PrimExpr> at, TensorExpr bias) {
    PrimExpr b = at.get(1);
    Stmt start = layer.eachUnit(i -> new BufferStore(product, layer.read(bias, i), List.of(b, i)));
    Stmt multiply =
        Lines.loop(
            "k",
            layer.size,
            k ->
                layer.eachUnit(
                    i -> {
                      List<PrimExpr> own = List.of(b, i);
                      PrimExpr weight =
                          layer.read(
                              layer.in.recurrence, k, Exprs.add(Exprs.mul(layer.size, 2), i));
                      return new BufferStore(
                          product,
                          Exprs.add(
                              product.load(own),
                              Exprs.mul(layer.hidden.load(List.of(b, k)), weight)),
                          own);
                    }));
    return Lines.seq(
        layer.addProduct(b, layer.hidden, 0, 2),
        start,
        multiply,
        layer.eachUnit(
            i -> {
              PrimExpr r = layer.options.apply(0, layer.gate(b, 1, i));
              PrimExpr sum =
                  Exprs.add(layer.gate(b, 2, i), Exprs.mul(r, product.load(List.of(b, i))));
              return gruMix(layer, at, i, sum);
            }));
  }

  private static Stmt gruMix(Layer layer, List<PrimExpr> at, PrimExpr i, PrimExpr candidate) {
    PrimExpr b = at.get(1);
    PrimExpr z = layer.options.apply(0, layer.gate(b, 0, i));
    PrimExpr n = layer.options.apply(1, candidate);
    PrimExpr mix =
        Exprs.add(
            Exprs.mul(Exprs.sub(Arith.like(z, 1), z), n),
            Exprs.mul(z, layer.hidden.load(List.of(b, i))));
    return layer.setHidden(at.getFirst(), b, i, mix);
  }

  /**
   * A layer with long short-term memory, with the gates i, o, f, c: {@code c' = f * c + i * g(..)},
   * {@code h' = o * h(c')}.
   *
   * @param options with the functions f, g, h
   * @param cell the cell state at the start, {@code [b, h]}
   * @param peepholes weights of the cell state for the gates i, o, f, {@code [3 * h]}, or null
   * @param couples whether the gate f is {@code 1 - i}
   * @return all hidden states {@code [steps, b, h]}, the last one {@code [b, h]}, and the last cell
   *     state {@code [b, h]}
   */
  public static List<TensorExpr> lstm(
      KernelBuilder k,
      String name,
      Inputs in,
      Options options,
      TensorExpr cell,
      @Nullable TensorExpr peepholes,
      boolean couples) {
    Layer layer = new Layer("lstm", name, in, options, 4, 3);
    Check.rank("lstm", cell, 2);
    Check.sameDType("lstm", in.x, cell);
    for (int axis = 0; axis < 2; axis++) {
      Dims.requireSame(
          "lstm",
          in.hidden.shape().get(axis),
          cell.shape().get(axis),
          "axis " + axis + " of hidden and cell");
    }
    if (peepholes != null) {
      Check.rank("lstm", peepholes, 1);
      Check.sameDType("lstm", in.x, peepholes);
      Dims.requireSame(
          "lstm",
          peepholes.shape().getFirst(),
          Dims.simplify(Exprs.mul(layer.size, 3)),
          "peepholes and three gates");
    }
    List<PrimExpr> shape = List.of(layer.batch, layer.size);
    Buffer memory = layer.buffer("_memory", layer.wide, shape);
    Buffer lastCell = layer.buffer("_cell", layer.dtype, shape);
    List<TensorExpr> all =
        layer.build(
            k,
            b -> layer.copy(b, cell, memory),
            at -> lstmStep(layer, memory, peepholes, couples, at),
            b -> layer.narrow(b, memory, lastCell));
    return List.of(all.get(0), all.get(1), all.get(layer.buffers.indexOf(lastCell)));
  }

  private static Stmt lstmStep(
      Layer layer,
      Buffer memory,
      @Nullable TensorExpr peepholes,
      boolean couples,
      List<PrimExpr> at) {
    PrimExpr b = at.get(1);
    return Lines.seq(
        layer.addProduct(b, layer.hidden, 0, 4),
        layer.eachUnit(
            i -> {
              List<PrimExpr> own = List.of(b, i);
              PrimExpr old = memory.load(own);
              PrimExpr input =
                  layer.options.apply(0, seen(layer, peepholes, 0, i, old, layer.gate(b, 0, i)));
              PrimExpr forget =
                  couples
                      ? Exprs.sub(Arith.like(old, 1), layer.gate(b, 0, i))
                      : layer.options.apply(
                          0, seen(layer, peepholes, 2, i, old, layer.gate(b, 2, i)));
              PrimExpr candidate = layer.options.apply(1, layer.gate(b, 3, i));
              PrimExpr output =
                  layer.options.apply(0, seen(layer, peepholes, 1, i, old, layer.gate(b, 1, i)));
              return Lines.seq(
                  layer.setGate(b, 0, i, input),
                  new BufferStore(
                      memory,
                      Exprs.add(Exprs.mul(forget, old), Exprs.mul(layer.gate(b, 0, i), candidate)),
                      own),
                  layer.setHidden(
                      at.getFirst(),
                      b,
                      i,
                      Exprs.mul(output, layer.options.apply(2, memory.load(own)))));
            }));
  }

  /** A gate that also sees the cell state. */
  private static PrimExpr seen(
      Layer layer,
      @Nullable TensorExpr peepholes,
      int peephole,
      PrimExpr i,
      PrimExpr state,
      PrimExpr gate) {
    return peepholes == null
        ? gate
        : Exprs.add(
            gate,
            Exprs.mul(
                layer.read(peepholes, Exprs.add(Exprs.mul(layer.size, IntImm.of(peephole)), i)),
                state));
  }
}
