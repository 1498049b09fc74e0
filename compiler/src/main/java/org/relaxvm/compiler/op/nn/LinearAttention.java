package org.relaxvm.compiler.op.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Tuple;
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
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.serial.LinearAttentionOps;

/**
 * Attention by a state that each step updates. {@code gates} is a tuple of the decay {@code [b, t,
 * h, dk]} or {@code [b, t, h, 1]}, if the attribute {@code decays} is set, and of the rates of the
 * correction {@code [b, t, h]} or {@code [b, t, 1]}, if {@code corrects} is set.
 */
public final class LinearAttention {
  /**
   * {@code (query [b, t, hq, dk], key [b, t, h, dk], value [b, t, h, dv], state [b, h, dk, dv],
   * gates)} to {@code [b, t, hq, dv]} and the state at the end.
   */
  public static final OpDef LINEAR_ATTENTION =
      OpDef.named("nn.linear_attention")
          .args("query", "key", "value", "state", "gates")
          .attrs(
              AttrSpec.of("scale", Kind.REAL, 1.0),
              AttrSpec.of("decays", Kind.BOOL, false),
              AttrSpec.of("corrects", Kind.BOOL, false))
          .rule(LinearAttention::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "linear_attention",
                      call,
                      (k, inputs) ->
                          LinearAttentionOps.linearAttention(
                              k,
                              "linear_attention",
                              inputs(call, inputs),
                              call.attrs().real("scale").orElseThrow())))
          .build();

  private LinearAttention() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(LINEAR_ATTENTION);
  }

  private static boolean flag(OpCall call, String name) {
    return call.attrs().bool(name).orElseThrow();
  }

  private static LinearAttentionOps.Inputs inputs(OpCall call, KernelInputs in) {
    boolean decays = flag(call, "decays");
    return new LinearAttentionOps.Inputs(
        in.tensor(0),
        in.tensor(1),
        in.tensor(2),
        in.tensor(3),
        decays ? in.tensors(4).getFirst() : null,
        flag(call, "corrects") ? in.tensors(4).get(decays ? 1 : 0) : null);
  }

  private static Type type(OpCall call) {
    for (int index = 0; index < 4; index++) {
      Ranks.require(call, index, 4);
      ElementTypes.floats(call, index);
    }
    int gates = (flag(call, "decays") ? 1 : 0) + (flag(call, "corrects") ? 1 : 0);
    List<TensorType> fields = call.tensors(4);
    if (fields.size() != gates) {
      throw call.error("expected " + gates + " gates, but got " + fields.size());
    }
    List<Operand> operands = Operand.all(call, 0, 1, 2);
    ElementTypes.same(call, operands);
    ElementTypes.same(
        call, Stream.concat(operands.stream(), Operand.fields(call, 4).stream()).toList());
    TensorType state = call.tensor(3);
    TensorType result =
        TensorType.ofRank(call.tensor(0).dtype(), 4).withVDevice(CommonDevice.same(call, operands));
    Optional<List<PrimExpr>> q = call.tensor(0).dims();
    Optional<List<PrimExpr>> k = call.tensor(1).dims();
    Optional<List<PrimExpr>> v = call.tensor(2).dims();
    Optional<List<PrimExpr>> s = state.dims();
    if (q.isEmpty() || k.isEmpty() || v.isEmpty() || s.isEmpty()) {
      return TupleType.of(result, state);
    }
    same(call, q.get(), k.get(), new int[][] {{0, 0}, {1, 1}, {3, 3}}, "query and key");
    same(call, k.get(), v.get(), new int[][] {{0, 0}, {1, 1}, {2, 2}}, "key and value");
    same(call, k.get(), s.get(), new int[][] {{0, 0}, {2, 1}, {3, 2}}, "key and state");
    same(call, v.get(), s.get(), new int[][] {{3, 3}}, "value and state");
    return TupleType.of(
        result.withDims(List.of(q.get().get(0), q.get().get(1), q.get().get(2), v.get().get(3))),
        state);
  }

  private static void same(
      OpCall call, List<PrimExpr> a, List<PrimExpr> b, int[][] axes, String what) {
    for (int[] pair : axes) {
      Extents.requireSame(
          call,
          a.get(pair[0]),
          b.get(pair[1]),
          "axes " + pair[0] + " and " + pair[1] + " of " + what);
    }
  }

  /**
   * Linear attention.
   *
   * @param tensors query, key, value and state
   * @param decay of the state, or empty
   * @param rates of the correction, or empty
   */
  public static Call linearAttention(
      List<? extends Expr> tensors,
      Optional<? extends Expr> decay,
      Optional<? extends Expr> rates,
      double scale) {
    List<Expr> gates = Stream.of(decay, rates).flatMap(Optional::stream).<Expr>map(g -> g).toList();
    List<Expr> args = new ArrayList<>(tensors);
    args.add(new Tuple(gates));
    return Call.of(
        LINEAR_ATTENTION,
        args,
        Attrs.of("scale", scale)
            .with("decays", decay.isPresent())
            .with("corrects", rates.isPresent()));
  }
}
