package org.relaxvm.tir.library;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.CreationOps;
import org.relaxvm.tir.op.IndexingOps;
import org.relaxvm.tir.op.ScatterOps;
import org.relaxvm.tir.te.TensorExpr;

/** Functions that read and write elements where tensors say. */
final class IndexingFormulas {
  private IndexingFormulas() {}

  static void addTo(Map<String, Formula> all) {
    all.put("take", Formula.of(IndexingFormulas::take));
    all.put("gather_elements", Formula.ofKnown(IndexingFormulas::gatherElements));
    all.put("gather_nd", Formula.ofKnown(IndexingFormulas::gatherNd));
    all.put("scatter_elements", Formula.ofKnown(IndexingFormulas::scatterElements));
    all.put("scatter_nd", Formula.ofKnown(IndexingFormulas::scatterNd));
    all.put("one_hot", Formula.of(IndexingFormulas::oneHot));
  }

  private static TensorExpr take(Operands o) {
    o.requireRank("x", 1);
    int axis = o.axis("axis", o.shapeOf("x").rank());
    IndexingOps.Mode mode = mode(o);
    TensorExpr x = o.tensor("x");
    o.require(
        mode != IndexingOps.Mode.NAN || x.dtype().isFloat(),
        "mode",
        "'fast', 'wrap' or 'clip' for " + x.dtype(),
        "'nan'");
    return IndexingOps.take(o.kernel(), Operands.OUT, x, o.tensor("indices"), axis, mode);
  }

  private static IndexingOps.Mode mode(Operands o) {
    String text = o.text("mode");
    o.require(
        List.of("fast", "wrap", "clip", "nan").contains(text),
        "mode",
        "'fast', 'wrap', 'clip' or 'nan'",
        "'" + text + "'");
    return IndexingOps.Mode.valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** Refuses indices that are more than the elements of an axis other than their own. */
  private static int axis(Operands o) {
    o.requireRank("x", 1);
    Shape x = o.shapeOf("x");
    Shape indices = o.shapeOf("indices");
    int axis = o.axis("axis", x.rank());
    boolean fits = indices.rank() == x.rank();
    for (int i = 0; fits && i < x.rank(); i++) {
      fits = i == axis || indices.dim(i) <= x.dim(i);
    }
    o.require(
        fits, "indices", "of extents up to " + x + " but for axis " + axis, "shape " + indices);
    return axis;
  }

  private static TensorExpr gatherElements(Operands o) {
    int axis = axis(o);
    return IndexingOps.gatherElements(
        o.kernel(), Operands.OUT, o.tensor("x"), o.tensor("indices"), axis);
  }

  private static TensorExpr gatherNd(Operands o) {
    Shape x = o.shapeOf("x");
    Shape indices = o.shapeOf("indices");
    o.requireRank("indices", 1);
    int batch = o.count("batch_dims", 0);
    int last = indices.rank() - 1;
    o.require(
        batch <= Math.min(x.rank(), last) && indices.dim(last) <= x.rank() - batch,
        "indices",
        "of lines of at most "
            + (x.rank() - batch)
            + " indices after "
            + batch
            + " axes of batches",
        "shape " + indices);
    boolean fits = true;
    for (int axis = 0; axis < batch; axis++) {
      fits &= x.dim(axis) == indices.dim(axis);
    }
    o.require(fits, "indices", "of the batches of shape " + x, "shape " + indices);
    return IndexingOps.gatherNd(
        o.kernel(), Operands.OUT, o.tensor("x"), o.tensor("indices"), batch);
  }

  private static ScatterOps.Reduction reduction(Operands o) {
    String text = o.text("reduction");
    boolean isBool = o.outDType().equals(DType.BOOL);
    List<String> texts =
        isBool ? List.of("update") : List.of("update", "add", "mul", "mean", "max", "min");
    o.require(
        texts.contains(text),
        "reduction",
        "one of " + texts + " for " + o.outDType(),
        "'" + text + "'");
    return ScatterOps.Reduction.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private static TensorExpr scatterElements(Operands o) {
    int axis = axis(o);
    o.requireShape("updates", o.shapeOf("indices"));
    return ScatterOps.scatterElements(
        o.kernel(),
        Operands.OUT,
        o.tensor("x"),
        o.tensor("indices"),
        o.tensor("updates"),
        axis,
        reduction(o));
  }

  private static TensorExpr scatterNd(Operands o) {
    Shape x = o.shapeOf("x");
    Shape indices = o.shapeOf("indices");
    o.requireRank("indices", 1);
    int last = indices.rank() - 1;
    o.require(
        indices.dim(last) <= x.rank(),
        "indices",
        "of lines of at most " + x.rank() + " indices",
        "shape " + indices);
    int length = (int) indices.dim(last);
    long[] dims = Arrays.copyOf(indices.toArray(), last + x.rank() - length);
    System.arraycopy(x.toArray(), length, dims, last, x.rank() - length);
    o.requireShape("updates", Shape.of(dims));
    return ScatterOps.scatterNd(
        o.kernel(),
        Operands.OUT,
        o.tensor("x"),
        o.tensor("indices"),
        o.tensor("updates"),
        reduction(o));
  }

  private static TensorExpr oneHot(Operands o) {
    List<PrimExpr> shape = o.outShape();
    int rank = o.shapeOf("indices").rank() + 1;
    o.require(shape.size() == rank, Operands.OUT, "of rank " + rank, "of rank " + shape.size());
    int axis = o.axis("axis", rank);
    return CreationOps.oneHot(
        o.kernel(),
        Operands.OUT,
        o.tensor("indices"),
        o.constant("on_value", o.outDType()),
        o.constant("off_value", o.outDType()),
        shape.get(axis),
        axis);
  }
}
