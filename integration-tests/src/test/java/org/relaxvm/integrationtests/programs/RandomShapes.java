package org.relaxvm.integrationtests.programs;

import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.arange;
import static org.relaxvm.compiler.dsl.Ops.argmax;
import static org.relaxvm.compiler.dsl.Ops.broadcastTo;
import static org.relaxvm.compiler.dsl.Ops.clip;
import static org.relaxvm.compiler.dsl.Ops.concat;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.expandDims;
import static org.relaxvm.compiler.dsl.Ops.flatten;
import static org.relaxvm.compiler.dsl.Ops.full;
import static org.relaxvm.compiler.dsl.Ops.less;
import static org.relaxvm.compiler.dsl.Ops.matmul;
import static org.relaxvm.compiler.dsl.Ops.max;
import static org.relaxvm.compiler.dsl.Ops.maximum;
import static org.relaxvm.compiler.dsl.Ops.mean;
import static org.relaxvm.compiler.dsl.Ops.minimum;
import static org.relaxvm.compiler.dsl.Ops.permuteDims;
import static org.relaxvm.compiler.dsl.Ops.reshape;
import static org.relaxvm.compiler.dsl.Ops.scalar;
import static org.relaxvm.compiler.dsl.Ops.split;
import static org.relaxvm.compiler.dsl.Ops.squeeze;
import static org.relaxvm.compiler.dsl.Ops.stack;
import static org.relaxvm.compiler.dsl.Ops.sum;
import static org.relaxvm.compiler.dsl.Ops.take;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.create.Matrices;
import org.relaxvm.compiler.op.index.Slices;
import org.relaxvm.compiler.op.nn.AxisActivations;
import org.relaxvm.compiler.op.nn.Padding;
import org.relaxvm.compiler.op.reduce.Orderings;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.op.reduce.Scans;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.shape.Repeats;
import org.relaxvm.integrationtests.programs.RandomOps.Made;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Random calls of operators that look at shapes: reductions, products, and moves of elements. */
final class RandomShapes {
  private final SplittableRandom random;
  private final RandomOps ops;
  private final Extents extents;

  RandomShapes(SplittableRandom random, RandomOps ops, Extents extents) {
    this.random = random;
    this.ops = ops;
    this.extents = extents;
  }

  private int axis(Item x) {
    return random.nextInt(x.rank());
  }

  private static long constantExtent(Item x, int axis) {
    return x.dims().get(axis) instanceof IntImm number ? number.value() : -1;
  }

  /** What is computed along axes; null where that cannot be. */
  @Nullable Made reduction(Item x) {
    if (x.rank() == 0 || x.isTruth()) {
      return null;
    }
    List<Integer> axes = List.of(axis(x));
    if (random.nextInt(4) == 0) {
      axes = new ArrayList<>(Collections.nCopies(x.rank(), 0));
      for (int i = 0; i < x.rank(); i++) {
        axes.set(i, i);
      }
    }
    boolean keep = random.nextBoolean();
    double count = Math.max(1, extents.elements(axes.stream().map(x.dims()::get).toList()));
    Expr e = x.expr();
    Made summed = new Made(sum(e, axes, keep), x.exact(), count * x.bound(), count * x.scale());
    return switch (random.nextInt(x.isFloat() ? 6 : 4)) {
      case 0, 1 -> summed;
      case 2 -> extreme(x, max(e, axes, keep));
      case 3 -> extreme(x, Reductions.min(e, axes, keep));
      case 4 -> new Made(mean(e, axes, keep), false, x.bound(), x.scale());
      default -> alongAxis(x);
    };
  }

  /** Of no elements it is the least or the largest number that there is. */
  private static Made extreme(Item x, Expr reduced) {
    if (!x.isFloat()) {
      return Made.exact(reduced);
    }
    double bound = Math.ceil(x.bound());
    return new Made(
        clip(reduced, scalar(x.dtype(), -bound), scalar(x.dtype(), bound)),
        x.exact(),
        bound,
        x.scale());
  }

  private Made alongAxis(Item x) {
    int axis = axis(x);
    double count = Math.max(1, extents.most(x.dims().get(axis)));
    return switch (random.nextInt(3)) {
      case 0 -> new Made(AxisActivations.softmax(x.expr(), axis), false, 1, 1 + 2 * x.scale());
      case 1 ->
          new Made(
              AxisActivations.logSoftmax(x.expr(), axis),
              false,
              2 * x.bound() + 10,
              3 * x.scale() + 10);
      default ->
          new Made(Scans.cumsum(x.expr(), axis), x.exact(), count * x.bound(), count * x.scale());
    };
  }

  /** The place of the largest element; null where that is not the same everywhere. */
  @Nullable Made place(Item x) {
    if (x.rank() == 0 || !x.exact() || x.isTruth()) {
      return null;
    }
    int axis = axis(x);
    return constantExtent(x, axis) > 0
        ? Made.exact(argmax(x.expr(), axis, random.nextBoolean()))
        : null;
  }

  /** A product of matrices; null where they do not fit. */
  @Nullable Made product(Item x, Item y) {
    if (x.isTruth() || x.rank() == 0 || x.rank() > 3 || !x.dtype().equals(y.dtype())) {
      return null;
    }
    Item other = y;
    Expr right = y.expr();
    PrimExpr inner = x.dims().getLast();
    boolean fits = y.rank() == 2 && ops.isSame(inner, y.dims().getFirst());
    if (!fits && y.rank() == 2 && ops.isSame(inner, y.dims().getLast())) {
      right = permuteDims(y.expr(), 1, 0);
      fits = true;
    }
    if (!fits && x.rank() == 2) {
      other = x;
      right = permuteDims(x.expr(), 1, 0);
      fits = true;
    }
    double count = Math.max(1, extents.most(inner));
    double scale = x.bound() * other.scale() + x.scale() * other.bound();
    return fits
        ? new Made(
            matmul(x.expr(), right),
            x.exact() && other.exact(),
            count * x.bound() * other.bound(),
            count * scale)
        : null;
  }

  /** Elements in another order or number; null where that cannot be. */
  @Nullable Made moved(Item x, Item y) {
    if (x.rank() == 0) {
      return Made.like(x, expandDims(x.expr(), 0));
    }
    int axis = axis(x);
    long extent = constantExtent(x, axis);
    Expr e = x.expr();
    Expr moved =
        switch (random.nextInt(16)) {
          case 0 -> flatten(e);
          case 1 -> merged(x);
          case 2, 3 -> permuteDims(e, order(x.rank()));
          case 4 -> x.rank() < 4 ? expandDims(e, random.nextInt(x.rank() + 1)) : null;
          case 5 -> extent == 1 ? squeeze(e, axis) : null;
          case 6 -> joined(x, y, axis);
          case 7 -> x.rank() < 4 ? stack(List.of(e, e), axis) : null;
          case 8 -> extent > 1 ? part(x, axis, extent) : null;
          case 9 -> extent > 1 ? slice(x, axis, 1, extent, 1 + random.nextInt(2)) : null;
          case 10 -> slice(x, axis, random.nextInt(2), Long.MAX_VALUE, 1 + random.nextInt(2));
          case 11 -> Orders.flip(e, axis);
          case 12 -> Repeats.repeat(e, 2, axis);
          case 13 -> x.rank() < 4 ? broadcastTo(e, outer(x)) : null;
          case 14 -> extent > 0 ? take(e, places(extent), axis) : null;
          default -> x.isTruth() ? null : Padding.pad(e, widths(x.rank(), axis), 0);
        };
    if (moved == null) {
      return null;
    }
    boolean withOther = moved instanceof Call call && call.isOf("concat");
    return withOther
        ? new Made(
            moved,
            x.exact() && y.exact(),
            Math.max(x.bound(), y.bound()),
            Math.max(x.scale(), y.scale()))
        : Made.like(x, moved);
  }

  private static @Nullable Expr merged(Item x) {
    if (x.rank() < 2) {
      return null;
    }
    List<Object> dims = new ArrayList<>(x.dims());
    Object first = dims.removeFirst();
    dims.set(0, Exprs.mul((PrimExpr) first, (PrimExpr) dims.getFirst()));
    return reshape(x.expr(), ShapeExpr.of(dims.toArray()));
  }

  private Integer[] order(int rank) {
    List<Integer> left = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      left.add(random.nextInt(axis + 1), axis);
    }
    return left.toArray(Integer[]::new);
  }

  private @Nullable Expr joined(Item x, Item y, int axis) {
    if (x.rank() != y.rank() || !x.dtype().equals(y.dtype())) {
      return null;
    }
    for (int i = 0; i < x.rank(); i++) {
      if (i != axis && !ops.isSame(x.dims().get(i), y.dims().get(i))) {
        return null;
      }
    }
    return concat(List.of(x.expr(), y.expr()), axis);
  }

  private Expr part(Item x, int axis, long extent) {
    int place = 1 + random.nextInt((int) extent - 1);
    return new TupleGetItem(split(x.expr(), List.of(place), axis), random.nextInt(2));
  }

  private static Expr slice(Item x, int axis, long from, long to, long stride) {
    return Slices.stridedSlice(
        x.expr(), List.of((long) axis), List.of(from), List.of(to), List.of(stride));
  }

  private static Object[] outer(Item x) {
    List<Object> dims = new ArrayList<>(x.dims());
    dims.addFirst(2);
    return dims.toArray();
  }

  private Expr places(long extent) {
    long[] places = new long[1 + random.nextInt(3)];
    for (int i = 0; i < places.length; i++) {
      places[i] = random.nextLong(extent);
    }
    return constant(Tensor.of(places, Shape.of(places.length)));
  }

  private static List<Long> widths(int rank, int axis) {
    List<Long> widths = new ArrayList<>(Collections.nCopies(2 * rank, 0L));
    widths.set(2 * axis, 1L);
    return widths;
  }

  /** Row numbers that are computed choose rows; null where there are none. */
  @Nullable Made rows(Item x, Item numbers) {
    boolean right =
        x.rank() > 0
            && x.rank() + numbers.rank() < 5
            && (numbers.dtype().equals(DType.INT64) || numbers.dtype().equals(DType.INT32));
    long extent = right ? constantExtent(x, 0) : 0;
    if (extent <= 0) {
      return null;
    }
    Expr inside =
        minimum(
            maximum(numbers.expr(), scalar(numbers.dtype(), 0)),
            scalar(numbers.dtype(), extent - 1));
    return Made.like(x, take(x.expr(), inside, 0));
  }

  /** Elements in order, or the largest of them; null where that is not the same everywhere. */
  @Nullable Made sorted(Item x) {
    if (x.rank() == 0 || !x.exact() || x.isTruth()) {
      return null;
    }
    int axis = axis(x);
    if (constantExtent(x, axis) > 1 && random.nextBoolean()) {
      Expr both = Orderings.topk(x.expr(), 2, axis, random.nextBoolean(), DType.INT64);
      return random.nextBoolean()
          ? Made.like(x, new TupleGetItem(both, 0))
          : Made.exact(new TupleGetItem(both, 1));
    }
    return Made.like(x, Orderings.sort(x.expr(), axis, random.nextBoolean()));
  }

  /** What is made from extents; null where there are none. */
  @Nullable Made created(Item x) {
    if (x.rank() == 0) {
      return null;
    }
    PrimExpr extent = x.dims().get(axis(x));
    PrimValue number = new PrimValue(extent);
    return switch (random.nextInt(5)) {
      case 0 -> Made.exact(arange(number, DType.INT64));
      case 1 -> new Made(full(ShapeExpr.of(x.dims().toArray()), ops.constantLike(x)), true, 3, 3);
      case 2 -> x.dtype().equals(DType.INT64) ? Made.exact(add(x.expr(), number)) : null;
      case 3 -> x.dtype().equals(DType.INT64) ? Made.exact(less(x.expr(), number)) : null;
      default ->
          x.rank() > 1
              ? Made.like(x, Call.of(Matrices.TRIL, x.expr(), new PrimValue(extent)))
              : null;
    };
  }
}
