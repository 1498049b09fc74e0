package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Copies of a tensor with updates at indices that tensors hold, one update after the other in
 * row-major order. Indices are as for {@link IndexingOps}.
 */
public final class ScatterOps {
  /** What becomes of an element and an update. */
  public enum Reduction {
    /** The update. */
    UPDATE,
    /** The sum. */
    ADD,
    /** The product. */
    MUL,
    /** {@code (element + update) / 2}. */
    MEAN,
    /** The larger one. */
    MAX,
    /** The smaller one. */
    MIN
  }

  private ScatterOps() {}

  /**
   * Each update goes to its own index, but for an axis, along which the index counts.
   *
   * @param updates of the shape of the indices
   */
  public static TensorExpr scatterElements(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr indices,
      TensorExpr updates,
      int axis,
      Reduction reduction) {
    String op = "scatter_elements";
    check(op, x, indices, updates, reduction);
    Check.rank(op, indices, x.shape().size());
    Check.rank(op, updates, x.shape().size());
    int along = Check.axis(op, axis, x.shape().size());
    for (int i = 0; i < x.shape().size(); i++) {
      Dims.requireSame(
          op, indices.shape().get(i), updates.shape().get(i), "the extents of indices and updates");
    }
    return scatter(
        k,
        name,
        x,
        indices.shape(),
        i -> AxisLists.with(i, along, Arith.fromStart(indices.at(i), x.shape().get(along))),
        updates,
        reduction);
  }

  /**
   * Slices go where lines of indices name: {@code x} is {@code [n1, ..., nl, tail...]}, the indices
   * {@code [m..., l]}, the updates {@code [m..., tail...]}.
   */
  public static TensorExpr scatterNd(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr indices,
      TensorExpr updates,
      Reduction reduction) {
    String op = "scatter_nd";
    check(op, x, indices, updates, reduction);
    Check.rankAtLeast(op, indices, 1);
    int last = indices.shape().size() - 1;
    int length = IndexingOps.lineLength(op, indices);
    Check.that(
        length <= x.shape().size(),
        op,
        "indices of length " + length + " do not fit the rank " + x.shape().size());
    Check.rank(op, updates, last + x.shape().size() - length);
    return scatter(
        k,
        name,
        x,
        updates.shape(),
        i ->
            AxisLists.joined(
                IndexingOps.line(indices, i.subList(0, last), length, x.shape(), 0),
                i.subList(last, i.size())),
        updates,
        reduction);
  }

  /**
   * Values go where the first axes of {@code x} are indexed by tensors, which are broadcast against
   * each other; the values are broadcast to the indices and the remaining axes.
   *
   * @param accumulate whether values are added instead of stored
   */
  public static TensorExpr indexPut(
      KernelBuilder k,
      String name,
      TensorExpr x,
      List<TensorExpr> indices,
      TensorExpr values,
      boolean accumulate) {
    String op = "index_put";
    Reduction reduction = accumulate ? Reduction.ADD : Reduction.UPDATE;
    Check.that(
        !indices.isEmpty() && indices.size() <= x.shape().size(),
        op,
        indices.size() + " tensors of indices do not fit the rank " + x.shape().size());
    indices.forEach(index -> check(op, x, index, values, reduction));
    List<PrimExpr> positions = Dims.broadcast(op, indices);
    List<PrimExpr> shape =
        AxisLists.joined(positions, x.shape().subList(indices.size(), x.shape().size()));
    TensorExpr updates = k.inlined(name + "_values", shape, i -> Dims.at(values, i));
    return scatter(
        k,
        name,
        x,
        shape,
        i -> {
          List<PrimExpr> index = new ArrayList<>();
          for (int n = 0; n < indices.size(); n++) {
            PrimExpr raw = Dims.at(indices.get(n), i.subList(0, positions.size()));
            index.add(Arith.fromStart(raw, x.shape().get(n)));
          }
          index.addAll(i.subList(positions.size(), i.size()));
          return index;
        },
        updates,
        reduction);
  }

  private static void check(
      String op, TensorExpr x, TensorExpr indices, TensorExpr updates, Reduction reduction) {
    Check.integers(op, indices);
    Check.sameDType(op, x, updates);
    if (reduction != Reduction.UPDATE) {
      Check.numbers(op, x);
    }
  }

  /** What is done with indices. */
  private interface Target {
    List<PrimExpr> of(List<PrimExpr> index);
  }

  private static TensorExpr scatter(
      KernelBuilder k,
      String name,
      TensorExpr x,
      List<PrimExpr> shape,
      Target target,
      TensorExpr updates,
      Reduction reduction) {
    Buffer out = Buffer.of(name, x.dtype(), x.shape());
    BinaryOperator<PrimExpr> combine = combination(reduction, x.dtype());
    Stmt copy = Lines.loops("c", x.shape(), i -> new BufferStore(out, x.at(i), i));
    Stmt update =
        Lines.loops(
            "u",
            shape,
            i -> {
              List<PrimExpr> index = target.of(i);
              return new BufferStore(out, combine.apply(out.load(index), updates.at(i)), index);
            });
    return k.statements(name, List.of(out), Lines.seq(copy, update)).getFirst();
  }

  private static BinaryOperator<PrimExpr> combination(Reduction reduction, DType dtype) {
    return switch (reduction) {
      case UPDATE -> (element, update) -> update;
      case ADD -> Exprs::add;
      case MUL -> Exprs::mul;
      case MAX -> Exprs::max;
      case MIN -> Exprs::min;
      case MEAN ->
          (element, update) -> {
            PrimExpr sum = Exprs.add(Arith.widened(element), Arith.widened(update));
            return Exprs.cast(dtype, Exprs.binary(BinaryOp.DIV, sum, Arith.like(sum, 2)));
          };
    };
  }
}
