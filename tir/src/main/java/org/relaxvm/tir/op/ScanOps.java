package org.relaxvm.tir.op;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Sums and products of all elements up to each one, from the first of a line on. */
public final class ScanOps {
  private ScanOps() {}

  /**
   * Sums of the elements up to each one.
   *
   * @param axis null flattens {@code x}: the result has rank 1
   * @param dtype of the result; narrow floats accumulate in float32
   * @param exclusive leaves each element itself out
   */
  public static TensorExpr cumsum(
      KernelBuilder k,
      String name,
      TensorExpr x,
      @Nullable Integer axis,
      DType dtype,
      boolean exclusive) {
    return scan(k, name, "cumsum", BinaryOp.ADD, x, axis, dtype, exclusive);
  }

  /** Products of the elements up to each one, otherwise as {@link #cumsum}. */
  public static TensorExpr cumprod(
      KernelBuilder k,
      String name,
      TensorExpr x,
      @Nullable Integer axis,
      DType dtype,
      boolean exclusive) {
    return scan(k, name, "cumprod", BinaryOp.MUL, x, axis, dtype, exclusive);
  }

  private static TensorExpr scan(
      KernelBuilder k,
      String name,
      String op,
      BinaryOp combine,
      TensorExpr x,
      @Nullable Integer axis,
      DType dtype,
      boolean exclusive) {
    Check.that(!dtype.equals(DType.BOOL), op, "expected a dtype of numbers, but got bool");
    List<PrimExpr> all = List.of(Exprs.product(x.shape()));
    TensorExpr source =
        axis == null
            ? k.inlined(
                name + "_flat", all, i -> x.at(Exprs.rowMajorIndex(i.getFirst(), x.shape())))
            : x;
    int along = axis == null ? 0 : Check.axis(op, axis, x.shape().size());
    DType wide = Arith.wide(dtype);
    Buffer out = Buffer.of(name, dtype, source.shape());
    Buffer total = Lines.cell("total", wide);
    PrimExpr identity = Arith.of(wide, combine == BinaryOp.ADD ? 0 : 1);
    Stmt body =
        Lines.block(
            name + "_line",
            AxisLists.without(source.shape(), along),
            List.of(total),
            line ->
                Lines.seq(
                    Lines.set(total, identity),
                    Lines.loop(
                        "i",
                        source.shape().get(along),
                        i -> {
                          List<PrimExpr> at = AxisLists.inserted(line, along, (PrimExpr) i);
                          PrimExpr next =
                              Exprs.binary(combine, total.load(), Exprs.cast(wide, source.at(at)));
                          Stmt add = Lines.set(total, next);
                          Stmt store = new BufferStore(out, Exprs.cast(dtype, total.load()), at);
                          return exclusive ? Lines.seq(store, add) : Lines.seq(add, store);
                        })));
    return k.statements(name, List.of(out), body).getFirst();
  }

  /**
   * Draws from rows of probabilities: the first index at which the sum of the row so far is above a
   * number, the last index where there is none.
   *
   * @param probabilities floats {@code [b, v]}
   * @param uniform floats {@code [n, 1]} from 0 to 1
   * @param rows integers {@code [n, 1]}: the row to draw from
   * @param dtype int32 or int64
   * @return {@code [n, 1]}
   */
  public static TensorExpr multinomialFromUniform(
      KernelBuilder k,
      String name,
      TensorExpr probabilities,
      TensorExpr uniform,
      TensorExpr rows,
      DType dtype) {
    String op = "multinomial_from_uniform";
    Check.floats(op, probabilities);
    Check.sameDType(op, probabilities, uniform);
    Check.integers(op, rows);
    IndexingOps.requireIndices(op, dtype);
    List.of(probabilities, uniform, rows).forEach(tensor -> Check.rank(op, tensor, 2));
    PrimExpr choices = probabilities.shape().get(1);
    DType wide = Arith.wide(probabilities.dtype());
    Buffer out = Buffer.of(name, dtype, uniform.shape());
    Buffer total = Lines.cell("total", wide);
    Buffer found = Lines.cell("found", DType.INT64);
    Stmt body =
        Lines.block(
            name + "_line",
            uniform.shape(),
            List.of(total, found),
            line -> {
              PrimExpr row = Arith.fromStart(rows.at(line), probabilities.shape().get(0));
              PrimExpr limit = Exprs.cast(wide, uniform.at(line));
              PrimExpr last = Exprs.sub(choices, 1);
              return Lines.seq(
                  Lines.set(total, Arith.of(wide, 0)),
                  Lines.set(found, last),
                  Lines.loop(
                      "i",
                      choices,
                      i ->
                          Lines.seq(
                              Lines.set(
                                  total,
                                  Exprs.add(
                                      total.load(),
                                      Arith.widened(probabilities.at(List.of(row, i))))),
                              new IfThenElse(
                                  Exprs.and(
                                      Arith.gt(total.load(), limit), Exprs.lt(i, found.load())),
                                  Lines.set(found, i),
                                  Optional.empty()))),
                  new BufferStore(out, Exprs.cast(dtype, found.load()), line));
            });
    return k.statements(name, List.of(out), body).getFirst();
  }
}
