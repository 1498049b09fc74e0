package org.relaxvm.backendtestkit.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.backendtestkit.corpus.FormulaKernel.vector;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.op.DropoutOps;
import org.relaxvm.tir.op.JoinOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.op.OrderingOps;
import org.relaxvm.tir.op.PoolOps;
import org.relaxvm.tir.op.QuantizeOps;
import org.relaxvm.tir.op.ReductionOps;
import org.relaxvm.tir.op.image.ResizeAttrs;
import org.relaxvm.tir.op.image.ResizeOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Operators that the library lacks, by numbers worked out by hand. */
class FormulaTest {
  private final FormulaKernel kernel = new FormulaKernel();
  private final KernelBuilder k = kernel.k;

  @Test
  void varianceIsTheMeanOfSquaredDistances() {
    TensorExpr x = kernel.input("X", DType.FLOAT64, 4);
    double[] got =
        kernel.run(
            ReductionOps.variance(k, "Y", x, null, false),
            DType.FLOAT64,
            Shape.scalar(),
            vector(1, 2, 3, 6));
    assertThat(got).containsExactly(3.5);
  }

  @Test
  void medianIsTheLowerMiddle() {
    TensorExpr x = kernel.input("X", DType.FLOAT64, 4);
    TensorExpr median = OrderingOps.median(k, "Y", x, null, false).getFirst();
    assertThat(kernel.run(median, DType.FLOAT64, Shape.scalar(), vector(9, 2, 5, 3)))
        .containsExactly(3);
  }

  @Test
  void linesBetweenPixels() {
    TensorExpr x = kernel.input("X", DType.FLOAT64, 1, 1, 2);
    ResizeAttrs attrs =
        ResizeAttrs.of("NCW", ResizeAttrs.Method.LINEAR, ResizeAttrs.Coordinates.HALF_PIXEL);
    TensorExpr y = ResizeOps.resize(k, "Y", x, List.of(IntImm.of(4)), attrs);
    Tensor pixels = Tensor.of(new double[] {0, 4}, Shape.of(1, 1, 2));
    assertThat(kernel.run(y, DType.FLOAT64, Shape.of(1, 1, 4), pixels)).containsExactly(0, 1, 3, 4);
  }

  @Test
  void quantizedNumbersStayInRangeAndHalvesAreEven() {
    TensorExpr x = kernel.input("X", DType.FLOAT32, 5);
    TensorExpr scale = kernel.input("S", DType.FLOAT32);
    TensorExpr zero = kernel.input("Z", DType.INT8);
    double[] got =
        kernel.run(
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
    TensorExpr x = kernel.input("X", DType.FLOAT64, 2, 2);
    Tensor matrix = Tensor.of(new double[] {1, 2, 3, 4}, Shape.of(2, 2));
    TensorExpr trace = LinearOps.einsum(k, "Y", List.of(x), "ii->");
    assertThat(kernel.run(trace, DType.FLOAT64, Shape.scalar(), matrix)).containsExactly(5);
  }

  @Test
  void adaptiveWindowsOverlap() {
    TensorExpr x = kernel.input("X", DType.FLOAT64, 1, 1, 5);
    TensorExpr y = PoolOps.adaptiveAvgPool(k, "Y", x, List.of(IntImm.of(2)), "NCW");
    Tensor line = Tensor.of(new double[] {1, 2, 3, 4, 5}, Shape.of(1, 1, 5));
    assertThat(kernel.run(y, DType.FLOAT64, Shape.of(1, 1, 2), line))
        .containsExactly(new double[] {2, 4}, within(1e-12));
  }

  @Test
  void joinedTensorsLieOneAfterTheOther() {
    TensorExpr a = kernel.input("A", DType.FLOAT64, 2);
    TensorExpr b = kernel.input("B", DType.FLOAT64, 1);
    TensorExpr y = JoinOps.concat(k, "Y", List.of(a, b, a), 0);
    assertThat(kernel.run(y, DType.FLOAT64, Shape.of(5), vector(1, 2), vector(7)))
        .containsExactly(1, 2, 7, 1, 2);
  }

  @Test
  void inferenceDropsNothing() {
    TensorExpr x = kernel.input("X", DType.FLOAT64, 3);
    List<double[]> got =
        kernel.run(
            DropoutOps.dropout(k, "Y", x), DType.FLOAT64, Shape.of(3), vector(1, Double.NaN, -2));
    assertThat(got.get(0)).containsExactly(1, Double.NaN, -2);
    assertThat(got.get(1)).containsExactly(1, 1, 1);
  }
}
