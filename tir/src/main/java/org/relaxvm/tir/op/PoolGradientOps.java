package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Gradients of poolings: each plane of the data is written by one iteration of the outer loops. */
public final class PoolGradientOps {
  private PoolGradientOps() {}

  /**
   * The gradient of {@link PoolOps#avgPool}: an element has the sum, over the windows that it is
   * in, of the window's gradient divided by what the mean divides by.
   *
   * @param gradient of the pooled data
   */
  public static TensorExpr avgPool(
      KernelBuilder k, String name, TensorExpr gradient, TensorExpr data, PoolAttrs attrs) {
    Check.floats("avg_pool_backward", data);
    Plane plane = Plane.of("avg_pool_backward", k, name, gradient, data, attrs);
    return plane.gradient(
        List.of(),
        window -> {
          PrimExpr count = Exprs.cast(data.dtype(), plane.windows().count(plane.own(window)));
          PrimExpr share = Arith.div(gradient.at(plane.own(window)), count);
          return Lines.loops(
              "r",
              Dims.of(attrs.window()),
              point -> {
                List<PrimExpr> at = plane.at(window, point);
                return Lines.when(plane.isInside(at), plane.add(at, share));
              });
        });
  }

  /**
   * The gradient of {@link PoolOps#maxPool}: of each window the first of the largest elements has
   * its gradient. A NaN is larger than numbers.
   *
   * @param gradient of the pooled data
   */
  public static TensorExpr maxPool(
      KernelBuilder k, String name, TensorExpr gradient, TensorExpr data, PoolAttrs attrs) {
    Check.floats("max_pool_backward", data);
    Plane plane = Plane.of("max_pool_backward", k, name, gradient, data, attrs);
    Buffer best = Lines.cell("best", data.dtype());
    List<Buffer> places = new ArrayList<>();
    for (int axis = 0; axis < attrs.spatial(); axis++) {
      places.add(Lines.cell("at" + axis, DType.INT64));
    }
    List<Buffer> cells = new ArrayList<>(places);
    cells.add(best);
    return plane.gradient(
        cells,
        window -> {
          List<Stmt> work = new ArrayList<>();
          work.add(Lines.set(best, Reducer.lowest(data.dtype())));
          places.forEach(place -> work.add(Lines.set(place, IntImm.of(-1))));
          work.add(
              Lines.loops(
                  "r",
                  Dims.of(attrs.window()),
                  point -> {
                    List<PrimExpr> at = plane.at(window, point);
                    return Lines.when(plane.isInside(at), keep(plane, at, best, places));
                  }));
          List<PrimExpr> found = new ArrayList<>(window.subList(0, 2));
          places.forEach(place -> found.add(place.load(List.of())));
          PrimExpr share = gradient.at(plane.own(window));
          work.add(Lines.when(plane.isInside(found), plane.add(found, share)));
          return Lines.seq(work.toArray(Stmt[]::new));
        });
  }

  private static Stmt keep(Plane plane, List<PrimExpr> at, Buffer best, List<Buffer> places) {
    PrimExpr value = plane.windows().x().at(at);
    PrimExpr known = best.load(List.of());
    PrimExpr first = Exprs.lt(places.getFirst().load(List.of()), IntImm.of(0));
    List<Stmt> stores = new ArrayList<>();
    stores.add(Lines.set(best, value));
    for (int axis = 0; axis < places.size(); axis++) {
      stores.add(Lines.set(places.get(axis), at.get(2 + axis)));
    }
    return Lines.when(
        Exprs.or(first, Arith.less(known, value)), Lines.seq(stores.toArray(Stmt[]::new)));
  }

  /**
   * The windows over data and the gradient that is made.
   *
   * @param out of the shape of the data
   */
  private record Plane(String name, KernelBuilder k, PoolWindows windows, Buffer out) {
    static Plane of(
        String op,
        KernelBuilder k,
        String name,
        TensorExpr gradient,
        TensorExpr data,
        PoolAttrs attrs) {
      Check.sameDType(op, gradient, data);
      PoolWindows windows = PoolWindows.of(op, k, data, attrs);
      Check.rank(op, gradient, windows.shape().size());
      for (int axis = 0; axis < windows.shape().size(); axis++) {
        Dims.requireSame(
            op,
            windows.shape().get(axis),
            gradient.shape().get(axis),
            "the extents of the windows and of the gradient");
      }
      return new Plane(name, k, windows, Buffer.of(name, data.dtype(), data.shape()));
    }

    /** The index of a window in the layout of the data. */
    List<PrimExpr> own(List<PrimExpr> window) {
      return windows.layout().own(window);
    }

    /** The index of an element of a window in the plain layout. */
    List<PrimExpr> at(List<PrimExpr> window, List<PrimExpr> point) {
      List<PrimExpr> at = new ArrayList<>(window.subList(0, 2));
      for (int axis = 0; axis < point.size(); axis++) {
        at.add(windows.position(window, point.get(axis), axis));
      }
      return at;
    }

    PrimExpr isInside(List<PrimExpr> at) {
      PrimExpr inside = IntImm.of(true);
      for (int axis = 2; axis < at.size(); axis++) {
        PrimExpr extent = windows.x().shape().get(axis);
        inside = Exprs.and(inside, Arith.within(at.get(axis), IntImm.of(0), extent));
      }
      return inside;
    }

    Stmt add(List<PrimExpr> at, PrimExpr value) {
      List<PrimExpr> index = own(at);
      return new BufferStore(out, Exprs.add(out.load(index), value), index);
    }

    /** Zeros, to which something is done for each window. */
    TensorExpr gradient(List<Buffer> cells, Function<List<PrimExpr>, Stmt> work) {
      List<PrimExpr> shape = windows.x().shape();
      List<PrimExpr> counts = windows.layout().plain(windows.shape());
      Stmt body =
          Lines.block(
              name + "_plane",
              shape.subList(0, 2),
              cells,
              plane ->
                  Lines.seq(
                      Lines.loops(
                          "z",
                          shape.subList(2, shape.size()),
                          i -> {
                            List<PrimExpr> index = own(AxisLists.joined(plane, i));
                            return new BufferStore(out, Arith.of(out.dtype(), 0), index);
                          }),
                      Lines.loops(
                          "w",
                          counts.subList(2, counts.size()),
                          i -> work.apply(AxisLists.joined(plane, i)))));
      return k.statements(name, List.of(out), body).getFirst();
    }
  }
}
