package org.relaxvm.backendtestkit.corpus;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.serial.GateFunction;
import org.relaxvm.tir.op.serial.InverseOps;
import org.relaxvm.tir.op.serial.LinearAttentionOps;
import org.relaxvm.tir.op.serial.RandomOps;
import org.relaxvm.tir.op.serial.RecurrentOps;
import org.relaxvm.tir.te.TensorExpr;

/** Kernels whose steps depend on each other: recurrent layers, states, elimination; random bits. */
final class RecurrentCases {
  private static final String STEPS =
      "the order of summation is not specified, functions differ in their last bits, and each step"
          + " builds on those before";
  private static final List<DType> WIDE = List.of(DType.FLOAT32, DType.FLOAT64);

  private RecurrentCases() {}

  static void addTo(CaseList list) {
    layers(list);
    linearAttention(list);
    inverses(list);
    random(list);
  }

  private static PrimExpr imm(long value) {
    return IntImm.of(value);
  }

  // ---------------------------------------------------------------- layers

  private static RecurrentOps.Inputs inputs(CaseBuilder c, DType t, long gates) {
    PrimExpr steps = c.dim("s", 3, 0, 4);
    PrimExpr batch = c.dim("b", 2, 1, 0);
    PrimExpr size = c.dim("h", 3, 1, 5);
    Fill fill = new Fill.Reals(-1, 1);
    PrimExpr columns = Exprs.mul(size, gates);
    TensorExpr hidden = c.input("H", t, fill, batch, size);
    TensorExpr recurrence = c.input("R", t, fill, size, columns);
    TensorExpr x = c.input("X", t, fill, steps, batch, columns);
    TensorExpr lengths = c.input("L", DType.INT32, new Fill.Given(2, 3), batch);
    return new RecurrentOps.Inputs(x, recurrence, hidden, lengths);
  }

  private static RecurrentOps.Options options(
      boolean reverse, @Nullable Double clip, GateFunction.Kind... kinds) {
    return new RecurrentOps.Options(
        Arrays.stream(kinds).map(kind -> new GateFunction(kind, 0.5, 0.25)).toList(),
        reverse,
        clip);
  }

  private static void layers(CaseList list) {
    for (GateFunction.Kind kind : GateFunction.Kind.values()) {
      list.add(
          "rnn_" + kind.text(),
          CaseList.FLOATS,
          (c, t) ->
              c.tolerance(1e-4, 2e-2, STEPS)
                  .build(
                      RecurrentOps.rnn(c.k, "Y", inputs(c, t, 1), options(false, 0.75, kind))
                          .toArray(TensorExpr[]::new)));
    }
    for (boolean after : new boolean[] {false, true}) {
      list.add(
          "gru_" + (after ? "reset_after" : "reset_before"),
          CaseList.FLOATS,
          (c, t) -> {
            RecurrentOps.Inputs in = inputs(c, t, 3);
            @Nullable TensorExpr bias = after ? c.input("B", t, in.hidden().shape().get(1)) : null;
            RecurrentOps.Options options =
                options(after, null, GateFunction.Kind.SIGMOID, GateFunction.Kind.TANH);
            return c.tolerance(1e-4, 2e-2, STEPS)
                .build(RecurrentOps.gru(c.k, "Y", in, options, bias).toArray(TensorExpr[]::new));
          });
    }
    for (boolean peeps : new boolean[] {false, true}) {
      list.add(
          "lstm_" + (peeps ? "peepholes" : "coupled"),
          CaseList.FLOATS,
          (c, t) -> {
            RecurrentOps.Inputs in = inputs(c, t, 4);
            PrimExpr size = in.hidden().shape().get(1);
            TensorExpr cell = c.input("C", t, in.hidden().shape().get(0), size);
            @Nullable TensorExpr peepholes =
                peeps ? c.input("P", t, new Fill.Reals(-1, 1), Exprs.mul(size, 3)) : null;
            RecurrentOps.Options options =
                options(
                    peeps,
                    peeps ? Double.valueOf(0.75) : null,
                    GateFunction.Kind.SIGMOID,
                    GateFunction.Kind.TANH,
                    GateFunction.Kind.TANH);
            return c.tolerance(1e-4, 2e-2, STEPS)
                .build(
                    RecurrentOps.lstm(c.k, "Y", in, options, cell, peepholes, !peeps)
                        .toArray(TensorExpr[]::new));
          });
    }
  }

  // ---------------------------------------------------------------- states

  private static void linearAttention(CaseList list) {
    for (String rule : List.of("linear", "gated", "delta", "gated_delta")) {
      list.add(
          "linear_attention_" + rule,
          CaseList.FLOATS,
          (c, t) -> {
            PrimExpr b = c.dim("b", 2, 0, 1);
            PrimExpr steps = c.dim("t", 3, 1, 0);
            PrimExpr dk = c.dim("k", 4, 1, 3);
            PrimExpr dv = c.dim("v", 2, 3, 1);
            Fill fill = new Fill.Reals(-1, 1);
            Fill falling = new Fill.Reals(-1, 0);
            Fill rate = new Fill.Reals(0, 1);
            TensorExpr q = c.input("Q", t, fill, b, steps, imm(4), dk);
            TensorExpr k = c.input("K", t, fill, b, steps, imm(2), dk);
            TensorExpr v = c.input("V", t, fill, b, steps, imm(2), dv);
            TensorExpr state = c.input("S", t, fill, b, imm(2), dk, dv);
            @Nullable TensorExpr decay =
                rule.equals("gated")
                    ? c.input("D", t, falling, b, steps, imm(2), dk)
                    : rule.equals("gated_delta")
                        ? c.input("D", t, falling, b, steps, imm(2), imm(1))
                        : null;
            @Nullable TensorExpr beta =
                rule.endsWith("delta") ? c.input("B", t, rate, b, steps, imm(2)) : null;
            return c.tolerance(1e-4, 2e-2, STEPS)
                .build(
                    LinearAttentionOps.linearAttention(
                            c.k,
                            "Y",
                            new LinearAttentionOps.Inputs(q, k, v, state, decay, beta),
                            0.5)
                        .toArray(TensorExpr[]::new));
          });
    }
  }

  // ---------------------------------------------------------------- matrices

  private static void inverses(CaseList list) {
    list.add(
        "inverse",
        WIDE,
        (c, t) -> {
          PrimExpr b = c.dim("b", 2, 0, 1);
          // Rows of a matrix that need an exchange, and are far from singular.
          TensorExpr x =
              c.input("X", t, new Fill.Given(0, 2, 1, 4, 0.5, 0, 1, 1, 3), b, imm(3), imm(3));
          return c.tolerance(1e-5, 1e-5, "the quotients are rounded")
              .build(InverseOps.inverse(c.k, "Y", x));
        });
  }

  // ---------------------------------------------------------------- random numbers

  private static void random(CaseList list) {
    list.add(
        "random_uniform",
        CaseList.FLOATS,
        (c, t) ->
            c.exact()
                .build(
                    RandomOps.uniform(
                        c.k,
                        "Y",
                        List.of(c.scalarDim("n", 5, 0, 17), imm(3)),
                        t,
                        0x1_2345_6789L,
                        0,
                        1)));
    list.add(
        "random_normal",
        CaseList.FLOATS,
        (c, t) ->
            c.tolerance(1e-5, 1e-2, "functions differ in their last bits")
                .build(
                    RandomOps.normal(
                        c.k, "Y", List.of(c.scalarDim("n", 5, 0, 17), imm(3)), t, 7, 1, 2)));
  }
}
