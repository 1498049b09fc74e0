package org.relaxvm.tir.op;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Elements in the order of numbers, in which NaN is larger than all and -0 equals 0; of equal
 * elements the one with the smaller index comes first, ascending or descending. A line of {@code n}
 * elements is sorted by merging, in {@code n log n} steps.
 */
public final class OrderingOps {
  private OrderingOps() {}

  /** The elements along an axis in order. */
  public static TensorExpr sort(
      KernelBuilder k, String name, TensorExpr x, int axis, boolean descending) {
    int along = Check.axis("sort", axis, x.shape().size());
    TensorExpr order = order(k, name + "_order", "sort", x, along, descending);
    return k.compute(name, x.shape(), i -> x.at(AxisLists.with(i, along, order.at(i))));
  }

  /** The indices along an axis of the elements in order. */
  public static TensorExpr argsort(
      KernelBuilder k, String name, TensorExpr x, int axis, boolean descending, DType dtype) {
    IndexingOps.requireIndices("argsort", dtype);
    int along = Check.axis("argsort", axis, x.shape().size());
    TensorExpr order = order(k, name + "_order", "argsort", x, along, descending);
    return k.compute(name, x.shape(), i -> Exprs.cast(dtype, order.at(i)));
  }

  /**
   * The largest or smallest elements along an axis, the foremost first, and their indices.
   *
   * @param count how many, at most the extent of the axis
   * @param dtype of the indices: int32 or int64
   * @return the elements, named {@code name}, and the indices, named {@code name_indices}
   */
  public static List<TensorExpr> topk(
      KernelBuilder k,
      String name,
      TensorExpr x,
      PrimExpr count,
      int axis,
      boolean largest,
      DType dtype) {
    IndexingOps.requireIndices("topk", dtype);
    int along = Check.axis("topk", axis, x.shape().size());
    PrimExpr missing = Dims.simplify(Exprs.sub(x.shape().get(along), count));
    Check.that(
        Dims.known(missing).orElse(0) >= 0,
        "topk",
        "asked for "
            + Dims.text(count)
            + " elements of "
            + Dims.text(x.shape().get(along))
            + " along the axis "
            + along);
    TensorExpr order = order(k, name + "_order", "topk", x, along, largest);
    List<PrimExpr> shape = AxisLists.with(x.shape(), along, count);
    return List.of(
        k.compute(name, shape, i -> x.at(AxisLists.with(i, along, order.at(i)))),
        k.compute(name + "_indices", shape, i -> Exprs.cast(dtype, order.at(i))));
  }

  /**
   * The middle elements along an axis, of an even number the smaller one, and their indices: int64.
   *
   * @param axis null flattens {@code x}
   * @return the elements, named {@code name}, and the indices, named {@code name_indices}
   */
  public static List<TensorExpr> median(
      KernelBuilder k, String name, TensorExpr x, @Nullable Integer axis, boolean keepDims) {
    TensorExpr source = x;
    int normalAxis = 0;
    List<PrimExpr> kept = x.shape();
    if (axis == null) {
      List<PrimExpr> all = List.of(Exprs.product(x.shape()));
      source =
          k.inlined(name + "_flat", all, i -> x.at(Exprs.rowMajorIndex(i.getFirst(), x.shape())));
      kept = x.shape().stream().<PrimExpr>map(extent -> IntImm.of(1)).toList();
    } else {
      normalAxis = Check.axis("median", axis, x.shape().size());
      kept = AxisLists.with(x.shape(), normalAxis, IntImm.of(1));
    }
    int along = normalAxis;
    TensorExpr line = source;
    TensorExpr order = order(k, name + "_order", "median", line, along, false);
    PrimExpr middle = Exprs.floorDiv(Exprs.sub(line.shape().get(along), 1), 2);
    List<PrimExpr> shape =
        keepDims ? kept : axis == null ? List.of() : AxisLists.<PrimExpr>without(x.shape(), along);
    boolean flat = axis == null;
    return List.of(
        k.compute(
            name,
            shape,
            i -> {
              List<PrimExpr> at = lineIndex(i, along, flat, keepDims, middle);
              return line.at(AxisLists.with(at, along, order.at(at)));
            }),
        k.compute(
            name + "_indices", shape, i -> order.at(lineIndex(i, along, flat, keepDims, middle))));
  }

  private static List<PrimExpr> lineIndex(
      List<PrimExpr> position, int axis, boolean flat, boolean keepDims, PrimExpr middle) {
    if (flat) {
      return List.of(middle);
    }
    return keepDims
        ? AxisLists.with(position, axis, middle)
        : AxisLists.inserted(position, axis, middle);
  }

  /** The indices along an axis of the elements in order, int64, with the shape of {@code x}. */
  private static TensorExpr order(
      KernelBuilder k, String name, String op, TensorExpr x, int axis, boolean descending) {
    Check.numbers(op, x);
    PrimExpr length = x.shape().get(axis);
    Buffer out = Buffer.of(name, DType.INT64, x.shape());
    Buffer merged = Buffer.of("merged", DType.INT64, List.of(length));
    Buffer left = Lines.cell("left", DType.INT64);
    Buffer right = Lines.cell("right", DType.INT64);
    Stmt body =
        Lines.block(
            name + "_line",
            AxisLists.without(x.shape(), axis),
            List.of(merged, left, right),
            i -> new Merge(x, axis, i, descending, out, merged, left, right).sort(length));
    return k.statements(name, List.of(out), body).getFirst();
  }

  /** Merges runs of a line, each time of twice the length. */
  private record Merge(
      TensorExpr x,
      int axis,
      List<PrimExpr> line,
      boolean descending,
      Buffer out,
      Buffer merged,
      Buffer left,
      Buffer right) {

    private Stmt sort(PrimExpr length) {
      return Lines.seq(
          Lines.loop("i", length, i -> new BufferStore(out, i, at(i))),
          Lines.loop(
              "pass",
              // Runs of 2^40 elements fit no memory.
              IntImm.of(40),
              pass -> {
                PrimExpr width = Exprs.call(Intrinsic.SHIFT_LEFT, IntImm.of(1), pass);
                return new IfThenElse(
                    Exprs.lt(width, length), pass(width, length), Optional.empty());
              }));
    }

    private Stmt pass(PrimExpr width, PrimExpr length) {
      PrimExpr both = Exprs.mul(width, 2);
      return Lines.seq(
          Lines.loop(
              "run",
              Exprs.ceilDiv(length, both),
              run -> {
                PrimExpr start = Exprs.mul(run, both);
                PrimExpr middle = Exprs.min(Exprs.add(start, width), length);
                PrimExpr end = Exprs.min(Exprs.add(start, both), length);
                return Lines.seq(
                    Lines.set(left, start),
                    Lines.set(right, middle),
                    Lines.loop(
                        "t", Exprs.sub(end, start), t -> step(Exprs.add(start, t), middle, end)));
              }),
          Lines.loop("i", length, i -> new BufferStore(out, merged.load(i), at(i))));
    }

    private Stmt step(PrimExpr target, PrimExpr middle, PrimExpr end) {
      PrimExpr fromLeft = out.load(at(left.load()));
      PrimExpr fromRight = out.load(at(right.load()));
      PrimExpr a = element(fromLeft);
      PrimExpr b = element(fromRight);
      PrimExpr sooner = descending ? Arith.less(a, b) : Arith.less(b, a);
      // The right run gives its element only when that comes before the one of the left run.
      PrimExpr takesRight =
          Exprs.ifThenElse(
              Arith.ge(left.load(), middle),
              IntImm.of(true),
              Exprs.ifThenElse(Arith.ge(right.load(), end), IntImm.of(false), sooner));
      return new IfThenElse(
          takesRight, take(target, right, fromRight), Optional.of(take(target, left, fromLeft)));
    }

    private Stmt take(PrimExpr target, Buffer cursor, PrimExpr index) {
      return Lines.seq(
          new BufferStore(merged, index, List.of(target)),
          Lines.set(cursor, Exprs.add(cursor.load(), 1)));
    }

    private PrimExpr element(PrimExpr index) {
      return x.at(at(index));
    }

    private List<PrimExpr> at(PrimExpr position) {
      return AxisLists.inserted(line, axis, position);
    }
  }
}
