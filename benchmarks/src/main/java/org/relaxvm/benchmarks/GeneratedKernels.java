package org.relaxvm.benchmarks;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** The kernels of {@link GeneratedKernelBenchmark}, all with symbolic extents. */
final class GeneratedKernels {
  private GeneratedKernels() {}

  /** The formula of {@link HandWritten#chain}. */
  static PrimFunc chain() {
    KernelBuilder kernel = new KernelBuilder("chain");
    Var n = kernel.extent("n");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(n));
    TensorExpr y = kernel.input("Y", DType.FLOAT32, List.of(n));
    return kernel.build(
        kernel.compute(
            "out",
            List.of(n),
            i -> {
              PrimExpr sum = Exprs.mul(Exprs.add(x.at(i), y.at(i)), constant(0.5));
              PrimExpr v = Exprs.sub(Exprs.max(sum, constant(0)), x.at(i));
              PrimExpr divisor = Exprs.add(Exprs.mul(v, v), constant(1));
              PrimExpr quotient = Exprs.min(divide(y.at(i), divisor), constant(3));
              return Exprs.call(Intrinsic.SQRT, Exprs.call(Intrinsic.ABS, quotient));
            }));
  }

  static PrimFunc softmax() {
    KernelBuilder kernel = new KernelBuilder("softmax");
    List<Var> shape = List.of(kernel.extent("n"), kernel.extent("m"));
    List<Var> rows = shape.subList(0, 1);
    List<Var> columns = shape.subList(1, 2);
    TensorExpr x = kernel.input("X", DType.FLOAT32, shape);
    TensorExpr largest =
        kernel.reduce(
            "largest", rows, columns, Reducer.MAX, (i, k) -> x.at(i.getFirst(), k.getFirst()));
    TensorExpr weights =
        kernel.compute(
            "weights",
            shape,
            i -> Exprs.call(Intrinsic.EXP, Exprs.sub(x.at(i), largest.at(i.getFirst()))));
    TensorExpr sum =
        kernel.reduce(
            "sum", rows, columns, Reducer.SUM, (i, k) -> weights.at(i.getFirst(), k.getFirst()));
    return kernel.build(
        kernel.compute("out", shape, i -> divide(weights.at(i), sum.at(i.getFirst()))));
  }

  static PrimFunc layerNorm() {
    KernelBuilder kernel = new KernelBuilder("layer_norm");
    List<Var> shape = List.of(kernel.extent("n"), kernel.extent("m"));
    List<Var> rows = shape.subList(0, 1);
    List<Var> columns = shape.subList(1, 2);
    TensorExpr x = kernel.input("X", DType.FLOAT32, shape);
    TensorExpr gamma = kernel.input("gamma", DType.FLOAT32, columns);
    TensorExpr beta = kernel.input("beta", DType.FLOAT32, columns);
    PrimExpr count = Exprs.cast(DType.FLOAT32, columns.getFirst());
    TensorExpr sum =
        kernel.reduce(
            "sum", rows, columns, Reducer.SUM, (i, k) -> x.at(i.getFirst(), k.getFirst()));
    TensorExpr mean = kernel.compute("mean", rows, i -> divide(sum.at(i), count));
    TensorExpr squares =
        kernel.reduce(
            "squares",
            rows,
            columns,
            Reducer.SUM,
            (i, k) -> {
              PrimExpr distance = Exprs.sub(x.at(i.getFirst(), k.getFirst()), mean.at(i));
              return Exprs.mul(distance, distance);
            });
    TensorExpr scale =
        kernel.compute(
            "scale",
            rows,
            i ->
                Exprs.call(
                    Intrinsic.RSQRT, Exprs.add(divide(squares.at(i), count), constant(1e-5))));
    return kernel.build(
        kernel.compute(
            "out",
            shape,
            i -> {
              PrimExpr row = i.getFirst();
              PrimExpr x0 = Exprs.mul(Exprs.sub(x.at(i), mean.at(row)), scale.at(row));
              return Exprs.add(Exprs.mul(x0, gamma.at(i.get(1))), beta.at(i.get(1)));
            }));
  }

  /** The sums of rows, or of columns. */
  static PrimFunc sums(boolean ofRows) {
    KernelBuilder kernel = new KernelBuilder(ofRows ? "row_sums" : "column_sums");
    List<Var> shape = List.of(kernel.extent("n"), kernel.extent("m"));
    List<Var> kept = ofRows ? shape.subList(0, 1) : shape.subList(1, 2);
    List<Var> reduced = ofRows ? shape.subList(1, 2) : shape.subList(0, 1);
    TensorExpr x = kernel.input("X", DType.FLOAT32, shape);
    return kernel.build(
        kernel.reduce(
            "out",
            kept,
            reduced,
            Reducer.SUM,
            (i, k) ->
                ofRows ? x.at(i.getFirst(), k.getFirst()) : x.at(k.getFirst(), i.getFirst())));
  }

  static PrimFunc transpose() {
    KernelBuilder kernel = new KernelBuilder("transpose");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(n, m));
    return kernel.build(kernel.compute("out", List.of(m, n), i -> x.at(i.get(1), i.get(0))));
  }

  private static PrimExpr divide(PrimExpr a, PrimExpr b) {
    return Exprs.binary(BinaryOp.DIV, a, b);
  }

  private static PrimExpr constant(double value) {
    return new FloatImm(DType.FLOAT32, value);
  }
}
