package org.relaxvm.tir.op.image;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Values of tensors at coordinates that another tensor holds. Source: docs/spec/op-set.md, section
 * 2.9.
 */
public final class SampleOps {
  private static final double CUBIC_ALPHA = -0.75;

  private SampleOps() {}

  /**
   * Samples data {@code [n, c, spatial...]} of two or three spatial axes where a grid {@code [n, a,
   * out...]} says: along its axis 1 there are the coordinates of the last spatial axis first, from
   * -1 to 1. They are computed in float32, of float64 in float64.
   *
   * @return {@code [n, c, out...]}
   */
  public static TensorExpr gridSample(
      KernelBuilder k, String name, TensorExpr data, TensorExpr grid, SampleAttrs attrs) {
    String op = "grid_sample";
    Check.floats(op, data);
    Check.floats(op, grid);
    int rank = data.shape().size();
    Check.that(rank == 4 || rank == 5, op, "expected data of rank 4 or 5, but its rank is " + rank);
    Check.rank(op, grid, rank);
    int spatial = rank - 2;
    Check.that(
        spatial == 2 || attrs.method() != SampleAttrs.Method.BICUBIC,
        op,
        "bicubic sampling has two spatial axes, but there are " + spatial);
    boolean isWide = data.dtype().equals(DType.FLOAT64) || grid.dtype().equals(DType.FLOAT64);
    DType real = isWide ? DType.FLOAT64 : DType.FLOAT32;
    List<PrimExpr> shape =
        AxisLists.joined(data.shape().subList(0, 2), grid.shape().subList(2, rank));
    return k.compute(
        name,
        shape,
        i -> {
          List<Taps> taps = new ArrayList<>();
          for (int axis = 0; axis < spatial; axis++) {
            List<PrimExpr> at =
                AxisLists.<PrimExpr>joined(
                    List.of(i.get(0), IntImm.of(spatial - 1 - axis)), i.subList(2, rank));
            PrimExpr given = Exprs.cast(real, grid.at(at));
            taps.add(Taps.of(given, data.shape().get(2 + axis), attrs));
          }
          return Exprs.cast(data.dtype(), sum(data, i.subList(0, 2), taps, IntImm.of(true), real));
        });
  }

  private static PrimExpr sum(
      TensorExpr data, List<PrimExpr> index, List<Taps> axes, PrimExpr inside, DType real) {
    if (axes.isEmpty()) {
      return Exprs.ifThenElse(inside, Exprs.cast(real, data.at(index)), Arith.of(real, 0));
    }
    Taps axis = axes.getFirst();
    PrimExpr total = null;
    for (int n = 0; n < axis.indices().size(); n++) {
      PrimExpr at = axis.indices().get(n);
      PrimExpr isThere = Arith.within(at, IntImm.of(0), axis.extent());
      PrimExpr value =
          sum(
              data,
              AxisLists.<PrimExpr>joined(index, List.of(at)),
              axes.subList(1, axes.size()),
              Exprs.and(inside, isThere),
              real);
      PrimExpr part = axis.weights().isEmpty() ? value : Exprs.mul(value, axis.weights().get(n));
      total = total == null ? part : Exprs.add(total, part);
    }
    return total == null ? Arith.of(real, 0) : total;
  }

  /**
   * The elements of an axis that count for a coordinate.
   *
   * @param indices int64; those outside of the axis count as zeros
   * @param weights none where one element counts
   */
  private record Taps(PrimExpr extent, List<PrimExpr> indices, List<PrimExpr> weights) {
    static Taps of(PrimExpr given, PrimExpr extent, SampleAttrs attrs) {
      PrimExpr position = position(given, extent, attrs.alignCorners());
      boolean isOnnx = attrs.order() == SampleAttrs.Order.ONNX;
      return switch (attrs.method()) {
        case NEAREST -> {
          PrimExpr nearest =
              isOnnx
                  ? padded(Exprs.call(Intrinsic.NEARBYINT, position), extent, attrs)
                  : Exprs.call(Intrinsic.NEARBYINT, padded(position, extent, attrs));
          yield new Taps(extent, List.of(Arith.index(nearest)), List.of());
        }
        case BILINEAR -> linear(padded(position, extent, attrs), extent);
        case BICUBIC ->
            cubic(isOnnx ? paddedOutside(position, extent, attrs) : position, extent, attrs);
      };
    }

    /** A coordinate beyond the first or last centers, or the outer edges, padded. */
    private static PrimExpr paddedOutside(PrimExpr x, PrimExpr extent, SampleAttrs attrs) {
      PrimExpr edge = Arith.like(x, attrs.alignCorners() ? 0 : -0.5);
      PrimExpr last = Exprs.sub(Exprs.cast(x.dtype(), extent), Arith.like(x, 1));
      PrimExpr inside = Exprs.and(Exprs.le(edge, x), Exprs.le(x, Exprs.sub(last, edge)));
      return Exprs.select(inside, x, padded(x, extent, attrs));
    }

    /** A coordinate from -1 to 1 in elements. */
    private static PrimExpr position(PrimExpr given, PrimExpr extent, boolean alignCorners) {
      PrimExpr one = Arith.like(given, 1);
      PrimExpr half = Arith.like(given, 0.5);
      PrimExpr size = Exprs.cast(given.dtype(), extent);
      PrimExpr fromZero = Exprs.mul(Exprs.add(given, one), half);
      return alignCorners
          ? Exprs.mul(fromZero, Exprs.sub(size, one))
          : Exprs.sub(Exprs.mul(fromZero, size), half);
    }

    private static PrimExpr padded(PrimExpr x, PrimExpr extent, SampleAttrs attrs) {
      PrimExpr zero = Arith.like(x, 0);
      PrimExpr last = Exprs.sub(Exprs.cast(x.dtype(), extent), Arith.like(x, 1));
      return switch (attrs.padding()) {
        case ZEROS -> x;
        case BORDER -> Arith.clamp(x, zero, last);
        case REFLECTION -> Arith.clamp(reflected(x, extent, attrs.alignCorners()), zero, last);
      };
    }

    /** The coordinate mirrored at the first and last centers, or at the outer edges. */
    private static PrimExpr reflected(PrimExpr x, PrimExpr extent, boolean alignCorners) {
      PrimExpr low = Arith.like(x, alignCorners ? 0 : -0.5);
      PrimExpr size = Exprs.cast(x.dtype(), extent);
      PrimExpr one = Arith.like(x, 1);
      PrimExpr span = alignCorners ? Exprs.max(Exprs.sub(size, one), one) : size;
      PrimExpr distance = Exprs.call(Intrinsic.ABS, Exprs.sub(x, low));
      PrimExpr times = Exprs.call(Intrinsic.FLOOR, Arith.div(distance, span));
      PrimExpr more = Exprs.sub(distance, Exprs.mul(times, span));
      PrimExpr halves = Exprs.mul(times, Arith.like(x, 0.5));
      PrimExpr isEven = Exprs.eq(Exprs.call(Intrinsic.FLOOR, halves), halves);
      PrimExpr inside = Exprs.and(Exprs.le(low, x), Exprs.le(x, Exprs.add(span, low)));
      PrimExpr mirrored = Exprs.add(Exprs.select(isEven, more, Exprs.sub(span, more)), low);
      return Exprs.select(inside, x, mirrored);
    }

    private static Taps linear(PrimExpr x, PrimExpr extent) {
      PrimExpr floor = Exprs.call(Intrinsic.FLOOR, x);
      PrimExpr part = Exprs.sub(x, floor);
      PrimExpr first = Arith.index(floor);
      return new Taps(
          extent,
          List.of(first, Exprs.add(first, 1)),
          List.of(Exprs.sub(Arith.like(x, 1), part), part));
    }

    private static Taps cubic(PrimExpr x, PrimExpr extent, SampleAttrs attrs) {
      PrimExpr floor = Exprs.call(Intrinsic.FLOOR, x);
      List<PrimExpr> indices = new ArrayList<>();
      for (int n = -1; n <= 2; n++) {
        indices.add(Arith.index(padded(Exprs.add(floor, Arith.like(x, n)), extent, attrs)));
      }
      return new Taps(extent, indices, CubicWeights.of(Exprs.sub(x, floor), CUBIC_ALPHA));
    }
  }
}
