package org.relaxvm.tir.op.image;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Tensors resampled along any axes. Coordinates and weights are computed in float32, of float64 in
 * float64; integers are rounded towards 0.
 */
public final class ResampleOps {
  private static final String OP = "resample";

  private ResampleOps() {}

  /**
   * An axis that is resampled.
   *
   * @param axis from 0
   * @param size the extent of the result
   * @param scale a float by which coordinates are scaled; null stands for the quotient of the
   *     extents
   * @param start where {@link ResizeAttrs.Coordinates#TF_CROP_AND_RESIZE} begins, a float: 0 is the
   *     first element, 1 the last one
   * @param end where it ends
   */
  public record Axis(
      int axis, PrimExpr size, @Nullable PrimExpr scale, PrimExpr start, PrimExpr end) {}

  /** The dtype of coordinates and weights. */
  public static DType real(DType dtype) {
    return dtype.equals(DType.FLOAT64) ? DType.FLOAT64 : DType.FLOAT32;
  }

  /**
   * All axes at once: each element of the result is a sum over the taps of all axes. Not for {@link
   * ResampleAttrs#widens}.
   */
  public static TensorExpr resample(
      KernelBuilder k, String name, TensorExpr x, List<Axis> axes, ResampleAttrs attrs, DType out) {
    boolean moves = attrs.method() == ResizeAttrs.Method.NEAREST_NEIGHBOR;
    if (!moves) {
      Check.numbers(OP, x);
    }
    boolean crops = attrs.coordinates() == ResizeAttrs.Coordinates.TF_CROP_AND_RESIZE;
    DType real = real(x.dtype());
    List<PrimExpr> shape = new ArrayList<>(x.shape());
    axes.forEach(axis -> shape.set(axis.axis(), axis.size()));
    return k.compute(
        name,
        shape,
        i -> {
          PrimExpr inside = IntImm.of(true);
          List<Taps> taps = new ArrayList<>();
          for (Axis axis : axes) {
            PrimExpr extent = x.shape().get(axis.axis());
            PrimExpr position = position(i.get(axis.axis()), extent, axis, attrs, real);
            taps.add(taps(position, extent, attrs));
            inside = Exprs.and(inside, inside(position, extent));
          }
          DType dtype = moves ? x.dtype() : real;
          PrimExpr value =
              Taps.sum(Taps.converted(x, dtype), i, axes.stream().map(Axis::axis).toList(), taps);
          if (crops) {
            value = Exprs.select(inside, value, Arith.converted(dtype, attrs.extrapolation()));
          }
          return Exprs.cast(out, value);
        });
  }

  /** One axis, with weights as wide as the distance of the results where those are fewer. */
  public static TensorExpr widened(
      KernelBuilder k, String name, TensorExpr x, Axis axis, ResampleAttrs attrs, DType out) {
    Check.numbers(OP, x);
    DType real = real(x.dtype());
    int along = axis.axis();
    PrimExpr extent = x.shape().get(along);
    long support = attrs.method() == ResizeAttrs.Method.CUBIC ? 2 : 1;
    List<PrimExpr> taps = List.of(tapCount(extent, axis.size(), support));
    TensorExpr weights =
        k.compute(
            name + "_weights",
            List.of(axis.size(), taps.getFirst()),
            i -> {
              PrimExpr position = position(i.getFirst(), extent, axis, attrs, real);
              PrimExpr scale = narrowing(axis, extent, real);
              PrimExpr at = Exprs.add(first(position, scale, support), i.get(1));
              PrimExpr distance = Exprs.mul(Exprs.sub(Exprs.cast(real, at), position), scale);
              PrimExpr weight = weight(Exprs.call(Intrinsic.ABS, distance), attrs);
              return attrs.excludesOutside()
                  ? Exprs.select(
                      Arith.within(at, IntImm.of(0), extent), weight, Arith.like(weight, 0))
                  : weight;
            });
    TensorExpr total =
        k.reduce(
            name + "_total",
            List.of(axis.size()),
            taps,
            Reducer.SUM,
            (i, r) -> weights.at(i.getFirst(), r.getFirst()));
    List<PrimExpr> shape = AxisLists.with(x.shape(), along, axis.size());
    TensorExpr sum =
        k.reduce(
            name + "_sum",
            shape,
            taps,
            Reducer.SUM,
            (i, r) -> {
              PrimExpr position = position(i.get(along), extent, axis, attrs, real);
              PrimExpr scale = narrowing(axis, extent, real);
              PrimExpr at = Exprs.add(first(position, scale, support), r.getFirst());
              PrimExpr source = Arith.clamp(at, IntImm.of(0), Exprs.sub(extent, 1));
              return Exprs.mul(
                  Exprs.cast(real, x.at(AxisLists.with(i, along, source))),
                  weights.at(i.get(along), r.getFirst()));
            });
    return k.compute(
        name, shape, i -> Exprs.cast(out, Arith.div(sum.at(i), total.at(i.get(along)))));
  }

  /**
   * How many elements have a weight at most. A size is at least the extent times the scale less a
   * half, so that the inverse of the scale is at most {@code 2 * extent / (2 * size - 1)}.
   */
  private static PrimExpr tapCount(PrimExpr extent, PrimExpr size, long support) {
    PrimExpr divisor = Exprs.max(Exprs.sub(Exprs.mul(size, 2), 1), IntImm.of(1));
    PrimExpr count = Exprs.ceilDiv(Exprs.mul(extent, 4 * support), divisor);
    return Exprs.add(Exprs.max(count, IntImm.of(2 * support)), 1);
  }

  /** By what distances are scaled: at most 1. */
  private static PrimExpr narrowing(Axis axis, PrimExpr extent, DType real) {
    PrimExpr scale =
        axis.scale() == null
            ? Arith.div(Exprs.cast(real, axis.size()), Exprs.cast(real, extent))
            : Exprs.cast(real, axis.scale());
    return Exprs.min(scale, Arith.like(scale, 1));
  }

  private static PrimExpr first(PrimExpr position, PrimExpr scale, long support) {
    PrimExpr reach = Arith.div(Arith.like(scale, support), scale);
    return Exprs.add(Arith.index(Exprs.call(Intrinsic.FLOOR, Exprs.sub(position, reach))), 1);
  }

  private static PrimExpr weight(PrimExpr distance, ResampleAttrs attrs) {
    PrimExpr zero = Arith.like(distance, 0);
    PrimExpr one = Arith.like(distance, 1);
    if (attrs.method() == ResizeAttrs.Method.LINEAR) {
      return Exprs.max(Exprs.sub(one, distance), zero);
    }
    double a = attrs.cubicAlpha();
    PrimExpr near = CubicWeights.polynomial(distance, 1, 0, -(a + 3), a + 2);
    PrimExpr far = CubicWeights.polynomial(distance, -4 * a, 8 * a, -5 * a, a);
    PrimExpr outer = Exprs.select(Exprs.lt(distance, Arith.like(distance, 2)), far, zero);
    return Exprs.select(Exprs.le(distance, one), near, outer);
  }

  private static PrimExpr inside(PrimExpr position, PrimExpr extent) {
    PrimExpr last = Exprs.cast(position.dtype(), Exprs.sub(extent, 1));
    return Exprs.and(Exprs.le(Arith.like(position, 0), position), Exprs.le(position, last));
  }

  private static Taps taps(PrimExpr position, PrimExpr extent, ResampleAttrs attrs) {
    Taps taps =
        switch (attrs.method()) {
          case NEAREST_NEIGHBOR -> Taps.single(nearest(position, attrs.rounding()));
          case LINEAR -> Taps.linear(position);
          case CUBIC -> Taps.cubic(position, attrs.cubicAlpha());
        };
    return (attrs.excludesOutside() ? taps.excludingOutside(extent) : taps).clamped(extent);
  }

  private static PrimExpr nearest(PrimExpr position, ResizeAttrs.Rounding rounding) {
    PrimExpr half = Arith.like(position, 0.5);
    return switch (rounding) {
      case ROUND -> Exprs.call(Intrinsic.NEARBYINT, position);
      case ROUND_PREFER_FLOOR -> Exprs.call(Intrinsic.CEIL, Exprs.sub(position, half));
      case ROUND_PREFER_CEIL -> Exprs.call(Intrinsic.FLOOR, Exprs.add(position, half));
      case FLOOR -> Exprs.call(Intrinsic.FLOOR, position);
      case CEIL -> Exprs.call(Intrinsic.CEIL, position);
    };
  }

  /** Where an element of the result is in the tensor, as a float. */
  private static PrimExpr position(
      PrimExpr at, PrimExpr extent, Axis axis, ResampleAttrs attrs, DType real) {
    Coordinate coordinate = new Coordinate(Exprs.cast(real, at), extent, axis, real);
    PrimExpr zero = Arith.of(real, 0);
    PrimExpr several = Arith.gt(axis.size(), IntImm.of(1));
    return switch (attrs.coordinates()) {
      case HALF_PIXEL -> coordinate.halfPixel();
      case HALF_PIXEL_SYMMETRIC -> Exprs.add(coordinate.margin(), coordinate.halfPixel());
      case PYTORCH_HALF_PIXEL -> Exprs.select(several, coordinate.halfPixel(), zero);
      case ALIGN_CORNERS -> Exprs.select(several, coordinate.between(zero, null), zero);
      case ASYMMETRIC -> coordinate.scaled(coordinate.x);
      case TF_HALF_PIXEL_FOR_NN -> coordinate.center();
      case TF_CROP_AND_RESIZE -> {
        PrimExpr start = Exprs.cast(real, axis.start());
        PrimExpr end = Exprs.cast(real, axis.end());
        PrimExpr middle = Exprs.mul(Exprs.add(start, end), Arith.of(real, 0.5));
        yield Exprs.select(
            several, coordinate.between(start, end), Exprs.mul(middle, coordinate.last()));
      }
    };
  }

  /** Arithmetic on a coordinate of the result. */
  private record Coordinate(PrimExpr x, PrimExpr extent, Axis axis, DType real) {
    PrimExpr last() {
      return Exprs.cast(real, Exprs.sub(extent, 1));
    }

    PrimExpr length() {
      PrimExpr scale = axis.scale();
      return scale == null
          ? Exprs.cast(real, axis.size())
          : Exprs.mul(Exprs.cast(real, scale), Exprs.cast(real, extent));
    }

    /** The quotient of a coordinate and the scale, rounded once where that is one of extents. */
    PrimExpr scaled(PrimExpr coordinate) {
      PrimExpr scale = axis.scale();
      return scale == null
          ? Arith.div(
              Exprs.mul(coordinate, Exprs.cast(real, extent)), Exprs.cast(real, axis.size()))
          : Arith.div(coordinate, Exprs.cast(real, scale));
    }

    PrimExpr center() {
      return scaled(Exprs.add(x, Arith.of(real, 0.5)));
    }

    PrimExpr halfPixel() {
      return Exprs.sub(center(), Arith.of(real, 0.5));
    }

    /** What the result lacks of the scaled extent, on one side and before scaling. */
    PrimExpr margin() {
      if (axis.scale() == null) {
        return Arith.of(real, 0);
      }
      PrimExpr part = Arith.div(Exprs.cast(real, axis.size()), length());
      PrimExpr half = Exprs.mul(Exprs.cast(real, extent), Arith.of(real, 0.5));
      return Exprs.mul(half, Exprs.sub(Arith.of(real, 1), part));
    }

    /**
     * The result spread between two points.
     *
     * @param end null stands for the last element
     */
    PrimExpr between(PrimExpr start, @Nullable PrimExpr end) {
      PrimExpr gaps = Exprs.sub(length(), Arith.of(real, 1));
      if (end == null) {
        return Arith.div(Exprs.mul(x, last()), gaps);
      }
      PrimExpr span = Exprs.mul(Exprs.sub(end, start), last());
      return Exprs.add(Exprs.mul(start, last()), Arith.div(Exprs.mul(x, span), gaps));
    }
  }
}
