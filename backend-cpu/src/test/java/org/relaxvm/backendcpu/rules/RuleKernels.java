package org.relaxvm.backendcpu.rules;

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

/** Kernels to schedule, one or more per rule. */
final class RuleKernels {
  private static final DType F32 = DType.FLOAT32;

  private RuleKernels() {}

  static PrimExpr f(double value) {
    return new FloatImm(F32, value);
  }

  static PrimExpr exp(PrimExpr x) {
    return Exprs.call(Intrinsic.EXP, x);
  }

  static PrimExpr div(PrimExpr a, PrimExpr b) {
    return Exprs.binary(BinaryOp.DIV, a, b);
  }

  /** {@code exp(a + b) * a} in three stages. */
  static PrimFunc elementwise(List<? extends PrimExpr> shape) {
    KernelBuilder kernel = new KernelBuilder("elementwise");
    TensorExpr a = kernel.input("A", F32, shape);
    TensorExpr b = kernel.input("B", F32, shape);
    TensorExpr sum = kernel.compute("sum", shape, i -> Exprs.add(a.at(i), b.at(i)));
    TensorExpr exp = kernel.compute("exp", shape, i -> exp(sum.at(i)));
    return kernel.build(kernel.compute("Y", shape, i -> Exprs.mul(exp.at(i), a.at(i))));
  }

  /** {@code x[i, j, k] * w[k] + b[i]}. */
  static PrimFunc broadcast() {
    KernelBuilder kernel = new KernelBuilder("broadcast");
    List<Var> shape = List.of(kernel.extent("n"), kernel.extent("m"), kernel.extent("k"));
    TensorExpr x = kernel.input("X", F32, shape);
    TensorExpr w = kernel.input("W", F32, shape.subList(2, 3));
    TensorExpr b = kernel.input("B", F32, shape.subList(0, 1));
    return kernel.build(
        kernel.compute(
            "Y", shape, i -> Exprs.add(Exprs.mul(x.at(i), w.at(i.get(2))), b.at(i.subList(0, 1)))));
  }

  static PrimFunc transpose(PrimExpr b) {
    KernelBuilder kernel = new KernelBuilder("transpose");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", F32, List.of(b, n, m));
    return kernel.build(
        kernel.compute("Y", List.of(b, m, n), i -> x.at(i.get(0), i.get(2), i.get(1))));
  }

  /** A transpose of a single matrix. */
  static PrimFunc transposeMatrix() {
    KernelBuilder kernel = new KernelBuilder("transpose_matrix");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", F32, List.of(n, m));
    return kernel.build(kernel.compute("Y", List.of(m, n), i -> x.at(i.get(1), i.get(0))));
  }

  static PrimFunc rowSum() {
    KernelBuilder kernel = new KernelBuilder("row_sum");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", F32, List.of(n, IntImm.of(7), m));
    return kernel.build(
        kernel.reduce(
            "Y",
            List.of(n),
            List.of(IntImm.of(7), m),
            Reducer.SUM,
            (i, r) -> x.at(i.get(0), r.get(0), r.get(1))));
  }

  /** The largest of all elements. */
  static PrimFunc maximum() {
    KernelBuilder kernel = new KernelBuilder("maximum");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", F32, List.of(n, m));
    return kernel.build(
        kernel.reduce(
            "Y", List.of(), List.of(n, m), Reducer.MAX, (i, r) -> x.at(r.get(0), r.get(1))));
  }

  static PrimFunc columnSum(PrimExpr depth, PrimExpr columns) {
    KernelBuilder kernel = new KernelBuilder("column_sum");
    TensorExpr x = kernel.input("X", F32, List.of(depth, columns));
    return kernel.build(
        kernel.reduce(
            "Y",
            List.of(columns),
            List.of(depth),
            Reducer.SUM,
            (i, r) -> x.at(r.get(0), i.get(0))));
  }

  static PrimFunc matmul(PrimExpr m, PrimExpr k, PrimExpr n) {
    KernelBuilder kernel = new KernelBuilder("matmul");
    TensorExpr a = kernel.input("A", F32, List.of(m, k));
    TensorExpr b = kernel.input("B", F32, List.of(k, n));
    return kernel.build(
        kernel.reduce(
            "C",
            List.of(m, n),
            List.of(k),
            Reducer.SUM,
            (i, r) -> Exprs.mul(a.at(i.get(0), r.get(0)), b.at(r.get(0), i.get(1)))));
  }

  static PrimFunc batchMatmul() {
    KernelBuilder kernel = new KernelBuilder("batch_matmul");
    Var b = kernel.extent("b");
    Var m = kernel.extent("m");
    Var n = kernel.extent("n");
    TensorExpr x = kernel.input("A", F32, List.of(b, m, IntImm.of(6)));
    TensorExpr y = kernel.input("B", F32, List.of(b, IntImm.of(6), n));
    return kernel.build(
        kernel.reduce(
            "C",
            List.of(b, m, n),
            List.of(IntImm.of(6)),
            Reducer.SUM,
            (i, r) ->
                Exprs.mul(x.at(i.get(0), i.get(1), r.get(0)), y.at(i.get(0), r.get(0), i.get(2)))));
  }

  /** The softmax of rows of a tensor with two leading axes, or its logarithm. */
  static PrimFunc softmax(boolean logarithm) {
    KernelBuilder kernel = new KernelBuilder(logarithm ? "log_softmax" : "softmax");
    Var b = kernel.extent("b");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", F32, List.of(b, n, m));
    TensorExpr max =
        kernel.reduce(
            "max",
            List.of(b, n),
            List.of(m),
            Reducer.MAX,
            (i, r) -> x.at(i.get(0), i.get(1), r.get(0)));
    TensorExpr exp =
        kernel.compute("exp", x.shape(), i -> exp(Exprs.sub(x.at(i), max.at(i.get(0), i.get(1)))));
    TensorExpr sum =
        kernel.reduce(
            "sum",
            List.of(b, n),
            List.of(m),
            Reducer.SUM,
            (i, r) -> exp.at(i.get(0), i.get(1), r.get(0)));
    return kernel.build(
        kernel.compute(
            "Y",
            x.shape(),
            i ->
                logarithm
                    ? Exprs.sub(
                        Exprs.sub(x.at(i), max.at(i.get(0), i.get(1))),
                        Exprs.call(Intrinsic.LOG, sum.at(i.get(0), i.get(1))))
                    : div(exp.at(i), sum.at(i.get(0), i.get(1)))));
  }

  /** A layer norm of rows with static width. */
  static PrimFunc layerNorm() {
    long width = 24;
    KernelBuilder kernel = new KernelBuilder("layer_norm");
    Var n = kernel.extent("n");
    List<PrimExpr> rows = List.of(n);
    List<PrimExpr> depth = List.of(IntImm.of(width));
    TensorExpr x = kernel.input("X", F32, List.of(n, IntImm.of(width)));
    TensorExpr gamma = kernel.input("G", F32, depth);
    TensorExpr beta = kernel.input("B", F32, depth);
    TensorExpr sum =
        kernel.reduce("sum", rows, depth, Reducer.SUM, (i, r) -> x.at(i.get(0), r.get(0)));
    TensorExpr mean = kernel.compute("mean", rows, i -> div(sum.at(i), f(width)));
    TensorExpr off = kernel.compute("off", x.shape(), i -> Exprs.sub(x.at(i), mean.at(i.get(0))));
    TensorExpr squares =
        kernel.reduce(
            "squares",
            rows,
            depth,
            Reducer.SUM,
            (i, r) -> Exprs.mul(off.at(i.get(0), r.get(0)), off.at(i.get(0), r.get(0))));
    TensorExpr scale =
        kernel.compute(
            "scale",
            rows,
            i -> Exprs.call(Intrinsic.RSQRT, Exprs.add(div(squares.at(i), f(width)), f(1e-5))));
    return kernel.build(
        kernel.compute(
            "Y",
            x.shape(),
            i ->
                Exprs.add(
                    Exprs.mul(Exprs.mul(off.at(i), scale.at(i.get(0))), gamma.at(i.get(1))),
                    beta.at(i.get(1)))));
  }

  /** The mean of each group of channels taken away. */
  static PrimFunc groupNorm() {
    KernelBuilder kernel = new KernelBuilder("group_norm");
    Var n = kernel.extent("n");
    Var h = kernel.extent("h");
    TensorExpr x = kernel.input("X", F32, List.of(n, IntImm.of(6), h, IntImm.of(5)));
    TensorExpr sum =
        kernel.reduce(
            "sum",
            List.of(n, IntImm.of(2)),
            List.of(IntImm.of(3), h, IntImm.of(5)),
            Reducer.SUM,
            (i, r) ->
                x.at(i.get(0), Exprs.add(Exprs.mul(i.get(1), 3), r.get(0)), r.get(1), r.get(2)));
    return kernel.build(
        kernel.compute(
            "Y",
            x.shape(),
            i -> Exprs.sub(x.at(i), exp(sum.at(i.get(0), Exprs.floorDiv(i.get(1), 3))))));
  }

  /** Rows of a table by their numbers. */
  static PrimFunc gather() {
    KernelBuilder kernel = new KernelBuilder("gather");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr table = kernel.input("T", F32, List.of(IntImm.of(3), m));
    TensorExpr rows = kernel.input("I", DType.INT64, List.of(n));
    return kernel.build(
        kernel.compute(
            "Y", List.of(n, m), i -> table.at(Exprs.floorMod(rows.at(i.get(0)), 3), i.get(1))));
  }

  /** Single elements of a table by their numbers. */
  static PrimFunc lookup() {
    KernelBuilder kernel = new KernelBuilder("lookup");
    Var n = kernel.extent("n");
    TensorExpr table = kernel.input("T", F32, List.of(IntImm.of(3)));
    TensorExpr places = kernel.input("I", DType.INT64, List.of(n));
    return kernel.build(
        kernel.compute("Y", List.of(n), i -> table.at(Exprs.floorMod(places.at(i.get(0)), 3))));
  }

  /** Zeros around a matrix. */
  static PrimFunc pad() {
    KernelBuilder kernel = new KernelBuilder("pad");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", F32, List.of(n, m));
    return kernel.build(
        kernel.compute(
            "Y",
            List.of(Exprs.add(n, 2), Exprs.add(m, 1)),
            i ->
                Exprs.ifThenElse(
                    Exprs.and(
                        Exprs.and(Exprs.le(IntImm.of(1), i.get(0)), Exprs.le(i.get(0), n)),
                        Exprs.lt(i.get(1), m)),
                    x.at(Exprs.sub(i.get(0), 1), i.get(1)),
                    f(0))));
  }

  /** Sums of running windows: read neither along the output nor with gaps. */
  static PrimFunc windows() {
    KernelBuilder kernel = new KernelBuilder("windows");
    Var n = kernel.extent("n");
    TensorExpr x = kernel.input("X", F32, List.of(Exprs.mul(n, 2)));
    return kernel.build(
        kernel.reduce(
            "Y",
            List.of(n),
            List.of(IntImm.of(2)),
            Reducer.SUM,
            (i, r) -> x.at(Exprs.add(Exprs.mul(i.get(0), 2), r.get(0)))));
  }

  /** The place of the largest element of each row: a reduction of two results. */
  static PrimFunc argmax() {
    KernelBuilder kernel = new KernelBuilder("argmax");
    Var n = kernel.extent("n");
    TensorExpr x = kernel.input("X", F32, List.of(n, IntImm.of(6)));
    Reducer largest =
        new Reducer(
            dtypes -> List.of(Reducer.lowest(F32), f(-1)),
            (a, b) -> {
              PrimExpr better = Exprs.lt(a.get(0), b.get(0));
              return List.of(
                  Exprs.select(better, b.get(0), a.get(0)),
                  Exprs.select(better, b.get(1), a.get(1)));
            });
    List<TensorExpr> both =
        kernel.reduceAll(
            List.of("best", "place"),
            List.of(n),
            List.of(IntImm.of(6)),
            largest,
            (i, r) -> List.of(x.at(i.get(0), r.get(0)), Exprs.cast(F32, r.get(0))));
    return kernel.build(
        kernel.compute("Y", List.of(n), i -> Exprs.add(both.get(0).at(i), both.get(1).at(i))));
  }

  /** Every second element backwards: no run of memory in what is read. */
  static PrimFunc reversed() {
    KernelBuilder kernel = new KernelBuilder("reversed");
    Var n = kernel.extent("n");
    TensorExpr x = kernel.input("X", F32, List.of(Exprs.mul(n, 2)));
    return kernel.build(
        kernel.compute(
            "Y", List.of(n), i -> x.at(Exprs.sub(Exprs.mul(Exprs.sub(n, i.get(0)), 2), 1))));
  }

  /** Each element of the first half repeated, the second half of another tensor. */
  static PrimFunc concat() {
    KernelBuilder kernel = new KernelBuilder("concat");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr a = kernel.input("A", F32, List.of(m, n));
    TensorExpr b = kernel.input("B", F32, List.of(m, n));
    return kernel.build(
        kernel.compute(
            "Y",
            List.of(m, Exprs.mul(n, 2)),
            i ->
                Exprs.ifThenElse(
                    Exprs.lt(i.get(1), n),
                    a.at(i.get(0), i.get(1)),
                    b.at(i.get(0), Exprs.sub(i.get(1), n)))));
  }

  /** Rows of three tensors behind each other, the last ones too few for loops of their own. */
  static PrimFunc concatRows() {
    KernelBuilder kernel = new KernelBuilder("concat_rows");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    IntImm width = IntImm.of(33);
    TensorExpr a = kernel.input("A", F32, List.of(n, width));
    TensorExpr b = kernel.input("B", F32, List.of(m, width));
    TensorExpr c = kernel.input("C", F32, List.of(IntImm.of(2), width));
    PrimExpr both = Exprs.add(n, m);
    return kernel.build(
        kernel.compute(
            "Y",
            List.of(Exprs.add(both, 2), width),
            i ->
                Exprs.ifThenElse(
                    Exprs.lt(i.get(0), n),
                    a.at(i.get(0), i.get(1)),
                    Exprs.ifThenElse(
                        Exprs.lt(i.get(0), both),
                        b.at(Exprs.sub(i.get(0), n), i.get(1)),
                        c.at(Exprs.sub(i.get(0), both), i.get(1))))));
  }

  /** Choices that are none of ranges which surely lie in the tensor: they stay as they are. */
  static PrimFunc choices() {
    KernelBuilder kernel = new KernelBuilder("choices");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", F32, List.of(n, m));
    TensorExpr y = kernel.input("Y", F32, List.of(n, m));
    return kernel.build(
        kernel.compute(
            "Z",
            List.of(n, m),
            i ->
                Exprs.ifThenElse(
                    Exprs.and(Exprs.lt(i.get(0), IntImm.of(3)), Exprs.lt(i.get(0), i.get(1))),
                    x.at(i.get(0), i.get(1)),
                    y.at(i.get(0), i.get(1)))));
  }

  /** One row times a matrix in each batch, with as many columns as a call has. */
  static PrimFunc batchesOfOneRow() {
    KernelBuilder kernel = new KernelBuilder("batches_of_one_row");
    Var n = kernel.extent("n");
    IntImm batches = IntImm.of(3);
    TensorExpr x = kernel.input("A", F32, List.of(batches, IntImm.of(1), IntImm.of(9)));
    TensorExpr y = kernel.input("B", F32, List.of(batches, IntImm.of(9), n));
    return kernel.build(
        kernel.reduce(
            "C",
            List.of(batches, IntImm.of(1), n),
            List.of(IntImm.of(9)),
            Reducer.SUM,
            (i, r) ->
                Exprs.mul(x.at(i.get(0), i.get(1), r.get(0)), y.at(i.get(0), r.get(0), i.get(2)))));
  }

  /** A product of which rows go through a softmax: stages of several rules behind each other. */
  static PrimFunc scores() {
    KernelBuilder kernel = new KernelBuilder("scores");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr q = kernel.input("Q", F32, List.of(n, IntImm.of(4)));
    TensorExpr k = kernel.input("K", F32, List.of(m, IntImm.of(4)));
    TensorExpr s =
        kernel.reduce(
            "S",
            List.of(n, m),
            List.of(IntImm.of(4)),
            Reducer.SUM,
            (i, r) -> Exprs.mul(q.at(i.get(0), r.get(0)), k.at(i.get(1), r.get(0))));
    TensorExpr e = kernel.compute("E", s.shape(), i -> exp(s.at(i)));
    TensorExpr sum =
        kernel.reduce(
            "sum", List.of(n), List.of(m), Reducer.SUM, (i, r) -> e.at(i.get(0), r.get(0)));
    return kernel.build(kernel.compute("Y", s.shape(), i -> div(e.at(i), sum.at(i.get(0)))));
  }

  /** Sums of neighbouring windows with channels last: columns in lanes for each place. */
  static PrimFunc pool() {
    KernelBuilder kernel = new KernelBuilder("pool");
    Var n = kernel.extent("n");
    Var c = kernel.extent("c");
    TensorExpr x = kernel.input("X", F32, List.of(Exprs.add(n, 2), c));
    return kernel.build(
        kernel.reduce(
            "Y",
            List.of(n, c),
            List.of(IntImm.of(3)),
            Reducer.MAX,
            (i, r) -> x.at(Exprs.add(i.get(0), r.get(0)), i.get(1))));
  }
}
