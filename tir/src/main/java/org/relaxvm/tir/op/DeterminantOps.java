package org.relaxvm.tir.op;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
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

/** Determinants of square matrices. */
public final class DeterminantOps {
  private DeterminantOps() {}

  /**
   * The determinants of floats {@code [..., n, n]}: {@code [...]}, 1 where {@code n} is 0. By
   * Gaussian elimination with partial pivoting; float16 and bfloat16 are computed in float32.
   */
  public static TensorExpr determinant(KernelBuilder k, String name, TensorExpr x) {
    String op = "determinant";
    Check.floats(op, x);
    Check.rankAtLeast(op, x, 2);
    int batch = x.shape().size() - 2;
    PrimExpr n = x.shape().getLast();
    Dims.requireSame(op, x.shape().get(batch), n, "the last two extents of " + x.name());
    DType wide = Arith.wide(x.dtype());
    List<PrimExpr> shape = x.shape().subList(0, batch);
    Buffer out = Buffer.of(name, x.dtype(), shape);
    Buffer rows = Buffer.of("rows", wide, List.of(n, n));
    Buffer product = Lines.cell("product", wide);
    Buffer moved = Lines.cell("moved", wide);
    Buffer pivot = Lines.cell("pivot", DType.INT64);
    Elimination elimination = new Elimination(n, rows, product, moved, pivot);
    Stmt body =
        Lines.block(
            name + "_matrix",
            shape,
            List.of(rows, product, moved, pivot),
            matrix ->
                Lines.seq(
                    Lines.loops(
                        "e",
                        List.of(n, n),
                        at -> {
                          PrimExpr element = x.at(AxisLists.joined(matrix, at));
                          return new BufferStore(rows, Exprs.cast(wide, element), at);
                        }),
                    elimination.run(),
                    new BufferStore(out, Exprs.cast(x.dtype(), product.load()), matrix)));
    return k.statements(name, List.of(out), body).getFirst();
  }

  /**
   * Makes a matrix triangular; the product of its diagonal is the determinant.
   *
   * @param rows the matrix, which is overwritten
   * @param product the result
   */
  private record Elimination(PrimExpr n, Buffer rows, Buffer product, Buffer moved, Buffer pivot) {

    Stmt run() {
      return Lines.seq(
          Lines.set(product, Arith.of(product.dtype(), 1)),
          Lines.loop(
              "column",
              n,
              column ->
                  Lines.seq(
                      choose(column),
                      exchange(column),
                      Lines.set(product, Exprs.mul(product.load(), at(column, column))),
                      // A column of zeros: the determinant is 0.
                      when(
                          Arith.ne(at(column, column), Arith.of(rows.dtype(), 0)),
                          below(column, row -> subtract(column, row))))));
    }

    /** The row, from the diagonal on, with the largest element of a column. */
    private Stmt choose(PrimExpr column) {
      return Lines.seq(
          Lines.set(pivot, column),
          below(
              column,
              row ->
                  when(
                      Arith.gt(size(at(row, column)), size(at(pivot.load(), column))),
                      Lines.set(pivot, row))));
    }

    /** An exchange of rows changes the sign. */
    private Stmt exchange(PrimExpr column) {
      return when(
          Arith.ne(pivot.load(), column),
          Lines.seq(
              Lines.set(product, Exprs.sub(Arith.of(product.dtype(), 0), product.load())),
              Lines.loop(
                  "j",
                  n,
                  j ->
                      Lines.seq(
                          Lines.set(moved, at(column, j)),
                          new BufferStore(rows, at(pivot.load(), j), List.of(column, j)),
                          new BufferStore(rows, moved.load(), List.of(pivot.load(), j))))));
    }

    private Stmt subtract(PrimExpr column, PrimExpr row) {
      return Lines.seq(
          Lines.set(moved, Arith.div(at(row, column), at(column, column))),
          Lines.loop(
              "j",
              n,
              j -> {
                PrimExpr other = Exprs.mul(moved.load(), at(column, j));
                return new BufferStore(rows, Exprs.sub(at(row, j), other), List.of(row, j));
              }));
    }

    private Stmt below(PrimExpr column, Function<PrimExpr, Stmt> body) {
      return Lines.loop("row", n, row -> when(Exprs.lt(column, row), body.apply(row)));
    }

    private static Stmt when(PrimExpr condition, Stmt body) {
      return new IfThenElse(condition, body, Optional.empty());
    }

    private PrimExpr at(PrimExpr row, PrimExpr column) {
      return rows.load(List.of(row, column));
    }

    private static PrimExpr size(PrimExpr x) {
      return Exprs.call(Intrinsic.ABS, x);
    }
  }
}
