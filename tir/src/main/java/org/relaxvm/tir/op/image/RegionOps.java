package org.relaxvm.tir.op.image;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Layout;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Regions of images, pooled to one size. Source: docs/spec/op-set.md, section 2.9. */
public final class RegionOps {
  private RegionOps() {}

  /**
   * Pools regions of images. A region is divided into bins, one for each element of the result. A
   * bin has samples at even distances, which lie between elements: each is the mean of the four
   * around it, weighted by the distance; 0 more than one element outside of the image.
   *
   * @param data {@code [n, c, h, w]} in the layout of the attributes
   * @param regions {@code [r, 5]}: the number of the image, then left, top, right and bottom
   * @return {@code [r, c, height, width]} in that layout
   */
  public static TensorExpr roiAlign(
      KernelBuilder k, String name, TensorExpr data, TensorExpr regions, RegionAttrs attrs) {
    String op = "roi_align";
    Check.floats(op, data);
    Check.floats(op, regions);
    Check.rank(op, data, 4);
    Check.rank(op, regions, 2);
    Dims.requireSame(op, regions.shape().get(1), IntImm.of(5), "the extents of axis 1 of regions");
    Layout layout = Layout.of(op, attrs.layout(), Layout.data(2));
    TensorExpr x = layout.plain(k, data);
    List<PrimExpr> shape =
        layout.own(
            AxisLists.joined(
                List.of(regions.shape().get(0), x.shape().get(1)), Dims.of(attrs.size())));
    boolean isWide = data.dtype().equals(DType.FLOAT64) || regions.dtype().equals(DType.FLOAT64);
    Sampling sampling = new Sampling(x, regions, attrs, isWide ? DType.FLOAT64 : DType.FLOAT32);
    TensorExpr pooled =
        attrs.samples() > 0
            ? fixed(k, name + "_pooled", shape, layout, sampling)
            : adaptive(k, name + "_pooled", shape, layout, sampling);
    return k.compute(name, shape, i -> Exprs.cast(data.dtype(), sampling.orNothing(pooled.at(i))));
  }

  private static TensorExpr fixed(
      KernelBuilder k, String name, List<PrimExpr> shape, Layout layout, Sampling sampling) {
    PrimExpr samples = IntImm.of(sampling.attrs().samples());
    return k.reduce(
        name,
        shape,
        List.of(samples, samples),
        sampling.isMean() ? Reducer.SUM : Reducer.MAX,
        (own, s) -> sampling.part(layout.plain(own), s, List.of(samples, samples)));
  }

  private static TensorExpr adaptive(
      KernelBuilder k, String name, List<PrimExpr> shape, Layout layout, Sampling sampling) {
    Buffer out = Buffer.of(name, sampling.real(), shape);
    BinaryOperator<PrimExpr> combine = sampling.isMean() ? Exprs::add : Exprs::max;
    PrimExpr first =
        sampling.isMean() ? Arith.of(sampling.real(), 0) : Reducer.lowest(sampling.real());
    Stmt body =
        Lines.block(
            name + "_bin",
            shape,
            List.of(),
            own -> {
              List<PrimExpr> i = layout.plain(own);
              List<PrimExpr> counts = List.of(sampling.count(i, 0), sampling.count(i, 1));
              return Lines.seq(
                  new BufferStore(out, first, own),
                  Lines.loops(
                      "s",
                      counts,
                      s ->
                          new BufferStore(
                              out,
                              combine.apply(out.load(own), sampling.part(i, s, counts)),
                              own)));
            });
    return k.statements(name, List.of(out), body).getFirst();
  }

  /**
   * Samples of regions; axis 0 is the height, axis 1 the width.
   *
   * @param x in the plain layout
   * @param real what coordinates and samples are computed in
   */
  private record Sampling(TensorExpr x, TensorExpr regions, RegionAttrs attrs, DType real) {
    boolean isMean() {
      return attrs.mode() == RegionAttrs.Mode.AVG;
    }

    /** The result of a bin; 0 where it has no samples. */
    PrimExpr orNothing(PrimExpr pooled) {
      PrimExpr none = Exprs.eq(pooled, Reducer.lowest(real));
      return isMean() ? pooled : Exprs.select(none, Arith.of(real, 0), pooled);
    }

    private PrimExpr coordinate(PrimExpr region, int column) {
      PrimExpr given = Exprs.cast(real, regions.at(List.of(region, IntImm.of(column))));
      return Exprs.mul(given, Arith.of(real, attrs.scale()));
    }

    private PrimExpr start(PrimExpr region, int axis) {
      return coordinate(region, 2 - axis);
    }

    /** The extent of a bin. */
    private PrimExpr bin(PrimExpr region, int axis) {
      PrimExpr extent = Exprs.sub(coordinate(region, 4 - axis), start(region, axis));
      PrimExpr used = attrs.isAligned() ? extent : Exprs.max(extent, Arith.of(real, 1));
      return Arith.div(used, Arith.of(real, attrs.size().get(axis)));
    }

    /** How many samples a bin has along an axis where the attributes do not say it. */
    PrimExpr count(List<PrimExpr> i, int axis) {
      return Arith.index(Exprs.call(Intrinsic.CEIL, bin(i.getFirst(), axis)));
    }

    /** What a sample adds to the result, or may be as the largest. */
    PrimExpr part(List<PrimExpr> i, List<PrimExpr> sample, List<PrimExpr> counts) {
      List<PrimExpr> at = new ArrayList<>();
      for (int axis = 0; axis < 2; axis++) {
        PrimExpr bin = bin(i.getFirst(), axis);
        PrimExpr binStart =
            Exprs.add(start(i.getFirst(), axis), Exprs.mul(Exprs.cast(real, i.get(2 + axis)), bin));
        PrimExpr middle = Exprs.add(Exprs.cast(real, sample.get(axis)), Arith.of(real, 0.5));
        PrimExpr step = Arith.div(Exprs.mul(middle, bin), Exprs.cast(real, counts.get(axis)));
        at.add(Exprs.add(binStart, step));
      }
      PrimExpr value = value(i, at);
      PrimExpr count = Exprs.cast(real, Exprs.mul(counts.get(0), counts.get(1)));
      return isMean() ? Arith.div(value, count) : value;
    }

    private PrimExpr value(List<PrimExpr> i, List<PrimExpr> at) {
      PrimExpr image =
          Arith.index(Exprs.cast(real, regions.at(List.of(i.getFirst(), IntImm.of(0)))));
      PrimExpr inside = Arith.within(image, IntImm.of(0), x.shape().getFirst());
      List<List<PrimExpr>> indices = new ArrayList<>();
      List<List<PrimExpr>> weights = new ArrayList<>();
      for (int axis = 0; axis < 2; axis++) {
        PrimExpr extent = x.shape().get(2 + axis);
        PrimExpr size = Exprs.cast(real, extent);
        PrimExpr isNear =
            Exprs.and(Exprs.le(Arith.of(real, -1), at.get(axis)), Exprs.le(at.get(axis), size));
        inside = Exprs.and(inside, isNear);
        PrimExpr last = Exprs.sub(size, Arith.of(real, 1));
        PrimExpr clamped = Arith.clamp(at.get(axis), Arith.of(real, 0), last);
        PrimExpr floor = Exprs.call(Intrinsic.FLOOR, clamped);
        PrimExpr part = Exprs.sub(clamped, floor);
        PrimExpr end = Exprs.sub(extent, 1);
        PrimExpr low = Arith.clamp(Arith.index(floor), IntImm.of(0), end);
        indices.add(List.of(low, Exprs.min(Exprs.add(low, 1), end)));
        weights.add(List.of(Exprs.sub(Arith.of(real, 1), part), part));
      }
      List<PrimExpr> neighbors = new ArrayList<>();
      for (int row = 0; row < 2; row++) {
        for (int column = 0; column < 2; column++) {
          PrimExpr weight = Exprs.mul(weights.get(0).get(row), weights.get(1).get(column));
          PrimExpr element =
              x.at(List.of(image, i.get(1), indices.get(0).get(row), indices.get(1).get(column)));
          neighbors.add(Exprs.mul(Exprs.cast(real, element), weight));
        }
      }
      boolean isLargest = attrs.mode() == RegionAttrs.Mode.MAX_NEIGHBOR;
      PrimExpr total = neighbors.stream().reduce(isLargest ? Exprs::max : Exprs::add).orElseThrow();
      return Exprs.ifThenElse(inside, total, Arith.of(real, 0));
    }
  }

  /**
   * The largest element of each bin of regions; 0 where a bin has none.
   *
   * @param regions floats {@code [r, 5]}: the image, x and y of the first element, x and y of the
   *     last one
   * @param scale from the coordinates of regions to those of the image, where they are rounded
   * @return {@code [r, c, height, width]}
   */
  public static TensorExpr roiPool(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr regions,
      long height,
      long width,
      double scale) {
    String op = "roi_pool";
    Check.floats(op, x);
    Check.floats(op, regions);
    Check.rank(op, x, 4);
    Check.rank(op, regions, 2);
    DType real = x.dtype().equals(DType.FLOAT64) ? DType.FLOAT64 : DType.FLOAT32;
    List<PrimExpr> shape =
        List.of(regions.shape().getFirst(), x.shape().get(1), IntImm.of(height), IntImm.of(width));
    Buffer out = Buffer.of(name, x.dtype(), shape);
    Buffer best = Lines.cell("best", x.dtype());
    Stmt body =
        Lines.block(
            name + "_bin",
            shape,
            List.of(best),
            i -> {
              PrimExpr region = i.getFirst();
              PrimExpr image = Arith.index(regions.at(region, IntImm.of(0)));
              Bins rows = Bins.of(regions, i, 2, height, scale, x.shape().get(2), real);
              Bins columns = Bins.of(regions, i, 1, width, scale, x.shape().get(3), real);
              Stmt loops =
                  Lines.loop(
                      "by",
                      rows.count(),
                      by ->
                          Lines.loop(
                              "bx",
                              columns.count(),
                              bx -> {
                                PrimExpr value =
                                    x.at(
                                        image,
                                        i.get(1),
                                        Exprs.add(rows.begin, by),
                                        Exprs.add(columns.begin, bx));
                                return Lines.set(best, Exprs.max(best.load(), value));
                              }));
              PrimExpr none = Exprs.le(Exprs.mul(rows.count(), columns.count()), IntImm.of(0));
              return Lines.seq(
                  Lines.set(best, Reducer.lowest(x.dtype())),
                  loops,
                  new BufferStore(out, Exprs.select(none, Arith.of(x.dtype(), 0), best.load()), i));
            });
    return k.statements(name, List.of(out), body).getFirst();
  }

  /** The elements of a bin along an axis. */
  private record Bins(PrimExpr begin, PrimExpr end) {
    static Bins of(
        TensorExpr regions,
        List<PrimExpr> index,
        int coordinate,
        long bins,
        double scale,
        PrimExpr extent,
        DType real) {
      PrimExpr region = index.getFirst();
      PrimExpr bin = index.get(coordinate == 2 ? 2 : 3);
      PrimExpr first = rounded(regions.at(region, IntImm.of(coordinate)), scale, real);
      PrimExpr last = rounded(regions.at(region, IntImm.of(2 + coordinate)), scale, real);
      PrimExpr length = Exprs.max(Exprs.add(Exprs.sub(last, first), 1), IntImm.of(1));
      PrimExpr size = Arith.div(Exprs.cast(real, length), Arith.of(real, bins));
      PrimExpr from = Exprs.call(Intrinsic.FLOOR, Exprs.mul(Exprs.cast(real, bin), size));
      PrimExpr to =
          Exprs.call(Intrinsic.CEIL, Exprs.mul(Exprs.cast(real, Exprs.add(bin, 1)), size));
      return new Bins(
          Arith.clamp(Exprs.add(Arith.index(from), first), IntImm.of(0), extent),
          Arith.clamp(Exprs.add(Arith.index(to), first), IntImm.of(0), extent));
    }

    /** To the nearest integer, halves away from 0. */
    private static PrimExpr rounded(PrimExpr coordinate, double scale, DType real) {
      PrimExpr scaled = Exprs.mul(Exprs.cast(real, coordinate), Arith.of(real, scale));
      PrimExpr half = Arith.of(real, 0.5);
      return Arith.index(
          Exprs.select(
              Exprs.lt(scaled, Arith.of(real, 0)),
              Exprs.call(Intrinsic.CEIL, Exprs.sub(scaled, half)),
              Exprs.call(Intrinsic.FLOOR, Exprs.add(scaled, half))));
    }

    PrimExpr count() {
      return Exprs.max(Exprs.sub(end, begin), IntImm.of(0));
    }
  }
}
