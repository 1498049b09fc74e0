package org.relaxvm.tir.op;

import static org.relaxvm.tir.op.Mistakes.refused;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.TensorExpr;

/** Operators that move, join, cut and look up elements. */
class ShapeMistakesTest {
  private static final IntImm TWO = IntImm.of(2);

  private static String integers(String op, String tensor) {
    return op + ": expected an integer dtype for " + tensor + ", but it is float32";
  }

  @Test
  void shapesFitTheElements() {
    refused(
        m -> ShapeOps.broadcastTo(m.k, "y", m.ints(4, 1, 1), List.of(TWO, TWO)),
        "broadcast_to: cannot broadcast 3 axes to 2");
    refused(
        m -> ShapeOps.broadcastTo(m.k, "y", m.ints(4), List.of(TWO)),
        "broadcast_to: extents but 1 must be equal, but are 4 and 2");
    refused(
        m -> ShapeOps.reshape(m.k, "y", m.ints(4), List.of(TWO)),
        "reshape: the numbers of elements must be equal, but are 4 and 2");
    refused(
        m -> ShapeOps.batchFlatten(m.k, "y", m.ints()),
        "batch_flatten: expected a of rank 1 or more, but its rank is 0");
    refused(
        m -> ShapeOps.expandDims(m.k, "y", m.ints(4), List.of(2)),
        "expand_dims: expected an axis of -2 to 1, but got 2");
    refused(
        m -> ShapeOps.squeeze(m.k, "y", m.ints(4), List.of(1)),
        "squeeze: expected an axis of -1 to 0, but got 1");
    refused(
        m -> ShapeOps.squeeze(m.k, "y", m.ints(1, 4), List.of(1)),
        "squeeze: the axis 1 has the extent 4, not 1");
    refused(
        m -> ShapeOps.permuteDims(m.k, "y", m.ints(4, 4), List.of(0)),
        "permute_dims: expected 2 numbers as axes, but got [0]");
    refused(
        m -> ShapeOps.flip(m.k, "y", m.ints(4), 1), "flip: expected an axis of -1 to 0, but got 1");
    refused(
        m -> ShapeOps.tile(m.k, "y", m.ints(4), List.of(-1L)),
        "tile: expected repeats of at least 0, but got [-1]");
    refused(
        m -> ShapeOps.repeat(m.k, "y", m.ints(4), -1, 0),
        "repeat: expected repeats of at least 0, but got [-1]");
    refused(
        m -> ShapeOps.repeat(m.k, "y", m.ints(4), 1, 1),
        "repeat: expected an axis of -1 to 0, but got 1");
    refused(
        m -> ShapeOps.collapseSum(m.k, "y", m.bools(4), List.of(TWO)),
        "collapse_sum_to: expected a dtype of numbers for a, but it is bool");
    refused(
        m -> ShapeOps.collapseSum(m.k, "y", m.ints(4), List.of(TWO, TWO)),
        "collapse_sum_to: the shape has more axes than a");
    refused(
        m -> ShapeOps.collapseSum(m.k, "y", m.ints(4), List.of(TWO)),
        "collapse_sum_to: extents that stay must be equal, but are 4 and 2");
  }

  @Test
  void reversedPartsHaveALengthPerBatch() {
    String op = "reverse_sequence";
    refused(
        m -> ShapeOps.reverseSequence(m.k, "y", m.ints(4, 4), m.floats(4), 0, 1),
        integers(op, "b"));
    refused(
        m -> ShapeOps.reverseSequence(m.k, "y", m.ints(4, 4), m.ints(4, 1), 0, 1),
        op + ": expected b of rank 1, but its rank is 2");
    refused(
        m -> ShapeOps.reverseSequence(m.k, "y", m.ints(4, 4), m.ints(4), 2, 1),
        op + ": expected an axis of -2 to 1, but got 2");
    refused(
        m -> ShapeOps.reverseSequence(m.k, "y", m.ints(4, 4), m.ints(4), 1, 3),
        op + ": expected an axis of -2 to 1, but got 3");
    refused(
        m -> ShapeOps.reverseSequence(m.k, "y", m.ints(4, 4), m.ints(4), 1, -1),
        op + ": both axes are 1");
  }

  @Test
  void joinedTensorsAreAlike() {
    refused(m -> JoinOps.concat(m.k, "y", List.of(), 0), "concat: expected at least one tensor");
    refused(
        m -> JoinOps.concat(m.k, "y", List.of(m.ints(4)), 1),
        "concat: expected an axis of -1 to 0, but got 1");
    refused(
        m -> JoinOps.concat(m.k, "y", List.of(m.ints(4), m.floats(4)), 0),
        "concat: expected one dtype, but a is int64 and b is float32");
    refused(
        m -> JoinOps.concat(m.k, "y", List.of(m.ints(4), m.ints(4, 4)), 0),
        "concat: expected b of rank 1, but its rank is 2");
    refused(
        m -> JoinOps.concat(m.k, "y", List.of(m.ints(4, 4), m.ints(4, 5)), 0),
        "concat: the extents of axis 1 must be equal, but are 4 and 5");
    refused(m -> JoinOps.stack(m.k, "y", List.of(), 0), "stack: expected at least one tensor");
    refused(
        m -> JoinOps.stack(m.k, "y", List.of(m.ints(4)), 2),
        "stack: expected an axis of -2 to 1, but got 2");
    refused(
        m -> JoinOps.split(m.k, "y", m.ints(4), List.of(TWO), 1),
        "split: expected an axis of -1 to 0, but got 1");
    refused(
        m -> JoinOps.split(m.k, "y", m.ints(4), 0, 0),
        "split: expected at least 1 section, but got 0");
    refused(
        m -> JoinOps.split(m.k, "y", m.ints(4), 2, 1),
        "split: expected an axis of -1 to 0, but got 1");
    refused(
        m -> JoinOps.split(m.k, "y", m.ints(4), 6, 0),
        "split: an extent of 4 has no 6 sections of 1");
    refused(
        m -> JoinOps.meshgrid(m.k, "y", List.of(m.ints(4, 4))),
        "meshgrid: expected a of rank 1, but its rank is 2");
  }

  @Test
  void slicesHaveAPositionPerAxis() {
    String op = "strided_slice";
    List<PrimExpr> one = List.of(TWO);
    refused(
        m -> SliceOps.stridedSlice(m.k, "y", m.ints(4), List.of(1), one, one, List.of(1L), false),
        op + ": expected an axis of -1 to 0, but got 1");
    refused(
        m ->
            SliceOps.stridedSlice(
                m.k, "y", m.ints(4), List.of(0), List.of(), one, List.of(1L), false),
        op + ": expected 1 number as begin, but got []");
    refused(
        m ->
            SliceOps.stridedSlice(
                m.k, "y", m.ints(4), List.of(0), one, List.of(), List.of(1L), false),
        op + ": expected 1 number as end, but got []");
    refused(
        m -> SliceOps.stridedSlice(m.k, "y", m.ints(4), List.of(0), one, one, List.of(), false),
        op + ": expected 1 number as strides, but got []");
    refused(
        m -> SliceOps.stridedSlice(m.k, "y", m.ints(4), List.of(0), one, one, List.of(0L), false),
        op + ": the stride of axis 0 is 0");
  }

  @Test
  void positionsThatTensorsNameAreOnePerAxis() {
    String op = "dynamic_strided_slice";
    refused(
        m -> SliceOps.dynamicSliceShape(m.k, "y", m.ints(4), m.floats(1), m.ints(1), m.ints(1)),
        integers(op, "b"));
    refused(
        m -> SliceOps.dynamicSliceShape(m.k, "y", m.ints(4), m.ints(), m.ints(1), m.ints(1)),
        op + ": expected b of rank 1, but its rank is 0");
    refused(
        m -> SliceOps.dynamicSliceShape(m.k, "y", m.ints(4), m.ints(1), m.ints(2), m.ints(1)),
        op + ": the length of c and the number of axes must be equal, but are 2 and 1");
    refused(
        m ->
            SliceOps.dynamicStridedSlice(
                m.k, "y", m.ints(4), m.ints(1), m.ints(1), m.ints(1), List.of()),
        op + ": expected 1 number as extents, but got []");
  }

  @Test
  void scatteredSlicesFit() {
    String op = "slice_scatter";
    refused(
        m -> SliceOps.sliceScatter(m.k, "y", m.ints(4), m.floats(2), TWO, TWO, 1, 0),
        op + ": expected one dtype, but a is int64 and b is float32");
    refused(
        m -> SliceOps.sliceScatter(m.k, "y", m.ints(4), m.ints(), TWO, TWO, 1, 0),
        op + ": expected b of rank 1, but its rank is 0");
    refused(
        m -> SliceOps.sliceScatter(m.k, "y", m.ints(4), m.ints(2), TWO, TWO, 0, 0),
        op + ": expected a positive stride, but got 0");
    refused(
        m -> SliceOps.sliceScatter(m.k, "y", m.ints(4), m.ints(2), TWO, TWO, 1, 1),
        op + ": expected an axis of -1 to 0, but got 1");
  }

  @Test
  void indicesFitTheirTensors() {
    IndexingOps.Mode mode = IndexingOps.Mode.NAN;
    refused(
        m -> IndexingOps.take(m.k, "y", m.ints(4), m.floats(4), 0, mode), integers("take", "b"));
    refused(
        m -> IndexingOps.take(m.k, "y", m.ints(4, 4), m.ints(4), null, mode),
        "take without an axis: expected a of rank 1, but its rank is 2");
    refused(
        m -> IndexingOps.take(m.k, "y", m.ints(4), m.ints(4), 0, mode),
        "take: expected a float dtype for mode nan for a, but it is int64");
    refused(
        m -> IndexingOps.take(m.k, "y", m.floats(4), m.ints(4), 1, mode),
        "take: expected an axis of -1 to 0, but got 1");
    String elements = "gather_elements";
    refused(
        m -> IndexingOps.gatherElements(m.k, "y", m.ints(4), m.floats(4), 0),
        integers(elements, "b"));
    refused(
        m -> IndexingOps.gatherElements(m.k, "y", m.ints(4), m.ints(4, 4), 0),
        elements + ": expected b of rank 1, but its rank is 2");
    refused(
        m -> IndexingOps.gatherElements(m.k, "y", m.ints(4), m.ints(4), 1),
        elements + ": expected an axis of -1 to 0, but got 1");
    String points = "gather_nd";
    refused(m -> IndexingOps.gatherNd(m.k, "y", m.ints(4), m.floats(1), 0), integers(points, "b"));
    refused(
        m -> IndexingOps.gatherNd(m.k, "y", m.ints(4), m.ints(), 0),
        points + ": expected b of rank 1 or more, but its rank is 0");
    refused(
        m -> IndexingOps.gatherNd(m.k, "y", m.ints(4), m.ints(3, 2), 1),
        points + ": indices of length 2 and 1 axis of batches do not fit the rank 1");
    refused(
        m -> {
          TensorExpr symbolic = m.k.input("s", DType.INT64, List.of(m.k.extent("n")));
          IndexingOps.gatherNd(m.k, "y", m.ints(4), symbolic, 0);
        },
        points + ": the last extent of the indices must be a constant, but is n");
    refused(
        m -> IndexingOps.indexTensor(m.k, "y", m.ints(4), List.of()),
        "index_tensor: 0 tensors of indices do not fit the rank 1");
    refused(
        m -> IndexingOps.indexTensor(m.k, "y", m.ints(4), List.of(m.floats(4))),
        integers("index_tensor", "b"));
  }

  @Test
  void chosenElementsAreOfOneDType() {
    refused(
        m -> IndexingOps.where(m.k, "y", m.ints(4), m.ints(4), m.ints(4)),
        "where: expected bool for a, but it is int64");
    refused(
        m -> IndexingOps.where(m.k, "y", m.bools(4), m.ints(4), m.floats(4)),
        "where: expected one dtype, but b is int64 and c is float32");
    refused(
        m -> IndexingOps.bucketize(m.k, "y", m.bools(4), m.bools(4), false, DType.INT64),
        "bucketize: expected a dtype of numbers for a, but it is bool");
    refused(
        m -> IndexingOps.bucketize(m.k, "y", m.ints(4), m.floats(4), false, DType.INT64),
        "bucketize: expected one dtype, but a is int64 and b is float32");
    refused(
        m -> IndexingOps.bucketize(m.k, "y", m.ints(4), m.ints(4, 4), false, DType.INT64),
        "bucketize: expected b of rank 1, but its rank is 2");
  }

  @Test
  void scatteredElementsFit() {
    ScatterOps.Reduction add = ScatterOps.Reduction.ADD;
    String op = "scatter_elements";
    refused(
        m -> ScatterOps.scatterElements(m.k, "y", m.ints(4), m.floats(4), m.ints(4), 0, add),
        integers(op, "b"));
    refused(
        m -> ScatterOps.scatterElements(m.k, "y", m.ints(4), m.ints(4), m.floats(4), 0, add),
        op + ": expected one dtype, but a is int64 and c is float32");
    refused(
        m -> ScatterOps.scatterElements(m.k, "y", m.bools(4), m.ints(4), m.bools(4), 0, add),
        op + ": expected a dtype of numbers for a, but it is bool");
    refused(
        m -> ScatterOps.scatterElements(m.k, "y", m.ints(4), m.ints(4, 4), m.ints(4), 0, add),
        op + ": expected b of rank 1, but its rank is 2");
    refused(
        m -> ScatterOps.scatterElements(m.k, "y", m.ints(4), m.ints(4), m.ints(4, 4), 0, add),
        op + ": expected c of rank 1, but its rank is 2");
    refused(
        m -> ScatterOps.scatterElements(m.k, "y", m.ints(4), m.ints(4), m.ints(4), 1, add),
        op + ": expected an axis of -1 to 0, but got 1");
    refused(
        m -> ScatterOps.scatterElements(m.k, "y", m.ints(4), m.ints(4), m.ints(3), 0, add),
        op + ": the extents of indices and updates must be equal, but are 4 and 3");
    refused(
        m -> ScatterOps.scatterNd(m.k, "y", m.ints(4), m.ints(), m.ints(4), add),
        "scatter_nd: expected b of rank 1 or more, but its rank is 0");
    refused(
        m -> ScatterOps.scatterNd(m.k, "y", m.ints(4), m.ints(2), m.ints(4), add),
        "scatter_nd: indices of length 2 do not fit the rank 1");
    refused(
        m -> ScatterOps.scatterNd(m.k, "y", m.ints(4), m.ints(3, 1), m.ints(), add),
        "scatter_nd: expected c of rank 1, but its rank is 0");
    refused(
        m -> ScatterOps.indexPut(m.k, "y", m.ints(4), List.of(), m.ints(4), true),
        "index_put: 0 tensors of indices do not fit the rank 1");
  }
}
