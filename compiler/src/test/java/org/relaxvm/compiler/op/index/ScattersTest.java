package org.relaxvm.compiler.op.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.someFloats;
import static org.relaxvm.compiler.op.Rules.tensor;
import static org.relaxvm.compiler.op.Rules.unknown;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.ScatterOps.Reduction;

class ScattersTest {
  private final Var n = Var.index("n");
  private final Tensor data = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));

  @Test
  void scatterElements() {
    is(
        Scatters.scatterElements(floats(2, n), ints(1, 3), floats(1, 3), 1, Reduction.UPDATE),
        "R.Tensor((2, n), dtype=\"float32\")");
    is(Scatters.scatterElements(someFloats(), ints(1), unknown(), 9, Reduction.UPDATE), "R.Tensor");
    Tensor indices = Tensor.of(new long[] {1, -1, 1}, Shape.of(3));
    Tensor updates = Tensor.of(new float[] {10, 20, 30}, Shape.of(3));
    List<String> results =
        List.of("30.0, 20.0", "42.0, 23.0", "600.0, 60.0", "18.0, 11.5", "30.0, 20.0", "2.0, 3.0");
    for (Reduction reduction : Reduction.values()) {
      assertThat(
              Execution.text(
                  Scatters.scatterElements(floats(n), ints(3), floats(3), 0, reduction),
                  data,
                  indices,
                  updates))
          .isEqualTo("float32 [3] [1.0, " + results.get(reduction.ordinal()) + "]");
    }
  }

  @Test
  void scatterElementsRefusesWhatDoesNotFit() {
    Reduction update = Reduction.UPDATE;
    refused(
        Scatters.scatterElements(floats(3), ints(2), floats(3), 0, update),
        "scatter_elements: the extents of axis 0 of indices and updates must be equal, but are 2"
            + " and 3");
    refused(
        Scatters.scatterElements(floats(3), ints(2, 1), floats(3), 0, update),
        "scatter_elements: expected one number of axes, but data is R.Tensor((3,),"
            + " dtype=\"float32\") and indices is R.Tensor((2, 1), dtype=\"int64\")");
    refused(
        Scatters.scatterElements(floats(3), ints(3), ints(3), 0, update),
        "scatter_elements: expected one dtype, but data is float32 and updates is int64; use"
            + " astype");
    refused(
        Scatters.scatterElements(floats(3), ints(3), floats(3), 1, update),
        "scatter_elements: there is no axis 1 of 1 axis; expected one from -1 to 0");
    refused(
        Scatters.scatterElements(
            tensor(DType.BOOL, 3), ints(3), tensor(DType.BOOL, 3), 0, Reduction.ADD),
        "scatter_elements: the argument data must be a tensor of numbers, but is R.Tensor((3,),"
            + " dtype=\"bool\")");
    refused(
        Call.of(
            Scatters.SCATTER_ELEMENTS,
            List.of(floats(3), ints(3), floats(3)),
            Attrs.of("reduction", "sum")),
        "scatter_elements: there is no reduction sum; expected update, add, mul, mean, max or min");
  }

  @Test
  void scatterSlices() {
    Reduction add = Reduction.ADD;
    is(
        Scatters.scatterNd(floats(4, n), ints(2, 1), floats(2, n), add),
        "R.Tensor((4, n), dtype=\"float32\")");
    is(
        Scatters.scatterNd(ofRank(2), ints(2, 1), ofRank(2), add),
        "R.Tensor(dtype=\"float32\", ndim=2)");
    assertThat(
            Execution.text(
                Scatters.scatterNd(floats(n), ints(2, 1), floats(2), add),
                data,
                Tensor.of(new long[] {2, 2}, Shape.of(2, 1)),
                Tensor.of(new float[] {10, 20}, Shape.of(2))))
        .isEqualTo("float32 [3] [1.0, 2.0, 33.0]");
    refused(
        Scatters.scatterNd(floats(4, 3), ints(2, n), floats(2, 3), add),
        "scatter_nd: the last extent of indices must be a constant, but is n");
    refused(
        Scatters.scatterNd(floats(4, 3), ints(2, 3), floats(2), add),
        "scatter_nd: indices of length 3 do not fit data with 2 axes");
    refused(
        Scatters.scatterNd(floats(4, 3), ints(2, 1), floats(2), add),
        "scatter_nd: the argument updates must be a tensor with 2 axes, but is R.Tensor((2,),"
            + " dtype=\"float32\")");
    refused(
        Scatters.scatterNd(floats(4, 3), ints(2, 1), floats(2, 4), add),
        "scatter_nd: the extents of axis 1 of data and of axis 1 of updates must be equal, but are"
            + " 3 and 4");
    refused(
        Scatters.scatterNd(floats(4, 3), ints(2, 1), floats(5, 3), add),
        "scatter_nd: the extents of axis 0 of indices and of axis 0 of updates must be equal, but"
            + " are 2 and 5");
  }

  @Test
  void putValues() {
    is(
        Scatters.indexPut(floats(4, n), List.of(ints(3)), floats(n), false),
        "R.Tensor((4, n), dtype=\"float32\")");
    assertThat(
            Execution.text(
                Scatters.indexPut(floats(n), List.of(ints(2)), floats(), true),
                data,
                Tensor.of(new long[] {0, 0}, Shape.of(2)),
                Tensor.scalar(5f)))
        .isEqualTo("float32 [3] [11.0, 2.0, 3.0]");
    refused(
        Scatters.indexPut(floats(4, 3), List.of(ints(2)), floats(1, 2, 3), false),
        "index_put: values has 3 axes, but there are only 2 to fill");
    refused(
        Scatters.indexPut(floats(4), List.of(ints(2), ints(2)), floats(), false),
        "index_put: expected 1 to 1 tensors of indices, but got 2");
  }
}
