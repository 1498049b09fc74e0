package org.relaxvm.compiler.op.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.SoftmaxOps;
import org.relaxvm.tir.op.SoftmaxOps.Reduction;

/** Losses of predictions. Source: docs/spec/op-set.md, section 2.8. */
public final class Losses {
  /** {@code (predictions, labels)}: floats of one shape with an axis or more, to a scalar. */
  public static final OpDef CROSS_ENTROPY_WITH_LOGITS =
      OpDef.named("nn.cross_entropy_with_logits")
          .args("predictions", "labels")
          .rule(Losses::crossEntropyType)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "cross_entropy_with_logits",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              SoftmaxOps.crossEntropyWithLogits(
                                  k,
                                  "cross_entropy_with_logits",
                                  inputs.tensor(0),
                                  inputs.tensor(1)))))
          .build();

  /** {@code (predictions [n, c, ...], targets [n, ...][, weights [c]])}. */
  public static final OpDef NLL_LOSS =
      OpDef.named("nn.nll_loss")
          .args("predictions", "targets")
          .optionalArgs("weights")
          .attrs(
              AttrSpec.of("reduction", Kind.TEXT, "mean"),
              AttrSpec.of("ignore_index", Kind.INTEGER, -100))
          .rule(Losses::nllType)
          .legalizer(Losses::nllKernel)
          .build();

  private Losses() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(CROSS_ENTROPY_WITH_LOGITS, NLL_LOSS);
  }

  private static Type crossEntropyType(OpCall call) {
    List<Operand> operands = Operand.all(call, 0, 1);
    TensorType predictions = Ranks.atLeast(call, 0, 1);
    TensorType labels = Ranks.atLeast(call, 1, 1);
    ElementTypes.floats(call, 0);
    ElementTypes.floats(call, 1);
    Ranks.requireSame(call, operands.get(0), operands.get(1));
    int known =
        predictions.dims().isPresent() && labels.dims().isPresent() ? predictions.ndim() : 0;
    for (int axis = 0; axis < known; axis++) {
      requireSame(call, predictions, axis, labels, axis, "labels");
    }
    return scalar(call, operands, ElementTypes.same(call, operands));
  }

  private static void requireSame(
      OpCall call, TensorType a, int axisA, TensorType b, int axisB, String nameB) {
    Extents.requireSame(
        call,
        a.dims().orElseThrow().get(axisA),
        b.dims().orElseThrow().get(axisB),
        "axis " + axisA + " of predictions and axis " + axisB + " of " + nameB);
  }

  private static TensorType scalar(OpCall call, List<Operand> operands, Optional<DType> dtype) {
    return TensorType.of(dtype, List.of()).withVDevice(CommonDevice.same(call, operands));
  }

  private static Type nllType(OpCall call) {
    ElementTypes.floats(call, 0);
    ElementTypes.integers(call, 1);
    TensorType predictions = Ranks.atLeast(call, 0, 1);
    TensorType targets = call.tensor(1);
    if (predictions.hasRank()) {
      Ranks.require(call, 1, predictions.ndim() - 1);
    }
    List<Operand> operands = Operand.all(call, IntStream.range(0, call.size()).toArray());
    Optional<DType> dtype = predictions.dtype();
    int classes = targets.ndim() == 0 || predictions.ndim() == 1 ? 0 : 1;
    if (call.size() > 2) {
      ElementTypes.floats(call, 2);
      TensorType weights = Ranks.require(call, 2, 1);
      dtype = ElementTypes.same(call, List.of(operands.get(0), operands.get(2)));
      if (predictions.dims().isPresent() && weights.dims().isPresent()) {
        requireSame(call, predictions, classes, weights, 0, "weights");
      }
    }
    int known = predictions.dims().isPresent() && targets.dims().isPresent() ? targets.ndim() : 0;
    for (int axis = 0; axis < known; axis++) {
      requireSame(call, predictions, axis < classes ? axis : axis + 1, targets, axis, "targets");
    }
    return reduction(call) == Reduction.NONE
        ? items(predictions, targets, classes)
            .withDType(dtype)
            .withVDevice(CommonDevice.same(call, operands))
        : scalar(call, operands, dtype);
  }

  /** A tensor with the axes of targets. */
  private static TensorType items(TensorType predictions, TensorType targets, int classes) {
    if (targets.shape().isPresent() || !predictions.hasRank()) {
      return targets;
    }
    return predictions
        .dims()
        .map(dims -> predictions.withDims(AxisLists.<PrimExpr>without(dims, classes)))
        .orElseGet(() -> predictions.withRank(predictions.ndim() - 1));
  }

  private static Reduction reduction(OpCall call) {
    String text = call.attrs().text("reduction").orElseThrow();
    return switch (text) {
      case "none" -> Reduction.NONE;
      case "sum" -> Reduction.SUM;
      case "mean" -> Reduction.MEAN;
      default ->
          throw call.error(
              "reduction must be \"none\", \"sum\" or \"mean\", but is \"" + text + "\"");
    };
  }

  private static Expr nllKernel(OpCall call, KernelCalls kernels) {
    return kernels.call(
        "nll_loss",
        call,
        KernelBody.one(
            (k, inputs) ->
                SoftmaxOps.nllLoss(
                    k,
                    "nll_loss",
                    inputs.tensor(0),
                    inputs.tensor(1),
                    call.size() > 2 ? inputs.tensor(2) : null,
                    reduction(call),
                    call.attrs().integer("ignore_index").orElseThrow())));
  }

  /** Minus the sum of {@code predictions * labels}, divided by the first of two or more extents. */
  public static Call crossEntropyWithLogits(Expr predictions, Expr labels) {
    return Call.of(CROSS_ENTROPY_WITH_LOGITS, predictions, labels);
  }

  /**
   * Minus the prediction of the right class times the weight of that class.
   *
   * @param weights {@code [c]}; empty for 1
   * @param reduction what becomes of the losses of all items
   * @param ignored a class that gives 0 and does not count
   */
  public static Call nllLoss(
      Expr predictions,
      Expr targets,
      Optional<? extends Expr> weights,
      Reduction reduction,
      long ignored) {
    List<Expr> args = new ArrayList<>(List.of(predictions, targets));
    weights.ifPresent(args::add);
    return Call.of(
        NLL_LOSS,
        args,
        Attrs.of("reduction", reduction.name().toLowerCase(Locale.ROOT))
            .with("ignore_index", ignored));
  }
}
