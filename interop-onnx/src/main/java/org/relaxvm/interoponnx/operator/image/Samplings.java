package org.relaxvm.interoponnx.operator.image;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.image.GridSamples;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.image.SampleAttrs;
import org.relaxvm.tir.op.image.SampleAttrs.Method;
import org.relaxvm.tir.op.image.SampleAttrs.Padding;

/** Coordinates of images, and images sampled at coordinates. */
public final class Samplings {
  private Samplings() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("GridSample", 16, Samplings::gridSample).add("AffineGrid", 20, Samplings::affineGrid);
  }

  /** The coordinates of an element are the last axis of the grid, that of the last axis first. */
  private static List<Operand> gridSample(NodeContext node) {
    Expr x = node.tensor(0);
    Expr grid = node.tensor(1);
    int rank = node.rank(x);
    if (rank < 3 || rank > 5 || node.rank(grid) != rank) {
      throw node.unsupported(
          "its tensors have " + rank + " and " + node.rank(grid) + " axes; expected 3 to 5 of both",
          "");
    }
    List<Integer> order = new ArrayList<>(List.of(0, rank - 1));
    IntStream.range(1, rank - 1).forEach(order::add);
    Expr planes = node.emit(Ops.permuteDims(grid, order.toArray(Integer[]::new)));
    SampleAttrs attrs =
        new SampleAttrs(
            method(node),
            outside(node),
            node.attributes().flag("align_corners", false),
            SampleAttrs.Order.ONNX);
    return rank == 3
        ? lines(node, x, planes, attrs)
        : node.result(GridSamples.gridSample(x, planes, rank - 2, attrs));
  }

  /** A line is an image of one row, at whose middle the coordinate 0 is. */
  private static List<Operand> lines(NodeContext node, Expr x, Expr planes, SampleAttrs attrs) {
    Expr rows = node.emit(Ops.zeros(new ShapeExpr(node.dims(planes)), node.dtype(planes)));
    Expr both = node.emit(Ops.concat(List.of(planes, rows), 1));
    Expr image = node.emit(Ops.expandDims(x, 2));
    Expr places = node.emit(Ops.expandDims(both, 2));
    return node.result(Ops.squeeze(node.emit(GridSamples.gridSample(image, places, 2, attrs)), 2));
  }

  private static Method method(NodeContext node) {
    String mode = node.attributes().string("mode", "linear");
    return switch (mode) {
      case "nearest" -> Method.NEAREST;
      case "linear", "bilinear" -> Method.BILINEAR;
      case "cubic", "bicubic" -> Method.BICUBIC;
      default ->
          throw node.unsupported(
              "there is no mode '" + mode + "'; expected nearest, linear or cubic", "");
    };
  }

  private static Padding outside(NodeContext node) {
    String mode = node.attributes().string("padding_mode", "zeros");
    return switch (mode) {
      case "zeros" -> Padding.ZEROS;
      case "border" -> Padding.BORDER;
      case "reflection" -> Padding.REFLECTION;
      default ->
          throw node.unsupported(
              "there is no padding_mode '" + mode + "'; expected zeros, border or reflection", "");
    };
  }

  /** Row {@code i} of the matrix, times the coordinates of an element and 1, is coordinate i. */
  private static List<Operand> affineGrid(NodeContext node) {
    Expr theta = node.tensor(0);
    DType dtype = node.dtype(theta);
    List<PrimExpr> size = node.extents(1);
    int spatial = size.size() - 2;
    if (spatial != 2 && spatial != 3) {
      throw node.unsupported("its size has " + size.size() + " extents; expected 4 or 5", "");
    }
    boolean align = node.attributes().flag("align_corners", false);
    Expr total = column(node, theta, spatial, spatial);
    for (int n = 0; n < spatial; n++) {
      Expr line = line(node, size.get(2 + n), align, dtype);
      List<PrimExpr> along = new ArrayList<>();
      for (int axis = 0; axis < spatial + 2; axis++) {
        along.add(axis == 1 + n ? size.get(2 + n) : IntImm.of(1));
      }
      Expr coordinates = node.emit(Ops.reshape(line, new ShapeExpr(along)));
      Expr weights = column(node, theta, spatial - 1 - n, spatial);
      total = node.emit(Ops.add(node.emit(Ops.multiply(weights, coordinates)), total));
    }
    return node.result(total);
  }

  /** A column of the matrices as {@code [n, 1, ..., rows]}. */
  private static Expr column(NodeContext node, Expr theta, int index, int spatial) {
    Expr column = node.emit(Ops.take(theta, PrimValue.of(index), 2));
    Integer[] axes = IntStream.rangeClosed(1, spatial).boxed().toArray(Integer[]::new);
    return node.emit(Ops.expandDims(column, axes));
  }

  /** The coordinates of elements along an axis: -1 and 1 are outer edges, or with align centers. */
  private static Expr line(NodeContext node, PrimExpr extent, boolean align, DType dtype) {
    DType real = dtype.equals(DType.FLOAT64) ? DType.FLOAT64 : DType.FLOAT32;
    Expr index = node.emit(Ops.arange(new PrimValue(extent), real));
    // (2 i + 1 - n) / n, or (2 i + 1 - n) / (n - 1) between centers.
    PrimExpr shift = Exprs.cast(real, Exprs.sub(IntImm.of(1), extent));
    PrimExpr divisor = align ? Exprs.max(Exprs.sub(extent, 1), IntImm.of(1)) : extent;
    Expr twice = node.emit(Ops.multiply(index, Ops.scalar(real, 2)));
    Expr distance = node.emit(Ops.add(twice, new PrimValue(shift)));
    Expr line = node.emit(Ops.divide(distance, new PrimValue(Exprs.cast(real, divisor))));
    return node.emit(Ops.astype(line, dtype));
  }
}
