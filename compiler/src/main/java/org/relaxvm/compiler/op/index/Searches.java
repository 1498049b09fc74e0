package org.relaxvm.compiler.op.index;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Broadcast;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.op.IndexingOps;

/** Choices, and positions in ordered lists. Source: docs/spec/op-set.md, section 2.5. */
public final class Searches {
  /** {@code x1} where the condition is true, else {@code x2}; all three are broadcast. */
  public static final OpDef WHERE =
      OpDef.named("where")
          .args("condition", "x1", "x2")
          .rule(Searches::chosen)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "where",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              IndexingOps.where(
                                  k, "T_where", in.tensor(0), in.tensor(1), in.tensor(2)))))
          .build();

  /**
   * How many of ascending boundaries lie below each element, those that are equal too when it is
   * {@code right}; int64, or int32 when it is {@code out_int32}.
   */
  public static final OpDef BUCKETIZE =
      OpDef.named("bucketize")
          .args("input_tensor", "boundaries")
          .attrs(AttrSpec.of("out_int32", Kind.BOOL, false), AttrSpec.of("right", Kind.BOOL, false))
          .rule(Searches::buckets)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "bucketize",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              IndexingOps.bucketize(
                                  k,
                                  "T_bucketize",
                                  in.tensor(0),
                                  in.tensor(1),
                                  call.attrs().bool("right").orElseThrow(),
                                  in.resultType(0).dtype().orElseThrow()))))
          .build();

  private Searches() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(WHERE, BUCKETIZE);
  }

  /** One tensor where a condition, of booleans, is true, else the other. */
  public static Call where(Expr condition, Expr x1, Expr x2) {
    return Call.of(WHERE, condition, x1, x2);
  }

  /** The index of each element among ascending boundaries. */
  public static Call bucketize(Expr x, Expr boundaries, boolean outInt32, boolean right) {
    return Call.of(
        BUCKETIZE, List.of(x, boundaries), Attrs.of("out_int32", outInt32).with("right", right));
  }

  private static Type chosen(OpCall call) {
    ElementTypes.booleans(call, 0);
    Optional<DType> dtype = ElementTypes.same(call, Operand.all(call, 1, 2));
    return Broadcast.type(call, Operand.all(call, 0, 1, 2), dtype);
  }

  private static Type buckets(OpCall call) {
    ElementTypes.numbers(call, 1);
    Ranks.require(call, 1, 1);
    List<Operand> both = Operand.all(call, 0, 1);
    ElementTypes.same(call, both);
    boolean isNarrow = call.attrs().bool("out_int32").orElseThrow();
    return ElementTypes.numbers(call, 0)
        .withDType(Optional.of(isNarrow ? DType.INT32 : DType.INT64))
        .withVDevice(CommonDevice.same(call, both));
  }
}
