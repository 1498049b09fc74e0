package org.relaxvm.compiler.op.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.intsOfRank;
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
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.tir.expr.Var;

class GathersTest {
  private final Var n = Var.index("n");
  private final Tensor data = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));

  @Test
  void gatherElements() {
    is(Gathers.gatherElements(floats(2, n), ints(2, 5), 1), "R.Tensor((2, 5), dtype=\"float32\")");
    is(
        Gathers.gatherElements(someFloats(), intsOfRank(2), 7),
        "R.Tensor(dtype=\"float32\", ndim=2)");
    is(Gathers.gatherElements(ofRank(2), unknown(), 1), "R.Tensor(dtype=\"float32\", ndim=2)");
    assertThat(
            Execution.text(
                Gathers.gatherElements(floats(2, n), ints(2, 1), 1),
                data,
                Tensor.of(new long[] {2, -3}, Shape.of(2, 1))))
        .isEqualTo("float32 [2, 1] [3.0, 4.0]");
    refused(
        Gathers.gatherElements(floats(2, 3), ints(2), 1),
        "gather_elements: expected one number of axes, but data is R.Tensor((2, 3),"
            + " dtype=\"float32\") and indices is R.Tensor((2,), dtype=\"int64\")");
    refused(
        Gathers.gatherElements(floats(2, 3), floats(2, 3), 1),
        "gather_elements: the argument indices must be a tensor of integers, but is R.Tensor((2,"
            + " 3), dtype=\"float32\")");
    refused(
        Gathers.gatherElements(floats(2, 3), ints(2, 3), 2),
        "gather_elements: there is no axis 2 of 2 axes; expected one from -2 to 1");
  }

  @Test
  void gatherSlices() {
    is(Gathers.gatherNd(floats(2, n), ints(5, 1), 0), "R.Tensor((5, n), dtype=\"float32\")");
    is(Gathers.gatherNd(floats(2, n), ints(2), 0), "R.Tensor((), dtype=\"float32\")");
    is(
        Gathers.gatherNd(floats(n, 4, 3), ints(n, 7, 1), 1),
        "R.Tensor((n, 7, 3), dtype=\"float32\")");
    is(Gathers.gatherNd(ofRank(3), ints(5, 1), 0), "R.Tensor(dtype=\"float32\", ndim=3)");
    is(Gathers.gatherNd(someFloats(), ints(5, 1), 0), "R.Tensor(dtype=\"float32\")");
    is(Gathers.gatherNd(floats(2), intsOfRank(2), 0), "R.Tensor(dtype=\"float32\")");
    assertThat(
            Execution.text(
                Gathers.gatherNd(floats(2, n), ints(2, 2), 0),
                data,
                Tensor.of(new long[] {1, 0, 0, -1}, Shape.of(2, 2))))
        .isEqualTo("float32 [2] [4.0, 3.0]");
    refused(
        Gathers.gatherNd(floats(2, 3), ints(5, n), 0),
        "gather_nd: the last extent of indices must be a constant, but is n");
    refused(
        Gathers.gatherNd(floats(2, 3), ints(2, 2), 1),
        "gather_nd: indices of length 2 and batch_dims=1 do not fit data with 2 axes and indices"
            + " with 2 axes");
    refused(
        Gathers.gatherNd(floats(2, 3), ints(4, 1), 1),
        "gather_nd: the extents of axis 0, which is one of batches, must be equal, but are 2 and"
            + " 4");
    refused(
        Gathers.gatherNd(floats(2, 3), ints(), 0),
        "gather_nd: the argument indices must be a tensor with 1 axis or more, but is"
            + " R.Tensor((), dtype=\"int64\")");
  }

  @Test
  void indexByTensors() {
    is(
        Gathers.indexTensor(floats(2, n, 4), List.of(ints(3, 1), ints(5))),
        "R.Tensor((3, 5, 4), dtype=\"float32\")");
    is(
        Gathers.indexTensor(ofRank(3), List.of(ints(3, 1), ints(5))),
        "R.Tensor(dtype=\"float32\", ndim=3)");
    is(Gathers.indexTensor(floats(3), List.of(unknown())), "R.Tensor(dtype=\"float32\")");
    assertThat(
            Execution.text(
                Gathers.indexTensor(floats(2, n), List.of(ints(2), ints(1))),
                data,
                Tensor.of(new long[] {1, 0}, Shape.of(2)),
                Tensor.of(new long[] {2}, Shape.of(1))))
        .isEqualTo("float32 [2] [6.0, 3.0]");
    refused(
        Gathers.indexTensor(floats(2), List.of()),
        "index_tensor: expected 1 to 1 tensors of indices, but got 0");
    refused(
        Gathers.indexTensor(someFloats(), List.of()),
        "index_tensor: expected 1 or more tensors of indices, but got 0");
    refused(
        Gathers.indexTensor(floats(2), List.of(tensor(DType.BOOL, 2))),
        "index_tensor: the argument indices must be a tuple of tensors of integers, but is"
            + " R.Tuple(R.Tensor((2,), dtype=\"bool\"))");
  }
}
