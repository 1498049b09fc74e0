package org.relaxvm.compiler.op.nn;

import java.util.List;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.rule.Axes;
import org.relaxvm.compiler.op.rule.ElementTypes;
import org.relaxvm.compiler.op.rule.Extents;
import org.relaxvm.compiler.op.rule.Operand;
import org.relaxvm.compiler.op.rule.Places;
import org.relaxvm.compiler.op.rule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.CreationOps;
import org.relaxvm.tir.op.nn.SoftmaxOps;

/**
 * Activations that look at more than one element, and dropout. Of floats; float16 and bfloat16 are
 * computed in float32. Those of single elements are unary operators.
 *
 * <p>Source: the op set, sections 2.8 and 3.3.
 */
public final class Activations {
  /** {@code exp(x - m) / sum(exp(x - m))} along an axis, with {@code m} the largest element. */
  public static final OpDef SOFTMAX =
      OpDef.named("nn.softmax")
          .args("data")
          .attrs(AttrSpec.of("axis", Kind.INTEGER, -1))
          .rule(Activations::alongAxis)
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
          .rule(Activations::alongAxis)
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
          .rule(Activations::preluType)
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

  /** The elements, and a mask of ones: none are left out, as this is inference. */
  public static final OpDef DROPOUT =
      OpDef.named("nn.dropout")
          .args("data")
          .attrs(AttrSpec.of("rate", Kind.REAL, 0.5))
          .rule(
              call -> {
                TensorType x = ElementTypes.floats(call, 0);
                return TupleType.of(x, x);
              })
          .legalizer(Activations::dropoutKernel)
          .build();

  private Activations() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(SOFTMAX, LOG_SOFTMAX, PRELU, DROPOUT);
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
    return x.withDType(ElementTypes.same(call, operands)).withVDevice(Places.same(call, operands));
  }

  private static Expr dropoutKernel(OpCall call, KernelCalls kernels) {
    TensorType x = call.tensor(0);
    List<PrimExpr> dims = x.dims().orElseThrow();
    PrimExpr one = Exprs.constant(x.dtype().orElseThrow(), 1);
    Expr ones =
        kernels.call(
            "ones",
            List.of(new ShapeExpr(dims)),
            x.withDims(dims),
            KernelBody.one(
                (k, inputs) -> CreationOps.full(k, "ones", inputs.shape(0), one, one.dtype())));
    return Tuple.of(call.arg(0), kernels.emit(ones));
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

  /** The elements as field 0, and a mask of ones as field 1. */
  public static Call dropout(Expr data, double rate) {
    return Call.of(DROPOUT, List.of(data), Attrs.of("rate", rate));
  }
}
