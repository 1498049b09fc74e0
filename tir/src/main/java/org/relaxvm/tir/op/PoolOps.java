package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Layout;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** The largest element or the mean of windows. Source: docs/spec/op-set.md, section 3.5. */
public final class PoolOps {
  private PoolOps() {}

  /** The largest element of each window; padding never wins, NaN does. */
  public static TensorExpr maxPool(KernelBuilder k, String name, TensorExpr x, PoolAttrs attrs) {
    PoolWindows windows = PoolWindows.of("max_pool", k, x, attrs);
    Check.numbers("max_pool", x);
    PrimExpr none = Reducer.lowest(x.dtype());
    TensorExpr out =
        k.reduce(
            name,
            windows.shape(),
            Dims.of(attrs.window()),
            Reducer.MAX,
            (i, r) -> windows.tap(i, r, none));
    recordHint(k, "relaxvm.max_pool2d", x, out, attrs, List.of());
    return out;
  }

  /**
   * Where the largest element of each window is: its number in {@code x} in the plain layout and
   * row-major order, int64. The first one of equals, NaN is larger than all; -1 for a window that
   * is all padding.
   */
  public static TensorExpr maxPoolIndices(
      KernelBuilder k, String name, TensorExpr x, PoolAttrs attrs) {
    PoolWindows windows = PoolWindows.of("max_pool_indices", k, x, attrs);
    Check.numbers("max_pool_indices", x);
    PrimExpr none = Reducer.lowest(x.dtype());
    return k.reduceAll(
            List.of(name, name + "_value"),
            windows.shape(),
            Dims.of(attrs.window()),
            ReductionOps.first(true),
            (i, r) -> List.of(windows.number(i, r), windows.tap(i, r, none)))
        .getFirst();
  }

  /**
   * The mean of each window: of floats. The divisor counts the elements of the window in {@code x},
   * at least 1, or with {@code countIncludePad} those in {@code x} and its padding.
   */
  public static TensorExpr avgPool(KernelBuilder k, String name, TensorExpr x, PoolAttrs attrs) {
    PoolWindows windows = PoolWindows.of("avg_pool", k, x, attrs);
    Check.floats("avg_pool", x);
    PrimExpr none = Arith.of(x.dtype(), 0);
    TensorExpr sum =
        k.reduce(
            name + "_sum",
            windows.shape(),
            Dims.of(attrs.window()),
            Reducer.SUM,
            (i, r) -> Arith.widened(windows.tap(i, r, none)));
    TensorExpr out =
        k.compute(
            name,
            windows.shape(),
            i -> {
              PrimExpr count = Exprs.cast(sum.dtype(), windows.count(i));
              return Exprs.cast(x.dtype(), Arith.div(sum.at(i), count));
            });
    LibraryArg divisor = new LibraryArg.OfBoolean(attrs.countIncludePad());
    recordHint(k, "relaxvm.avg_pool2d", x, out, attrs, List.of(divisor));
    return out;
  }

  private static void recordHint(
      KernelBuilder k,
      String function,
      TensorExpr x,
      TensorExpr out,
      PoolAttrs attrs,
      List<LibraryArg> more) {
    if (attrs.spatial() != 2
        || !attrs.layout().equals("NCHW")
        || attrs.ceilMode()
        || !LibraryHint.canName(List.of(x, out))) {
      return;
    }
    List<LibraryArg> args = new ArrayList<>();
    args.add(LibraryHint.param(x));
    args.add(new LibraryArg.OfShape(attrs.window()));
    args.add(new LibraryArg.OfShape(attrs.strides()));
    args.add(new LibraryArg.OfShape(attrs.padding()));
    args.add(new LibraryArg.OfShape(attrs.dilation()));
    args.add(new LibraryArg.OfBoolean(false));
    args.addAll(more);
    args.add(LibraryHint.param(out));
    new LibraryHint(function, args).recordOn(k, List.of(x), out);
  }

  /**
   * The mean of windows that divide the data evenly: the window of position {@code i} goes from
   * {@code i * in / out}, rounded down, to {@code (i + 1) * in / out}, rounded up.
   *
   * @param outputs the spatial extents of the result
   * @param layout such as {@code NCHW}
   */
  public static TensorExpr adaptiveAvgPool(
      KernelBuilder k, String name, TensorExpr data, List<PrimExpr> outputs, String layout) {
    String op = "adaptive_avg_pool";
    Check.floats(op, data);
    int spatial = outputs.size();
    Check.that(
        spatial >= 1 && spatial <= 3,
        op,
        "expected 1 to 3 extents, but got " + Dims.texts(outputs));
    Check.rank(op, data, 2 + spatial);
    Layout order = Layout.of(op, layout, Layout.data(spatial));
    TensorExpr x = order.plain(k, data);
    List<PrimExpr> shape = AxisLists.joined(x.shape().subList(0, 2), outputs);
    List<PrimExpr> domain = new ArrayList<>();
    for (int axis = 0; axis < spatial; axis++) {
      PrimExpr in = x.shape().get(2 + axis);
      PrimExpr out = outputs.get(axis);
      // A window that does not start at an element has parts of two more.
      boolean even =
          in instanceof IntImm a
              && out instanceof IntImm b
              && b.value() > 0
              && a.value() % b.value() == 0;
      PrimExpr whole = Exprs.ceilDiv(in, out);
      domain.add(even ? whole : Exprs.add(whole, 1));
    }
    TensorExpr sum =
        k.reduce(
            name + "_sum",
            order.own(shape),
            domain,
            Reducer.SUM,
            (own, r) -> {
              List<PrimExpr> i = order.plain(own);
              List<PrimExpr> at = new ArrayList<>(i.subList(0, 2));
              PrimExpr inside = IntImm.of(true);
              for (int axis = 0; axis < spatial; axis++) {
                PrimExpr in = x.shape().get(2 + axis);
                PrimExpr position = i.get(2 + axis);
                PrimExpr at2 = Exprs.add(start(position, in, outputs.get(axis)), r.get(axis));
                inside = Exprs.and(inside, Exprs.lt(at2, end(position, in, outputs.get(axis))));
                at.add(at2);
              }
              PrimExpr value = Arith.widened(x.at(at));
              return Exprs.ifThenElse(inside, value, Arith.like(value, 0));
            });
    return k.compute(
        name,
        order.own(shape),
        own -> {
          List<PrimExpr> i = order.plain(own);
          PrimExpr count = IntImm.of(1);
          for (int axis = 0; axis < spatial; axis++) {
            PrimExpr in = x.shape().get(2 + axis);
            PrimExpr position = i.get(2 + axis);
            PrimExpr out = outputs.get(axis);
            count = Exprs.mul(count, Exprs.sub(end(position, in, out), start(position, in, out)));
          }
          return Exprs.cast(data.dtype(), Arith.div(sum.at(own), Exprs.cast(sum.dtype(), count)));
        });
  }

  private static PrimExpr start(PrimExpr position, PrimExpr in, PrimExpr out) {
    return Exprs.floorDiv(Exprs.mul(position, in), out);
  }

  private static PrimExpr end(PrimExpr position, PrimExpr in, PrimExpr out) {
    return Exprs.ceilDiv(Exprs.mul(Exprs.add(position, 1), in), out);
  }
}
