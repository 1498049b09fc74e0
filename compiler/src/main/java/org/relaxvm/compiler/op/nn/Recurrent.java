package org.relaxvm.compiler.op.nn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelInputs;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.serial.GateFunction;
import org.relaxvm.tir.op.serial.RecurrentOps;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Recurrent layers of one direction over whole sequences. {@code x [t, b, gates * h]} are the
 * contributions of inputs and biases to the gates, {@code recurrence [h, gates * h]} the weights of
 * the hidden state, {@code hidden [b, h]} and {@code cell [b, h]} the states at the start, {@code
 * lengths [b]} the lengths of the sequences, as integers. The results are all hidden states {@code
 * [t, b, h]} and the last state, or states.
 *
 * <p>{@code functions} are names of {@link GateFunction} separated by commas, {@code alpha} and
 * {@code beta} their parameters, one for each function.
 */
public final class Recurrent {
  /** One gate: {@code h' = f(x + h r)}. */
  public static final OpDef RNN =
      OpDef.named("nn.rnn")
          .args("x", "recurrence", "hidden", "lengths")
          .with(builder -> attrs(builder, "tanh"))
          .rule(call -> type(call, 1, 1))
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "rnn",
                      call,
                      (k, in) -> RecurrentOps.rnn(k, "rnn", inputs(in), options(call))))
          .build();

  /**
   * The gates z, r, h. With {@code recurrent_bias [h]} the reset gate r is applied after the
   * product of the hidden state and the weights of h, to which the bias is added before.
   */
  public static final OpDef GRU =
      OpDef.named("nn.gru")
          .args("x", "recurrence", "hidden", "lengths")
          .optionalArgs("recurrent_bias")
          .with(builder -> attrs(builder, "sigmoid,tanh"))
          .rule(call -> type(call, 3, 2))
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "gru",
                      call,
                      (k, in) ->
                          RecurrentOps.gru(k, "gru", inputs(in), options(call), optional(in, 4))))
          .build();

  /**
   * The gates i, o, f, c. {@code peepholes [3 * h]} are weights of the cell state for i, o, f; with
   * {@code couple} f is {@code 1 - i}.
   */
  public static final OpDef LSTM =
      OpDef.named("nn.lstm")
          .args("x", "recurrence", "hidden", "lengths", "cell")
          .optionalArgs("peepholes")
          .with(
              builder ->
                  attrs(builder, "sigmoid,tanh,tanh", AttrSpec.of("couple", Kind.BOOL, false)))
          .rule(call -> type(call, 4, 3))
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "lstm",
                      call,
                      (k, in) ->
                          RecurrentOps.lstm(
                              k,
                              "lstm",
                              inputs(in),
                              options(call),
                              in.tensor(4),
                              optional(in, 5),
                              call.attrs().bool("couple").orElseThrow())))
          .build();

  private Recurrent() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(RNN, GRU, LSTM);
  }

  private static OpDef.Builder attrs(OpDef.Builder builder, String functions, AttrSpec... more) {
    List<Double> none = Collections.nCopies(functions.split(",", -1).length, 0.0);
    List<AttrSpec> all =
        new ArrayList<>(
            List.of(
                AttrSpec.of("functions", Kind.TEXT, functions),
                AttrSpec.of("alpha", Kind.REALS, none),
                AttrSpec.of("beta", Kind.REALS, none),
                AttrSpec.of("reverse", Kind.BOOL, false),
                AttrSpec.optional("clip", Kind.REAL)));
    all.addAll(List.of(more));
    return builder.attrs(all.toArray(AttrSpec[]::new));
  }

  private static RecurrentOps.Options options(OpCall call) {
    Attrs attrs = call.attrs();
    return new RecurrentOps.Options(
        functions(call), attrs.bool("reverse").orElseThrow(), attrs.real("clip").orElse(null));
  }

  private static List<GateFunction> functions(OpCall call) {
    Attrs attrs = call.attrs();
    return GateFunction.list(
        call.op().name(),
        attrs.text("functions").orElseThrow(),
        attrs.reals("alpha").orElseThrow(),
        attrs.reals("beta").orElseThrow());
  }

  private static RecurrentOps.Inputs inputs(KernelInputs in) {
    return new RecurrentOps.Inputs(in.tensor(0), in.tensor(1), in.tensor(2), in.tensor(3));
  }

  private static @Nullable TensorExpr optional(KernelInputs in, int index) {
    return index < in.size() ? in.tensor(index) : null;
  }

  // ---------------------------------------------------------------- types

  private static Type type(OpCall call, int gates, int functionCount) {
    int[] floats = IntStream.range(0, call.size()).filter(i -> i != 3).toArray();
    for (int index : floats) {
      ElementTypes.floats(call, index);
    }
    ElementTypes.integers(call, 3);
    List<Operand> operands = Operand.all(call, floats);
    ElementTypes.same(call, operands);
    Ranks.require(call, 0, 3);
    Ranks.require(call, 1, 2);
    Ranks.require(call, 2, 2);
    Ranks.require(call, 3, 1);
    if (call.size() > 4) {
      Ranks.require(call, 4, gates == 4 ? 2 : 1);
    }
    if (call.size() > 5) {
      Ranks.require(call, 5, 1);
    }
    if (functions(call).size() != functionCount) {
      throw call.error(
          "expected " + functionCount + " functions, but got " + functions(call).size());
    }
    checkExtents(call, gates);
    TensorType all = TensorType.ofRank(call.tensor(0).dtype(), 3);
    TensorType last = TensorType.ofRank(call.tensor(0).dtype(), 2);
    Optional<List<PrimExpr>> x = call.tensor(0).dims();
    Optional<List<PrimExpr>> hidden = call.tensor(2).dims();
    if (x.isPresent() && hidden.isPresent()) {
      all = all.withDims(List.of(x.get().get(0), hidden.get().get(0), hidden.get().get(1)));
      last = last.withDims(hidden.get());
    }
    all = all.withVDevice(CommonDevice.same(call, operands));
    last = last.withVDevice(CommonDevice.same(call, operands));
    return gates == 4 ? TupleType.of(all, last, last) : TupleType.of(all, last);
  }

  private static void checkExtents(OpCall call, int gates) {
    Optional<List<PrimExpr>> hidden = call.tensor(2).dims();
    if (hidden.isEmpty()) {
      return;
    }
    PrimExpr batch = hidden.get().get(0);
    PrimExpr size = hidden.get().get(1);
    PrimExpr columns = call.analyzer().simplify(Exprs.mul(size, IntImm.of(gates)));
    require(call, 0, 1, batch, "axis 1 of x and axis 0 of hidden");
    require(call, 0, 2, columns, "axis 2 of x and the gates");
    require(call, 1, 0, size, "axis 0 of recurrence and axis 1 of hidden");
    require(call, 1, 1, columns, "axis 1 of recurrence and the gates");
    require(call, 3, 0, batch, "axis 0 of lengths and hidden");
    if (call.size() > 4) {
      if (gates == 4) {
        require(call, 4, 0, batch, "axis 0 of cell and hidden");
        require(call, 4, 1, size, "axis 1 of cell and hidden");
      } else {
        require(call, 4, 0, size, "axis 0 of recurrent_bias and axis 1 of hidden");
      }
    }
    if (call.size() > 5) {
      PrimExpr three = call.analyzer().simplify(Exprs.mul(size, IntImm.of(3)));
      require(call, 5, 0, three, "axis 0 of peepholes and three gates");
    }
  }

  private static void require(OpCall call, int arg, int axis, PrimExpr expected, String what) {
    call.tensor(arg)
        .dims()
        .ifPresent(dims -> Extents.requireSame(call, dims.get(axis), expected, what));
  }

  // ---------------------------------------------------------------- calls

  /**
   * How a layer computes, as attributes.
   *
   * @param functions in the order of the definition of the layer
   * @param reverse whether the layer goes from the end of each sequence to its start
   * @param clip bound of what functions are applied to; null means none
   */
  public static Attrs attrs(List<GateFunction> functions, boolean reverse, @Nullable Double clip) {
    Attrs attrs =
        Attrs.of(
                "functions",
                String.join(",", functions.stream().map(f -> f.kind().text()).toList()))
            .with("alpha", functions.stream().map(GateFunction::alpha).toList())
            .with("beta", functions.stream().map(GateFunction::beta).toList())
            .with("reverse", reverse);
    return clip == null ? attrs : attrs.with("clip", clip);
  }

  /** One gate; {@link #attrs} makes the attributes. */
  public static Call rnn(List<? extends Expr> args, Attrs attrs) {
    return Call.of(RNN, args, attrs);
  }

  /** Gates z, r, h; {@link #attrs} makes the attributes. */
  public static Call gru(List<? extends Expr> args, Attrs attrs) {
    return Call.of(GRU, args, attrs);
  }

  /**
   * Gates i, o, f, c; {@link #attrs} makes the attributes.
   *
   * @param couple whether the gate f is {@code 1 - i}
   */
  public static Call lstm(List<? extends Expr> args, Attrs attrs, boolean couple) {
    return Call.of(LSTM, args, attrs.with("couple", couple));
  }
}
