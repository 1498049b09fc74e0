package org.relaxvm.compiler.op.nn;

import java.util.List;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.SoftmaxOps;

/**
 * Activations for which it counts where along an axis an element is. Of floats; float16 and
 * bfloat16 are computed in float32. Those of single elements are in {@code op.elementwise}.
 *
 * <p>Source: docs/spec/op-set.md, sections 2.8 and 3.3.
 */
public final class AxisActivations {
  /** {@code exp(x - m) / sum(exp(x - m))} along an axis, with {@code m} the largest element. */
  public static final OpDef SOFTMAX =
      OpDef.named("nn.softmax")
          .args("data")
          .attrs(AttrSpec.of("axis", Kind.INTEGER, -1))
          .rule(AxisActivations::alongAxis)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "softmax",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              SoftmaxOps.softmax(k, "softmax", inputs.tensor(0), axis(call)))))
          .build();

  /** {@code x - m - log(sum(exp(x - m)))} along an axis. */
  public static final OpDef LOG_SOFTMAX =
      OpDef.named("nn.log_softmax")
          .args("data")
          .attrs(AttrSpec.of("axis", Kind.INTEGER, -1))
          .rule(AxisActivations::alongAxis)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "log_softmax",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              SoftmaxOps.logSoftmax(
                                  k, "log_softmax", inputs.tensor(0), axis(call)))))
          .build();

  /** {@code x > 0 ? x : alpha[c] * x}: {@code (data, alpha)}. */
  public static final OpDef PRELU =
      OpDef.named("nn.prelu")
          .args("data", "alpha")
          .attrs(AttrSpec.of("axis", Kind.INTEGER, 1))
          .rule(AxisActivations::preluType)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "prelu",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              ActivationOps.prelu(
                                  k, "prelu", inputs.tensor(0), inputs.tensor(1), axis(call)))))
          .build();

  private AxisActivations() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(SOFTMAX, LOG_SOFTMAX, PRELU);
  }

  private static int axis(OpCall call) {
    return Axes.normalize(call, call.attrs().integer("axis").orElseThrow(), call.tensor(0).ndim());
  }

  private static Type alongAxis(OpCall call) {
    TensorType x = ElementTypes.floats(call, 0);
    if (x.hasRank()) {
      axis(call);
    }
    return x;
  }

  private static Type preluType(OpCall call) {
    TensorType x = ElementTypes.floats(call, 0);
    ElementTypes.floats(call, 1);
    TensorType alpha = Ranks.require(call, 1, 1);
    List<Operand> operands = Operand.all(call, 0, 1);
    if (x.hasRank()) {
      int axis = axis(call);
      boolean counts = x.dims().isPresent() && alpha.dims().isPresent();
      if (counts && !Extents.isOne(alpha.dims().orElseThrow().getFirst())) {
        Extents.requireSame(
            call,
            x.dims().orElseThrow().get(axis),
            alpha.dims().orElseThrow().getFirst(),
            "axis " + axis + " of data and alpha");
      }
    }
    return x.withDType(ElementTypes.same(call, operands))
        .withVDevice(CommonDevice.same(call, operands));
  }

  /** The softmax along an axis. */
  public static Call softmax(Expr data, int axis) {
    return Call.of(SOFTMAX, List.of(data), Attrs.of("axis", axis));
  }

  /** The logarithm of the softmax along an axis. */
  public static Call logSoftmax(Expr data, int axis) {
    return Call.of(LOG_SOFTMAX, List.of(data), Attrs.of("axis", axis));
  }

  /**
   * {@code x > 0 ? x : alpha[c] * x}; {@code alpha} is {@code [c]} along an axis, or {@code [1]}.
   */
  public static Call prelu(Expr data, Expr alpha, int axis) {
    return Call.of(PRELU, List.of(data, alpha), Attrs.of("axis", axis));
  }
}
