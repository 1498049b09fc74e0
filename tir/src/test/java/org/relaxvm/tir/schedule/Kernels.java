package org.relaxvm.tir.schedule;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Kernels to schedule. */
final class Kernels {
  private Kernels() {}

  /** {@code C[i, j] = exp(A[i, j] + 1) * B[j]} with two stages before the last. */
  static PrimFunc chain() {
    KernelBuilder kernel = new KernelBuilder("chain");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr a = kernel.input("A", DType.FLOAT32, List.of(n, m));
    TensorExpr b = kernel.input("B", DType.FLOAT32, List.of(m));
    PrimExpr one = new FloatImm(DType.FLOAT32, 1);
    TensorExpr sum = kernel.compute("sum", a.shape(), i -> Exprs.add(a.at(i), one));
    TensorExpr exp = kernel.compute("exp", a.shape(), i -> Exprs.call(Intrinsic.EXP, sum.at(i)));
    TensorExpr c = kernel.compute("C", a.shape(), i -> Exprs.mul(exp.at(i), b.at(i.subList(1, 2))));
    return kernel.build(c);
  }

  /** A matmul over a symbolic depth, which may be 0. */
  static PrimFunc matmul() {
    return matmul(Var.index("k"));
  }

  /** The same over this depth. */
  static PrimFunc matmul(PrimExpr k) {
    return matmul(DType.FLOAT32, k);
  }

  static PrimFunc matmul(DType dtype, PrimExpr k) {
    KernelBuilder kernel = new KernelBuilder("matmul");
    Var m = kernel.extent("m");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("A", dtype, List.of(m, k));
    TensorExpr b = kernel.input("B", dtype, List.of(k, n));
    TensorExpr c =
        kernel.reduce(
            "C",
            List.of(m, n),
            List.of(k),
            Reducer.SUM,
            (i, r) -> Exprs.mul(a.at(i.get(0), r.get(0)), b.at(r.get(0), i.get(1))));
    return kernel.build(c);
  }

  /** Sums of neighbours of what was doubled: the first stage is read at other indices. */
  static PrimFunc stencil(DType dtype) {
    KernelBuilder kernel = new KernelBuilder("stencil");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("A", dtype, List.of(n, IntImm.of(5)));
    TensorExpr twice = kernel.compute("twice", a.shape(), i -> Exprs.add(a.at(i), a.at(i)));
    TensorExpr sums =
        kernel.compute(
            "sums",
            List.of(n, IntImm.of(4)),
            i -> Exprs.add(twice.at(i), twice.at(i.get(0), Exprs.add(i.get(1), 1))));
    return kernel.build(sums);
  }

  /** The softmax of rows. */
  static PrimFunc softmax() {
    KernelBuilder kernel = new KernelBuilder("softmax");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(n, m));
    TensorExpr max =
        kernel.reduce(
            "max", List.of(n), List.of(m), Reducer.MAX, (i, r) -> x.at(i.get(0), r.get(0)));
    TensorExpr exp =
        kernel.compute(
            "exp",
            x.shape(),
            i -> Exprs.call(Intrinsic.EXP, Exprs.sub(x.at(i), max.at(i.subList(0, 1)))));
    TensorExpr sum =
        kernel.reduce(
            "sum", List.of(n), List.of(m), Reducer.SUM, (i, r) -> exp.at(i.get(0), r.get(0)));
    TensorExpr y =
        kernel.compute(
            "Y", x.shape(), i -> Exprs.binary(BinaryOp.DIV, exp.at(i), sum.at(i.subList(0, 1))));
    return kernel.build(y);
  }
}
