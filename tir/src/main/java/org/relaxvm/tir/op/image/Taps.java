package org.relaxvm.tir.op.image;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.te.TensorExpr;

/**
 * The elements along an axis that count for a coordinate.
 *
 * @param indices int64, not yet within the axis
 * @param weights as many; none where a single element counts
 */
record Taps(List<PrimExpr> indices, List<PrimExpr> weights) {

  /** A single element. */
  static Taps single(PrimExpr position) {
    return new Taps(List.of(Arith.index(position)), List.of());
  }

  /** The two elements beside a coordinate. */
  static Taps linear(PrimExpr position) {
    PrimExpr floor = Exprs.call(Intrinsic.FLOOR, position);
    PrimExpr part = Exprs.sub(position, floor);
    return new Taps(around(floor, 0, 2), List.of(Exprs.sub(Arith.like(part, 1), part), part));
  }

  /** The four elements beside a coordinate, with the weights of a curve. */
  static Taps cubic(PrimExpr position, double a) {
    PrimExpr floor = Exprs.call(Intrinsic.FLOOR, position);
    PrimExpr t = Exprs.sub(position, floor);
    return new Taps(around(floor, -1, 4), CubicWeights.of(t, a));
  }

  private static List<PrimExpr> around(PrimExpr floor, int first, int count) {
    List<PrimExpr> indices = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      indices.add(Exprs.add(Arith.index(floor), first + n));
    }
    return indices;
  }

  /** Without the elements outside of an axis; the other weights are raised to a sum of 1. */
  Taps excludingOutside(PrimExpr extent) {
    if (weights.isEmpty()) {
      return this;
    }
    List<PrimExpr> kept = new ArrayList<>();
    for (int n = 0; n < weights.size(); n++) {
      PrimExpr inside = Arith.within(indices.get(n), IntImm.of(0), extent);
      PrimExpr weight = weights.get(n);
      kept.add(Exprs.select(inside, weight, Arith.like(weight, 0)));
    }
    PrimExpr total = kept.stream().reduce(Exprs::add).orElseThrow();
    kept.replaceAll(weight -> Arith.div(weight, total));
    return new Taps(indices, kept);
  }

  /** With the nearest element of an axis for those outside. */
  Taps clamped(PrimExpr extent) {
    PrimExpr last = Exprs.sub(extent, 1);
    return new Taps(
        indices.stream().map(at -> Arith.clamp(at, IntImm.of(0), last)).toList(), weights);
  }

  /** Reads an element. */
  interface Source {
    PrimExpr at(List<PrimExpr> index);
  }

  /**
   * The sum over all taps of some axes, the weights multiplied.
   *
   * @param axes in the order of {@code taps}
   */
  static PrimExpr sum(Source source, List<PrimExpr> index, List<Integer> axes, List<Taps> taps) {
    if (taps.isEmpty()) {
      return source.at(index);
    }
    Taps own = taps.getFirst();
    PrimExpr total = null;
    for (int n = 0; n < own.indices.size(); n++) {
      PrimExpr value =
          sum(
              source,
              AxisLists.with(index, axes.getFirst(), own.indices.get(n)),
              axes.subList(1, axes.size()),
              taps.subList(1, taps.size()));
      if (!own.weights.isEmpty()) {
        value = Exprs.mul(value, own.weights.get(n));
      }
      total = total == null ? value : Exprs.add(total, value);
    }
    return Objects.requireNonNull(total);
  }

  /** Elements of a tensor as floats of a dtype. */
  static Source converted(TensorExpr x, DType dtype) {
    return index -> Exprs.cast(dtype, x.at(index));
  }
}
