package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.ReducedAxes;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Normalizations of floats; results have the shape and dtype of {@code x}. Statistics are computed
 * in two passes, of float16 and bfloat16 in float32. A {@code gamma} that is null counts as 1, a
 * {@code beta} as 0.
 */
public final class NormOps {
  private NormOps() {}

  /**
   * {@code (x - mean) / sqrt(variance + epsilon) * gamma + beta} with the statistics along axes.
   *
   * @param gamma with the extents along {@code axes}
   * @param beta likewise
   */
  public static TensorExpr layerNorm(
      KernelBuilder k,
      String name,
      TensorExpr x,
      @Nullable TensorExpr gamma,
      @Nullable TensorExpr beta,
      List<Integer> axes,
      double epsilon) {
    String op = "layer_norm";
    List<Integer> order = Check.axesInOrder(op, axes, x.shape().size());
    ReducedAxes reduced = ReducedAxes.of(op, x, axes, false);
    requireParameter(op, x, gamma, order);
    requireParameter(op, x, beta, order);
    TensorExpr scaled = standardized(k, name, op, x, reduced, epsilon);
    return k.compute(
        name,
        x.shape(),
        i -> {
          List<PrimExpr> point = order.stream().map(i::get).toList();
          return Exprs.cast(x.dtype(), affine(scaled.at(i), gamma, beta, point));
        });
  }

  /**
   * {@code x * weight / sqrt(mean(x^2) + epsilon)} with the mean along axes.
   *
   * @param weight with the extents along {@code axes}
   */
  public static TensorExpr rmsNorm(
      KernelBuilder k,
      String name,
      TensorExpr x,
      @Nullable TensorExpr weight,
      List<Integer> axes,
      double epsilon) {
    String op = "rms_norm";
    Check.floats(op, x);
    List<Integer> order = Check.axesInOrder(op, axes, x.shape().size());
    ReducedAxes reduced = ReducedAxes.of(op, x, axes, false);
    requireParameter(op, x, weight, order);
    TensorExpr squares =
        reduced.reduce(
            k,
            name + "_squares",
            Reducer.SUM,
            (i, at) -> {
              PrimExpr value = Arith.widened(x.at(at));
              return Exprs.mul(value, value);
            });
    return k.compute(
        name,
        x.shape(),
        i -> {
          PrimExpr value = Arith.widened(x.at(i));
          List<PrimExpr> point = order.stream().map(i::get).toList();
          PrimExpr weighted =
              weight == null ? value : Exprs.mul(value, Arith.widened(weight.at(point)));
          PrimExpr mean =
              Arith.div(squares.at(reduced.resultIndex(i)), reduced.count(squares.dtype()));
          return Exprs.cast(x.dtype(), Exprs.mul(weighted, inverseRoot(mean, epsilon)));
        });
  }

  /**
   * Normalization with the statistics along axes of the channels of a group.
   *
   * @param gamma {@code [c]}
   * @param beta {@code [c]}
   * @param groups divides the channels
   * @param axes without that of the channels
   */
  public static TensorExpr groupNorm(
      KernelBuilder k,
      String name,
      TensorExpr x,
      @Nullable TensorExpr gamma,
      @Nullable TensorExpr beta,
      int groups,
      int channelAxis,
      List<Integer> axes,
      double epsilon) {
    String op = "group_norm";
    int channel = Check.axis(op, channelAxis, x.shape().size());
    List<Integer> others = Check.axes(op, axes, x.shape().size());
    Check.that(
        !others.contains(channel), op, "the axis " + channel + " of channels is among " + axes);
    PrimExpr channels = x.shape().get(channel);
    Check.that(
        groups >= 1 && Dims.known(channels).stream().allMatch(known -> known % groups == 0),
        op,
        Dims.text(channels) + " channels cannot be divided into " + groups + " groups");
    requireParameter(op, x, gamma, List.of(channel));
    requireParameter(op, x, beta, List.of(channel));
    PrimExpr inner = Dims.simplify(Exprs.floorDiv(channels, groups));
    List<PrimExpr> split = new ArrayList<>(x.shape());
    split.set(channel, IntImm.of(groups));
    split.add(channel + 1, inner);
    TensorExpr grouped =
        k.inlined(
            x.name() + "_groups",
            split,
            i -> {
              List<PrimExpr> at = AxisLists.without(i, channel + 1);
              PrimExpr first = Exprs.mul(i.get(channel), inner);
              return x.at(AxisLists.with(at, channel, Exprs.add(first, i.get(channel + 1))));
            });
    List<Integer> all = new ArrayList<>(List.of(channel + 1));
    others.forEach(axis -> all.add(axis > channel ? axis + 1 : axis));
    ReducedAxes reduced = ReducedAxes.of(op, grouped, all, false);
    TensorExpr scaled = standardized(k, name, op, grouped, reduced, epsilon);
    return k.compute(
        name,
        x.shape(),
        i -> {
          List<PrimExpr> at =
              AxisLists.inserted(i, channel + 1, Exprs.floorMod(i.get(channel), inner));
          PrimExpr value =
              scaled.at(AxisLists.with(at, channel, Exprs.floorDiv(i.get(channel), inner)));
          return Exprs.cast(x.dtype(), affine(value, gamma, beta, List.of(i.get(channel))));
        });
  }

  /** Normalization with the statistics along axes of each channel, as groups of one channel. */
  public static TensorExpr instanceNorm(
      KernelBuilder k,
      String name,
      TensorExpr x,
      @Nullable TensorExpr gamma,
      @Nullable TensorExpr beta,
      int channelAxis,
      List<Integer> axes,
      double epsilon) {
    String op = "instance_norm";
    int channel = Check.axis(op, channelAxis, x.shape().size());
    ReducedAxes reduced = ReducedAxes.of(op, x, axes, false);
    Check.that(
        !reduced.axes().contains(channel),
        op,
        "the axis " + channel + " of channels is among " + axes);
    requireParameter(op, x, gamma, List.of(channel));
    requireParameter(op, x, beta, List.of(channel));
    TensorExpr scaled = standardized(k, name, op, x, reduced, epsilon);
    return k.compute(
        name,
        x.shape(),
        i -> Exprs.cast(x.dtype(), affine(scaled.at(i), gamma, beta, List.of(i.get(channel)))));
  }

  /** Normalization with given statistics per channel, as in inference; all are {@code [c]}. */
  public static TensorExpr batchNorm(
      KernelBuilder k,
      String name,
      TensorExpr x,
      @Nullable TensorExpr gamma,
      @Nullable TensorExpr beta,
      TensorExpr mean,
      TensorExpr variance,
      int axis,
      double epsilon) {
    String op = "batch_norm";
    Check.floats(op, x);
    int channel = Check.axis(op, axis, x.shape().size());
    for (TensorExpr parameter : new @Nullable TensorExpr[] {gamma, beta, mean, variance}) {
      requireParameter(op, x, parameter, List.of(channel));
    }
    return k.compute(
        name,
        x.shape(),
        i -> {
          List<PrimExpr> point = List.of(i.get(channel));
          PrimExpr apart = Exprs.sub(Arith.widened(x.at(i)), Arith.widened(mean.at(point)));
          PrimExpr shifted = Arith.widened(variance.at(point));
          PrimExpr root =
              Exprs.call(Intrinsic.SQRT, Exprs.add(shifted, Arith.like(shifted, epsilon)));
          return Exprs.cast(x.dtype(), affine(Arith.div(apart, root), gamma, beta, point));
        });
  }

  /**
   * Normalization with the statistics of the batch, as in training.
   *
   * @param momentum how much the statistics of the batch count in the new ones
   * @return {@code name}, {@code name_mean} and {@code name_var}: the result, and {@code (1 -
   *     momentum) * old + momentum * batch} of both statistics
   */
  public static List<TensorExpr> batchNormTraining(
      KernelBuilder k,
      String name,
      TensorExpr x,
      @Nullable TensorExpr gamma,
      @Nullable TensorExpr beta,
      TensorExpr mean,
      TensorExpr variance,
      int axis,
      double epsilon,
      double momentum) {
    String op = "batch_norm";
    Check.floats(op, x);
    int channel = Check.axis(op, axis, x.shape().size());
    List<Integer> others = new ArrayList<>(Check.axes(op, null, x.shape().size()));
    others.remove(Integer.valueOf(channel));
    ReducedAxes reduced = ReducedAxes.of(op, x, others, false);
    TensorExpr ownMean = mean(k, name + "_batch_mean", x, reduced);
    TensorExpr ownVariance = variance(k, name + "_batch_var", x, reduced, ownMean);
    TensorExpr result =
        batchNorm(
            k,
            name,
            k.inlined(name + "_x", x.shape(), i -> Arith.widened(x.at(i))),
            gamma == null ? null : wide(k, gamma),
            beta == null ? null : wide(k, beta),
            ownMean,
            ownVariance,
            axis,
            epsilon);
    TensorExpr rounded =
        result.dtype().equals(x.dtype())
            ? result
            : k.compute(name + "_y", x.shape(), i -> Exprs.cast(x.dtype(), result.at(i)));
    return List.of(
        rounded,
        running(k, name + "_mean", mean, ownMean, momentum),
        running(k, name + "_var", variance, ownVariance, momentum));
  }

  private static TensorExpr wide(KernelBuilder k, TensorExpr x) {
    return k.inlined(x.name() + "_wide", x.shape(), i -> Arith.widened(x.at(i)));
  }

  private static TensorExpr running(
      KernelBuilder k, String name, TensorExpr old, TensorExpr batch, double momentum) {
    return k.compute(
        name,
        old.shape(),
        i -> {
          PrimExpr before = Arith.widened(old.at(i));
          PrimExpr kept = Exprs.mul(Arith.like(before, 1 - momentum), before);
          return Exprs.cast(
              old.dtype(), Exprs.add(kept, Exprs.mul(Arith.like(before, momentum), batch.at(i))));
        });
  }

  private static TensorExpr mean(KernelBuilder k, String name, TensorExpr x, ReducedAxes reduced) {
    TensorExpr sum = reduced.reduce(k, name + "_sum", Reducer.SUM, (i, at) -> x.at(at));
    return k.compute(name, reduced.shape(), i -> Arith.div(sum.at(i), reduced.count(sum.dtype())));
  }

  private static TensorExpr variance(
      KernelBuilder k, String name, TensorExpr x, ReducedAxes reduced, TensorExpr mean) {
    TensorExpr squares =
        reduced.reduce(
            k,
            name + "_squares",
            Reducer.SUM,
            (i, at) -> {
              PrimExpr apart = Exprs.sub(Arith.widened(x.at(at)), mean.at(i));
              return Exprs.mul(apart, apart);
            });
    return k.compute(
        name, reduced.shape(), i -> Arith.div(squares.at(i), reduced.count(squares.dtype())));
  }

  /** {@code (x - mean) / sqrt(variance + epsilon)} in the accumulator dtype, without memory. */
  private static TensorExpr standardized(
      KernelBuilder k, String name, String op, TensorExpr x, ReducedAxes reduced, double epsilon) {
    Check.floats(op, x);
    TensorExpr mean = mean(k, name + "_mean", x, reduced);
    TensorExpr variance = variance(k, name + "_var", x, reduced, mean);
    return k.inlined(
        name + "_scaled",
        x.shape(),
        i -> {
          List<PrimExpr> position = reduced.resultIndex(i);
          PrimExpr apart = Exprs.sub(Arith.widened(x.at(i)), mean.at(position));
          return Exprs.mul(apart, inverseRoot(variance.at(position), epsilon));
        });
  }

  private static PrimExpr inverseRoot(PrimExpr x, double epsilon) {
    return Exprs.call(Intrinsic.RSQRT, Exprs.add(x, Arith.like(x, epsilon)));
  }

  private static PrimExpr affine(
      PrimExpr value, @Nullable TensorExpr gamma, @Nullable TensorExpr beta, List<PrimExpr> point) {
    PrimExpr scaled = gamma == null ? value : Exprs.mul(value, Arith.widened(gamma.at(point)));
    return beta == null ? scaled : Exprs.add(scaled, Arith.widened(beta.at(point)));
  }

  private static void requireParameter(
      String op, TensorExpr x, @Nullable TensorExpr parameter, List<Integer> axes) {
    if (parameter == null) {
      return;
    }
    Check.sameDType(op, x, parameter);
    Check.rank(op, parameter, axes.size());
    for (int n = 0; n < axes.size(); n++) {
      Dims.requireSame(
          op,
          x.shape().get(axes.get(n)),
          parameter.shape().get(n),
          "the extents of axis " + axes.get(n) + " and " + parameter.name());
    }
  }
}
