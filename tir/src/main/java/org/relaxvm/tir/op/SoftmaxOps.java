package org.relaxvm.tir.op;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.ReducedAxes;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Softmax and losses; floats, float16 and bfloat16 computed in float32. */
public final class SoftmaxOps {
  /** What becomes of the losses of all items. */
  public enum Reduction {
    /** They are the result. */
    NONE,
    /** Their sum, rank 0. */
    SUM,
    /** Their mean, weighted, rank 0. */
    MEAN
  }

  private SoftmaxOps() {}

  /** {@code exp(x - m) / sum(exp(x - m))} along an axis, with {@code m} the largest element. */
  public static TensorExpr softmax(KernelBuilder k, String name, TensorExpr x, int axis) {
    Parts parts = Parts.of(k, name, "softmax", x, axis, true);
    return k.compute(
        name,
        x.shape(),
        i ->
            Exprs.cast(
                x.dtype(),
                Arith.div(parts.shifted().at(i), parts.sum().at(parts.axes().resultIndex(i)))));
  }

  /** {@code x - m - log(sum(exp(x - m)))} along an axis. */
  public static TensorExpr logSoftmax(KernelBuilder k, String name, TensorExpr x, int axis) {
    Parts parts = Parts.of(k, name, "log_softmax", x, axis, false);
    return k.compute(
        name,
        x.shape(),
        i -> {
          PrimExpr log = Arith.log(parts.sum().at(parts.axes().resultIndex(i)));
          return Exprs.cast(x.dtype(), Exprs.sub(parts.shifted().at(i), log));
        });
  }

  /**
   * What both need.
   *
   * @param shifted {@code x - m}, or its exponentials
   */
  private record Parts(ReducedAxes axes, TensorExpr shifted, TensorExpr sum) {
    static Parts of(
        KernelBuilder k, String name, String op, TensorExpr x, int axis, boolean exponentials) {
      Check.floats(op, x);
      ReducedAxes axes = ReducedAxes.of(op, x, List.of(axis), false);
      TensorExpr max = axes.reduce(k, name + "_max", Reducer.MAX, (i, at) -> x.at(at));
      TensorExpr shifted =
          exponentials
              ? k.compute(name + "_exp", x.shape(), i -> Arith.exp(shift(x, max, axes, i)))
              : k.inlined(name + "_shifted", x.shape(), i -> shift(x, max, axes, i));
      TensorExpr sum =
          axes.reduce(
              k,
              name + "_sum",
              Reducer.SUM,
              (i, at) -> exponentials ? shifted.at(at) : Arith.exp(shifted.at(at)));
      return new Parts(axes, shifted, sum);
    }

    private static PrimExpr shift(
        TensorExpr x, TensorExpr max, ReducedAxes axes, List<PrimExpr> i) {
      return Exprs.sub(Arith.widened(x.at(i)), max.at(axes.resultIndex(i)));
    }
  }

  /** The negative sum of {@code logits * labels}, divided by the first extent if there are two. */
  public static TensorExpr crossEntropyWithLogits(
      KernelBuilder k, String name, TensorExpr logits, TensorExpr labels) {
    String op = "cross_entropy_with_logits";
    Check.floats(op, logits);
    Check.sameDType(op, logits, labels);
    Check.rankAtLeast(op, logits, 1);
    Check.rank(op, labels, logits.shape().size());
    ReducedAxes all = ReducedAxes.of(op, logits, null, false);
    TensorExpr sum =
        all.reduce(
            k,
            name + "_sum",
            Reducer.SUM,
            (i, at) -> Exprs.mul(Arith.widened(logits.at(at)), Arith.widened(labels.at(at))));
    PrimExpr items = logits.shape().size() > 1 ? logits.shape().getFirst() : IntImm.of(1);
    return k.compute(
        name,
        List.of(),
        i ->
            Exprs.cast(
                logits.dtype(),
                Arith.div(
                    Exprs.sub(Arith.like(sum.at(i), 0), sum.at(i)),
                    Exprs.cast(sum.dtype(), items))));
  }

  /**
   * Minus the prediction of the right class times the weight of that class.
   *
   * @param predictions {@code [n, c, ...]}, or {@code [c]}
   * @param targets integers {@code [n, ...]}, or rank 0
   * @param weights {@code [c]}; null means 1
   * @param ignored a class that gives 0 and does not count
   */
  public static TensorExpr nllLoss(
      KernelBuilder k,
      String name,
      TensorExpr predictions,
      TensorExpr targets,
      @Nullable TensorExpr weights,
      Reduction reduction,
      long ignored) {
    String op = "nll_loss";
    Check.floats(op, predictions);
    Check.integers(op, targets);
    Check.rankAtLeast(op, predictions, 1);
    Check.rank(op, targets, predictions.shape().size() - 1);
    if (weights != null) {
      Check.sameDType(op, predictions, weights);
      Check.rank(op, weights, 1);
    }
    int axis = predictions.shape().size() == 1 ? 0 : 1;
    TensorExpr weight =
        k.inlined(
            name + "_weight",
            targets.shape(),
            i -> {
              PrimExpr target = Arith.index(targets.at(i));
              PrimExpr one = Arith.of(Arith.wide(predictions.dtype()), 1);
              PrimExpr own = weights == null ? one : Arith.widened(weights.at(target));
              return Exprs.ifThenElse(
                  Arith.ne(target, IntImm.of(ignored)), own, Arith.like(own, 0));
            });
    TensorExpr loss =
        k.inlined(
            name + "_loss",
            targets.shape(),
            i -> {
              PrimExpr target = Arith.index(targets.at(i));
              PrimExpr value =
                  Arith.widened(predictions.at(AxisLists.<PrimExpr>inserted(i, axis, target)));
              PrimExpr counted = Exprs.sub(Arith.like(value, 0), Exprs.mul(value, weight.at(i)));
              return Exprs.ifThenElse(
                  Arith.ne(target, IntImm.of(ignored)), counted, Arith.like(value, 0));
            });
    if (reduction == Reduction.NONE) {
      return k.compute(name, targets.shape(), i -> Exprs.cast(predictions.dtype(), loss.at(i)));
    }
    TensorExpr sum = ReductionOps.sum(k, name + "_sum", loss, null, false);
    if (reduction == Reduction.SUM) {
      return k.compute(name, List.of(), i -> Exprs.cast(predictions.dtype(), sum.at(i)));
    }
    TensorExpr total = ReductionOps.sum(k, name + "_total", weight, null, false);
    return k.compute(
        name, List.of(), i -> Exprs.cast(predictions.dtype(), Arith.div(sum.at(i), total.at(i))));
  }
}
