package org.relaxvm.tir.te;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;

/** What kernels of the builder compute. */
class ComputedKernelsTest {
  private final KernelBuilder kernel = new KernelBuilder("k");
  private final Var n = kernel.extent("n");
  private final Var m = kernel.extent("m");
  private final TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(n, m));

  private static double[] run(PrimFunc function, Tensor... args) {
    new Evaluator().run(function, List.of(args));
    return args[args.length - 1].toDoubleArray();
  }

  @Test
  void softmaxOfRows() {
    TensorExpr max =
        kernel.reduce(
            "max", List.of(n), List.of(m), Reducer.MAX, (i, r) -> x.at(i.get(0), r.get(0)));
    TensorExpr exp =
        kernel.compute(
            "exp", x.shape(), i -> Exprs.call(Intrinsic.EXP, Exprs.sub(x.at(i), max.at(i.get(0)))));
    TensorExpr sum =
        kernel.reduce(
            "sum", List.of(n), List.of(m), Reducer.SUM, (i, r) -> exp.at(i.get(0), r.get(0)));
    PrimFunc softmax =
        kernel.build(
            kernel.compute(
                "Y", x.shape(), i -> Exprs.binary(BinaryOp.DIV, exp.at(i), sum.at(i.get(0)))));
    double[] got =
        run(
            softmax,
            Tensor.of(new float[] {1, 2, 3, -1, 0, 1000}, Shape.of(2, 3)),
            Tensor.zeros(DType.FLOAT32, Shape.of(2, 3)));
    double whole = Math.exp(-2) + Math.exp(-1) + 1;
    double[] expected = {Math.exp(-2) / whole, Math.exp(-1) / whole, 1 / whole, 0, 0, 1};
    assertThat(got).containsExactly(expected, within(1e-7));
  }

  @Test
  void indexOfTheLargestTogetherWithIt() {
    Reducer first =
        new Reducer(
            dtypes -> List.of(IntImm.of(-1), Reducer.lowest(dtypes.get(1))),
            (a, b) -> {
              // The first of several that are equal.
              PrimExpr keeps = Exprs.le(b.get(1), a.get(1));
              return List.of(
                  Exprs.select(keeps, a.get(0), b.get(0)), Exprs.select(keeps, a.get(1), b.get(1)));
            });
    List<TensorExpr> both =
        kernel.reduceAll(
            List.of("index", "largest"),
            List.of(n),
            List.of(m),
            first,
            (i, r) -> List.of(r.get(0), x.at(i.get(0), r.get(0))));
    PrimFunc argmax = kernel.build(both.get(1), both.get(0));
    Tensor largest = Tensor.zeros(DType.FLOAT32, Shape.of(2));
    double[] indices =
        run(
            argmax,
            Tensor.of(new float[] {1, 7, 7, 5, -2, 3}, Shape.of(2, 3)),
            largest,
            Tensor.zeros(DType.INT64, Shape.of(2)));
    assertThat(indices).containsExactly(1, 0);
    assertThat(largest.toDoubleArray()).containsExactly(7, 5);
  }

  @Test
  void reductionsOverNothingAreWhatTheyStartWith() {
    PrimFunc sums =
        kernel.build(
            kernel.reduce(
                "S", List.of(n), List.of(m), Reducer.SUM, (i, r) -> x.at(i.get(0), r.get(0))));
    Tensor out = Tensor.of(new float[] {5, 5}, Shape.of(2));
    assertThat(run(sums, Tensor.zeros(DType.FLOAT32, Shape.of(2, 0)), out)).containsExactly(0, 0);
  }

  @Test
  void inlinedTensorsAreComputedWhereTheyAreUsed() {
    Var k = kernel.scalar("k", DType.FLOAT32);
    TensorExpr transposed =
        kernel.inlined("T", List.of(m, n), i -> Exprs.mul(x.at(i.get(1), i.get(0)), k));
    PrimFunc function = kernel.build(kernel.compute("Y", transposed.shape(), transposed::at));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(3, 2));
    Tensor in = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    new Evaluator().run(function, List.of(in, 10.0, out));
    assertThat(out.toDoubleArray()).containsExactly(10, 40, 20, 50, 30, 60);
  }
}
