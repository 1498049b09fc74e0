package org.relaxvm.tir.op.image;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Layout;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Images of another size. Source: docs/spec/op-set.md, section 3.6. */
public final class ResizeOps {
  private ResizeOps() {}

  /**
   * A tensor with other spatial extents, of which there may be one to three. Coordinates and
   * weights are computed in float32, of float64 in float64; integers are rounded towards 0.
   *
   * @param size the spatial extents of the result
   */
  public static TensorExpr resize(
      KernelBuilder k, String name, TensorExpr data, List<PrimExpr> size, ResizeAttrs attrs) {
    String op = "resize";
    Check.numbers(op, data);
    int spatial = size.size();
    Check.that(
        spatial >= 1 && spatial <= 3, op, "expected 1 to 3 extents, but got " + Dims.texts(size));
    Check.rank(op, data, 2 + spatial);
    boolean crops = attrs.coordinates() == ResizeAttrs.Coordinates.TF_CROP_AND_RESIZE;
    if (crops) {
      Check.count(op, "roi", attrs.roi(), 2 * spatial);
    }
    Layout layout = Layout.of(op, attrs.layout(), Layout.data(spatial));
    TensorExpr x = layout.plain(k, data);
    DType out = attrs.outDType() == null ? data.dtype() : attrs.outDType();
    DType real = data.dtype().equals(DType.FLOAT64) ? DType.FLOAT64 : DType.FLOAT32;
    List<PrimExpr> plain = AxisLists.joined(x.shape().subList(0, 2), size);
    return k.compute(
        name,
        layout.own(plain),
        own -> {
          List<PrimExpr> i = layout.plain(own);
          List<Taps> taps = new ArrayList<>();
          PrimExpr inside = IntImm.of(true);
          for (int n = 0; n < spatial; n++) {
            PrimExpr in = x.shape().get(2 + n);
            PrimExpr position = position(i.get(2 + n), in, size.get(n), attrs, n, spatial, real);
            taps.add(taps(position, in, attrs));
            PrimExpr last = Exprs.cast(real, Exprs.sub(in, 1));
            inside =
                Exprs.and(
                    inside,
                    Exprs.and(Exprs.le(Arith.of(real, 0), position), Exprs.le(position, last)));
          }
          boolean moves = attrs.method() == ResizeAttrs.Method.NEAREST_NEIGHBOR && !crops;
          List<Integer> axes = IntStream.range(2, 2 + spatial).boxed().toList();
          PrimExpr value = Taps.sum(Taps.converted(x, moves ? data.dtype() : real), i, axes, taps);
          if (crops) {
            value = Exprs.select(inside, value, Arith.of(real, attrs.extrapolation()));
          }
          return Exprs.cast(out, value);
        });
  }

  private static PrimExpr position(
      PrimExpr at,
      PrimExpr in,
      PrimExpr out,
      ResizeAttrs attrs,
      int axis,
      int spatial,
      DType real) {
    PrimExpr x = Exprs.cast(real, at);
    PrimExpr half = Arith.of(real, 0.5);
    PrimExpr zero = Arith.of(real, 0);
    PrimExpr size = Exprs.cast(real, out);
    PrimExpr scale = Arith.div(Exprs.cast(real, in), size);
    PrimExpr last = Exprs.cast(real, Exprs.sub(in, 1));
    // A single position has no distance: the divisor then does not count.
    PrimExpr several = Arith.gt(out, IntImm.of(1));
    PrimExpr gaps = Exprs.cast(real, Exprs.max(Exprs.sub(out, 1), IntImm.of(1)));
    PrimExpr center = Exprs.mul(Exprs.add(x, half), scale);
    return switch (attrs.coordinates()) {
      case HALF_PIXEL, HALF_PIXEL_SYMMETRIC -> Exprs.sub(center, half);
      case PYTORCH_HALF_PIXEL -> Exprs.select(several, Exprs.sub(center, half), zero);
      case ALIGN_CORNERS -> Exprs.select(several, Arith.div(Exprs.mul(x, last), gaps), zero);
      case ASYMMETRIC -> Exprs.mul(x, scale);
      case TF_HALF_PIXEL_FOR_NN -> center;
      case TF_CROP_AND_RESIZE -> {
        double start = attrs.roi().get(axis);
        double end = attrs.roi().get(spatial + axis);
        PrimExpr first = Exprs.mul(Arith.of(real, start), last);
        PrimExpr step = Arith.div(Exprs.mul(Arith.of(real, end - start), last), gaps);
        PrimExpr middle = Exprs.mul(Arith.of(real, 0.5 * (start + end)), last);
        yield Exprs.select(several, Exprs.add(first, Exprs.mul(x, step)), middle);
      }
    };
  }

  private static Taps taps(PrimExpr position, PrimExpr in, ResizeAttrs attrs) {
    Taps taps =
        switch (attrs.method()) {
          case NEAREST_NEIGHBOR -> Taps.single(nearest(position, attrs.rounding()));
          case LINEAR -> Taps.linear(position);
          case CUBIC -> Taps.cubic(position, attrs.cubicAlpha());
        };
    boolean excludes = attrs.cubicExclude() && attrs.method() == ResizeAttrs.Method.CUBIC;
    return (excludes ? taps.excludingOutside(in) : taps).clamped(in);
  }

  private static PrimExpr nearest(PrimExpr position, ResizeAttrs.Rounding rounding) {
    PrimExpr half = Arith.like(position, 0.5);
    return switch (rounding) {
      case ROUND -> Exprs.call(Intrinsic.NEARBYINT, position);
      case ROUND_PREFER_FLOOR -> Exprs.call(Intrinsic.CEIL, Exprs.sub(position, half));
      case ROUND_PREFER_CEIL -> Exprs.call(Intrinsic.FLOOR, Exprs.add(position, half));
      case FLOOR -> Exprs.call(Intrinsic.FLOOR, Exprs.add(position, Arith.like(position, 1e-5)));
      case CEIL -> Exprs.call(Intrinsic.CEIL, Exprs.sub(position, Arith.like(position, 1e-5)));
    };
  }
}
