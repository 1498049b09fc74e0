package org.relaxvm.backendtestkit.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.JoinOps;
import org.relaxvm.tir.op.OrderingOps;
import org.relaxvm.tir.op.ReductionOps;
import org.relaxvm.tir.op.nn.LinearOps;
import org.relaxvm.tir.op.nn.PoolOps;
import org.relaxvm.tir.op.nn.QuantizeOps;
import org.relaxvm.tir.op.nn.ResizeAttrs;
import org.relaxvm.tir.op.nn.ResizeOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Operators that the library lacks, by numbers worked out by hand. */
class FormulaTest {
  private final KernelBuilder k = new KernelBuilder("k");

  private TensorExpr input(String name, DType dtype, long... shape) {
    List<PrimExpr> extents =
        Arrays.stream(shape).<PrimExpr>mapToObj(extent -> IntImm.of(extent)).toList();
    return k.input(name, dtype, extents);
  }

  private double[] run(TensorExpr result, DType dtype, Shape shape, Tensor... inputs) {
    List<Object> args = new ArrayList<>(List.of(inputs));
    Tensor out = Tensor.zeros(dtype, shape);
    args.add(out);
    new Evaluator().run(k.build(result), args);
    return out.toDoubleArray();
  }

  private static Tensor vector(double... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  @Test
  void varianceIsTheMeanOfSquaredDistances() {
    TensorExpr x = input("X", DType.FLOAT64, 4);
    double[] got =
        run(
            ReductionOps.variance(k, "Y", x, null, false),
            DType.FLOAT64,
            Shape.scalar(),
            vector(1, 2, 3, 6));
    assertThat(got).containsExactly(3.5);
  }

  @Test
  void medianIsTheLowerMiddle() {
    TensorExpr x = input("X", DType.FLOAT64, 4);
    TensorExpr median = OrderingOps.median(k, "Y", x, null, false).getFirst();
    assertThat(run(median, DType.FLOAT64, Shape.scalar(), vector(9, 2, 5, 3))).containsExactly(3);
  }

  @Test
  void linesBetweenPixels() {
    TensorExpr x = input("X", DType.FLOAT64, 1, 1, 2);
    ResizeAttrs attrs =
        ResizeAttrs.of("NCW", ResizeAttrs.Method.LINEAR, ResizeAttrs.Coordinates.HALF_PIXEL);
    TensorExpr y = ResizeOps.resize(k, "Y", x, List.of(IntImm.of(4)), attrs);
    Tensor pixels = Tensor.of(new double[] {0, 4}, Shape.of(1, 1, 2));
    assertThat(run(y, DType.FLOAT64, Shape.of(1, 1, 4), pixels)).containsExactly(0, 1, 3, 4);
  }

  @Test
  void quantizedNumbersStayInRangeAndHalvesAreEven() {
    TensorExpr x = input("X", DType.FLOAT32, 5);
    TensorExpr scale = input("S", DType.FLOAT32);
    TensorExpr zero = input("Z", DType.INT8);
    double[] got =
        run(
            QuantizeOps.quantize(k, "Y", x, scale, zero, 0, DType.INT8),
            DType.INT8,
            Shape.of(5),
            Tensor.of(new float[] {1.25f, 0.75f, 1000, -1000, -0.5f}, Shape.of(5)),
            Tensor.scalar(0.5f),
            Tensor.of(new byte[] {3}, Shape.scalar()));
    assertThat(got).containsExactly(5, 5, 127, -128, 2);
  }

  @Test
  void tracesAreEinsteinSums() {
    TensorExpr x = input("X", DType.FLOAT64, 2, 2);
    Tensor matrix = Tensor.of(new double[] {1, 2, 3, 4}, Shape.of(2, 2));
    TensorExpr trace = LinearOps.einsum(k, "Y", List.of(x), "ii->");
    assertThat(run(trace, DType.FLOAT64, Shape.scalar(), matrix)).containsExactly(5);
  }

  @Test
  void adaptiveWindowsOverlap() {
    TensorExpr x = input("X", DType.FLOAT64, 1, 1, 5);
    TensorExpr y = PoolOps.adaptiveAvgPool(k, "Y", x, List.of(IntImm.of(2)), "NCW");
    Tensor line = Tensor.of(new double[] {1, 2, 3, 4, 5}, Shape.of(1, 1, 5));
    assertThat(run(y, DType.FLOAT64, Shape.of(1, 1, 2), line))
        .containsExactly(new double[] {2, 4}, within(1e-12));
  }

  @Test
  void joinedTensorsLieOneBehindTheOther() {
    TensorExpr a = input("A", DType.FLOAT64, 2);
    TensorExpr b = input("B", DType.FLOAT64, 1);
    TensorExpr y = JoinOps.concat(k, "Y", List.of(a, b, a), 0);
    assertThat(run(y, DType.FLOAT64, Shape.of(5), vector(1, 2), vector(7)))
        .containsExactly(1, 2, 7, 1, 2);
  }
}
