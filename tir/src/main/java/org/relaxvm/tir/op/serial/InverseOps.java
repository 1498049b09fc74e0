package org.relaxvm.tir.op.serial;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Inverses of square matrices. */
public final class InverseOps {
  private static final String OP = "inverse";

  private InverseOps() {}

  /**
   * The inverse of each matrix, by elimination with the largest pivot of each column. The inverse
   * of a singular matrix has elements that are not finite.
   *
   * @param x floats {@code [..., n, n]}; narrow ones are computed in float32
   */
  public static TensorExpr inverse(KernelBuilder k, String name, TensorExpr x) {
    Check.floats(OP, x);
    Check.rankAtLeast(OP, x, 2);
    int batch = x.shape().size() - 2;
    PrimExpr n = x.shape().get(batch);
    Dims.requireSame(OP, n, x.shape().get(batch + 1), "the last two axes");
    DType wide = Arith.wide(x.dtype());
    Buffer out = Buffer.of(name, x.dtype(), x.shape());
    Buffer left = Buffer.of(name + "_left", wide, x.shape());
    Buffer right = Buffer.of(name + "_right", wide, x.shape());
    Buffer value = Lines.local("value", wide);
    Buffer row = Lines.local("row", DType.INT64);
    Elimination all = new Elimination(n, wide, left, right, value, row);
    Stmt body =
        Lines.block(
            name + "_matrix",
            x.shape().subList(0, batch),
            List.of(value, row),
            at ->
                Lines.seq(
                    each(n, "i", i -> each(n, "j", j -> all.start(x, at, i, j))),
                    each(n, "c", c -> all.column(at, c)),
                    each(
                        n,
                        "i",
                        i ->
                            each(
                                n,
                                "j",
                                j -> {
                                  List<PrimExpr> to = AxisLists.joined(at, List.of(i, j));
                                  return new BufferStore(
                                      out, Exprs.cast(x.dtype(), right.load(to)), to);
                                }))));
    return k.points(List.of(out, left, right), body).getFirst();
  }

  private static Stmt each(PrimExpr n, String name, Function<PrimExpr, Stmt> body) {
    return Lines.loop(name, n, body::apply);
  }

  private record Elimination(
      PrimExpr n, DType wide, Buffer left, Buffer right, Buffer value, Buffer row) {
    Stmt start(TensorExpr x, List<PrimExpr> at, PrimExpr i, PrimExpr j) {
      List<PrimExpr> to = AxisLists.joined(at, List.of(i, j));
      return Lines.seq(
          new BufferStore(left, Exprs.cast(wide, x.at(to)), to),
          new BufferStore(
              right, Exprs.select(Exprs.eq(i, j), Arith.of(wide, 1), Arith.of(wide, 0)), to));
    }

    /** Makes column {@code c} of the left matrix one of the unit matrix. */
    Stmt column(List<PrimExpr> at, PrimExpr c) {
      return Lines.seq(
          pivot(at, c),
          each(n, "j", j -> Lines.seq(swap(left, at, c, j), swap(right, at, c, j))),
          Lines.set(value, left.load(element(at, c, c))),
          each(n, "j", j -> Lines.seq(divide(left, at, c, j), divide(right, at, c, j))),
          each(n, "i", i -> new IfThenElse(Arith.ne(i, c), eliminate(at, c, i), Optional.empty())));
    }

    /** The row at or below {@code c} with the largest element. */
    private Stmt pivot(List<PrimExpr> at, PrimExpr c) {
      return Lines.seq(
          Lines.set(row, c),
          Lines.set(value, size(at, c, c)),
          each(
              n,
              "i",
              i ->
                  new IfThenElse(
                      Exprs.and(Arith.gt(i, c), Arith.gt(size(at, i, c), value.load())),
                      Lines.seq(Lines.set(row, i), Lines.set(value, size(at, i, c))),
                      Optional.empty())));
    }

    private PrimExpr size(List<PrimExpr> at, PrimExpr i, PrimExpr j) {
      return Exprs.call(Intrinsic.ABS, left.load(element(at, i, j)));
    }

    private Stmt swap(Buffer matrix, List<PrimExpr> at, PrimExpr c, PrimExpr j) {
      List<PrimExpr> a = element(at, c, j);
      List<PrimExpr> b = element(at, row.load(), j);
      return Lines.seq(
          Lines.set(value, matrix.load(a)),
          new BufferStore(matrix, matrix.load(b), a),
          new BufferStore(matrix, value.load(), b));
    }

    private Stmt divide(Buffer matrix, List<PrimExpr> at, PrimExpr c, PrimExpr j) {
      List<PrimExpr> a = element(at, c, j);
      return new BufferStore(matrix, Arith.div(matrix.load(a), value.load()), a);
    }

    private Stmt eliminate(List<PrimExpr> at, PrimExpr c, PrimExpr i) {
      return Lines.seq(
          Lines.set(value, left.load(element(at, i, c))),
          each(n, "j", j -> Lines.seq(subtract(left, at, c, i, j), subtract(right, at, c, i, j))));
    }

    private Stmt subtract(Buffer matrix, List<PrimExpr> at, PrimExpr c, PrimExpr i, PrimExpr j) {
      List<PrimExpr> a = element(at, i, j);
      return new BufferStore(
          matrix,
          Exprs.sub(matrix.load(a), Exprs.mul(value.load(), matrix.load(element(at, c, j)))),
          a);
    }

    private static List<PrimExpr> element(List<PrimExpr> at, PrimExpr i, PrimExpr j) {
      return AxisLists.joined(at, List.of(i, j));
    }
  }
}
