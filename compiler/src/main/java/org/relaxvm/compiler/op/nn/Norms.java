package org.relaxvm.compiler.op.nn;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.KernelInputs;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.op.NormOps;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Normalizations of floats; all arguments are of one dtype, float16 and bfloat16 are computed in
 * float32. {@code scale} says whether gamma counts, {@code center} whether beta does.
 *
 * <p>Source: docs/spec/op-set.md, sections 2.8 and 3.3. Statistics are computed in two passes, also
 * those of groups.
 */
public final class Norms {
  /** The tensor, and the new mean and variance: {@code (data, gamma, beta, mean, var)}. */
  public static final OpDef BATCH_NORM =
      OpDef.named("nn.batch_norm")
          .args("data", "gamma", "beta", "moving_mean", "moving_var")
          .attrs(
              AttrSpec.of("axis", Kind.INTEGER, 1),
              epsilon(),
              AttrSpec.of("center", Kind.BOOL, true),
              AttrSpec.of("scale", Kind.BOOL, true),
              AttrSpec.of("momentum", Kind.REAL, 0.1),
              AttrSpec.of("training", Kind.BOOL, true))
          .rule(Norms::batchType)
          .legalizer(Norms::batchKernel)
          .build();

  /** {@code (data, gamma, beta)}. */
  public static final OpDef LAYER_NORM =
      OpDef.named("nn.layer_norm")
          .args("data", "gamma", "beta")
          .attrs(
              AttrSpec.required("axes", Kind.INTEGERS),
              epsilon(),
              AttrSpec.of("center", Kind.BOOL, true),
              AttrSpec.of("scale", Kind.BOOL, true))
          .rule(NormRule::overAxes)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "layer_norm",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              NormOps.layerNorm(
                                  k,
                                  "layer_norm",
                                  inputs.tensor(0),
                                  gamma(call, inputs),
                                  beta(call, inputs),
                                  axes(call, "axes"),
                                  epsilon(call)))))
          .build();

  /** {@code (data, weight)}. */
  public static final OpDef RMS_NORM =
      OpDef.named("nn.rms_norm")
          .args("data", "weight")
          .attrs(AttrSpec.of("axes", Kind.INTEGERS, List.of(-1)), epsilon())
          .rule(NormRule::overAxes)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "rms_norm",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              NormOps.rmsNorm(
                                  k,
                                  "rms_norm",
                                  inputs.tensor(0),
                                  inputs.tensor(1),
                                  axes(call, "axes"),
                                  epsilon(call)))))
          .build();

  /** {@code (data, gamma, beta)}. */
  public static final OpDef GROUP_NORM =
      OpDef.named("nn.group_norm")
          .args("data", "gamma", "beta")
          .attrs(AttrSpec.required("num_groups", Kind.INTEGER))
          .with(Norms::channelAttrs)
          .rule(NormRule::inGroups)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "group_norm",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              NormOps.groupNorm(
                                  k,
                                  "group_norm",
                                  inputs.tensor(0),
                                  gamma(call, inputs),
                                  beta(call, inputs),
                                  call.attrs().integer("num_groups").orElseThrow().intValue(),
                                  axes(call, "channel_axis").getFirst(),
                                  axes(call, "axes"),
                                  epsilon(call)))))
          .build();

  /** {@code (data, gamma, beta)}. */
  public static final OpDef INSTANCE_NORM =
      OpDef.named("nn.instance_norm")
          .args("data", "gamma", "beta")
          .with(Norms::channelAttrs)
          .rule(NormRule::alongAxes)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "instance_norm",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              NormOps.instanceNorm(
                                  k,
                                  "instance_norm",
                                  inputs.tensor(0),
                                  gamma(call, inputs),
                                  beta(call, inputs),
                                  axes(call, "channel_axis").getFirst(),
                                  axes(call, "axes"),
                                  epsilon(call)))))
          .build();

  private Norms() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(BATCH_NORM, LAYER_NORM, RMS_NORM, GROUP_NORM, INSTANCE_NORM);
  }

  private static AttrSpec epsilon() {
    return AttrSpec.of("epsilon", Kind.REAL, 1e-5);
  }

  private static OpDef.Builder channelAttrs(OpDef.Builder builder) {
    return builder.attrs(
        AttrSpec.required("channel_axis", Kind.INTEGER),
        AttrSpec.required("axes", Kind.INTEGERS),
        epsilon(),
        AttrSpec.of("center", Kind.BOOL, true),
        AttrSpec.of("scale", Kind.BOOL, true));
  }

  private static double epsilon(OpCall call) {
    return call.attrs().real("epsilon").orElseThrow();
  }

  private static List<Integer> axes(OpCall call, String attr) {
    return NormRule.axes(call, attr).orElseThrow();
  }

  private static @Nullable TensorExpr gamma(OpCall call, KernelInputs inputs) {
    return call.attrs().bool("scale").orElseThrow() ? inputs.tensor(1) : null;
  }

  private static @Nullable TensorExpr beta(OpCall call, KernelInputs inputs) {
    return call.attrs().bool("center").orElseThrow() ? inputs.tensor(2) : null;
  }

  private static Type batchType(OpCall call) {
    TensorType data = NormRule.perChannel(call, "axis");
    return TupleType.of(data, call.tensor(3), call.tensor(4));
  }

  private static Expr batchKernel(OpCall call, KernelCalls kernels) {
    int axis = axes(call, "axis").getFirst();
    if (call.attrs().bool("training").orElseThrow()) {
      return kernels.call(
          "batch_norm",
          call,
          (k, inputs) ->
              NormOps.batchNormTraining(
                  k,
                  "batch_norm",
                  inputs.tensor(0),
                  gamma(call, inputs),
                  beta(call, inputs),
                  inputs.tensor(3),
                  inputs.tensor(4),
                  axis,
                  epsilon(call),
                  call.attrs().real("momentum").orElseThrow()));
    }
    // The statistics stay what they are.
    Type data = ((TupleType) call.call().type()).fields().getFirst();
    Expr normal =
        kernels.call(
            "batch_norm",
            call.call().args(),
            data,
            KernelBody.one(
                (k, inputs) ->
                    NormOps.batchNorm(
                        k,
                        "batch_norm",
                        inputs.tensor(0),
                        gamma(call, inputs),
                        beta(call, inputs),
                        inputs.tensor(3),
                        inputs.tensor(4),
                        axis,
                        epsilon(call))));
    return Tuple.of(kernels.emit(normal), call.arg(3), call.arg(4));
  }

  /**
   * {@code (x - mean) / sqrt(var + epsilon) * gamma + beta} per channel of axis 1, as in inference;
   * field 0 of the tuple is the result.
   *
   * @param gamma {@code [c]}, as are {@code beta}, {@code mean} and {@code variance}
   */
  public static Call batchNorm(
      Expr data, Expr gamma, Expr beta, Expr mean, Expr variance, double epsilon) {
    return Call.of(
        BATCH_NORM,
        List.of(data, gamma, beta, mean, variance),
        Attrs.of("axis", 1)
            .with("epsilon", epsilon)
            .with("center", true)
            .with("scale", true)
            .with("momentum", 0.1)
            .with("training", false));
  }

  /**
   * Normalization with the statistics of the batch, as in training; fields 1 and 2 of the tuple are
   * {@code (1 - momentum) * old + momentum * batch} of mean and variance.
   */
  public static Call batchNormTraining(
      Expr data, Expr gamma, Expr beta, Expr mean, Expr variance, double epsilon, double momentum) {
    Call inference = batchNorm(data, gamma, beta, mean, variance, epsilon);
    return Call.of(
        BATCH_NORM,
        inference.args(),
        inference.attrs().with("momentum", momentum).with("training", true));
  }

  /** {@code (x - mean) / sqrt(variance + epsilon) * gamma + beta} with statistics along axes. */
  public static Call layerNorm(
      Expr data, Expr gamma, Expr beta, List<Integer> axes, double epsilon) {
    return Call.of(
        LAYER_NORM,
        List.of(data, gamma, beta),
        Attrs.of("axes", axes).with("epsilon", epsilon).with("center", true).with("scale", true));
  }

  /** {@code x * weight / sqrt(mean(x^2) + epsilon)} with the mean along axes. */
  public static Call rmsNorm(Expr data, Expr weight, List<Integer> axes, double epsilon) {
    return Call.of(
        RMS_NORM, List.of(data, weight), Attrs.of("axes", axes).with("epsilon", epsilon));
  }

  /**
   * Normalization with the statistics along axes and the channels of a group.
   *
   * @param axes without that of the channels
   */
  public static Call groupNorm(
      Expr data,
      Expr gamma,
      Expr beta,
      int groups,
      int channelAxis,
      List<Integer> axes,
      double epsilon) {
    return Call.of(
        GROUP_NORM,
        List.of(data, gamma, beta),
        perChannel(Attrs.of("num_groups", groups), channelAxis, axes, epsilon));
  }

  /**
   * Normalization with the statistics along axes of each channel.
   *
   * @param axes without that of the channels
   */
  public static Call instanceNorm(
      Expr data, Expr gamma, Expr beta, int channelAxis, List<Integer> axes, double epsilon) {
    return Call.of(
        INSTANCE_NORM,
        List.of(data, gamma, beta),
        perChannel(Attrs.NONE, channelAxis, axes, epsilon));
  }

  private static Attrs perChannel(
      Attrs attrs, int channelAxis, List<Integer> axes, double epsilon) {
    return attrs
        .with("channel_axis", channelAxis)
        .with("axes", axes)
        .with("epsilon", epsilon)
        .with("center", true)
        .with("scale", true);
  }
}
