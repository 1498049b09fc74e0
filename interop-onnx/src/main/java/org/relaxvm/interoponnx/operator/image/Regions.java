package org.relaxvm.interoponnx.operator.image;

import java.util.Collections;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.image.Patches;
import org.relaxvm.compiler.op.index.DataDependent;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.shape.Reshapes;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.PatchOps.Windows;
import org.relaxvm.tir.op.image.RegionAttrs;

/** Regions, boxes and patches of images. */
public final class Regions {
  private static final int HALF_PIXEL = 16;

  private Regions() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("RoiAlign", 10, Regions::roiAlign)
        .add("MaxRoiPool", 1, Regions::maxRoiPool)
        .add("NonMaxSuppression", 10, Regions::nonMaxSuppression)
        .add("Col2Im", 18, Regions::columnsToImage);
  }

  /** Before version 16 coordinates are those of centers of elements. */
  private static List<Operand> roiAlign(NodeContext node) {
    String coordinates =
        node.attributes()
            .string(
                "coordinate_transformation_mode",
                node.version() < HALF_PIXEL ? "output_half_pixel" : "half_pixel");
    if (!coordinates.equals("half_pixel") && !coordinates.equals("output_half_pixel")) {
      throw node.unsupported(
          "there is no coordinate_transformation_mode '"
              + coordinates
              + "'; expected half_pixel or output_half_pixel",
          "");
    }
    String mode = node.attributes().string("mode", "avg");
    if (!mode.equals("avg") && !mode.equals("max")) {
      throw node.unsupported("there is no mode '" + mode + "'; expected avg or max", "");
    }
    float scale = node.attributes().real("spatial_scale", 1);
    boolean isHalf = coordinates.equals("half_pixel");
    RegionAttrs attrs =
        new RegionAttrs(
            List.of(
                node.attributes().integer("output_height", 1),
                node.attributes().integer("output_width", 1)),
            scale,
            node.attributes().integer("sampling_ratio", 0),
            isHalf,
            "NCHW",
            mode.equals("avg") ? RegionAttrs.Mode.AVG : RegionAttrs.Mode.MAX_NEIGHBOR);
    return node.result(
        org.relaxvm.compiler.op.image.Regions.roiAlign(
            node.tensor(0), regions(node, isHalf ? 0.5 / scale : 0), attrs));
  }

  /** The image and the corners of each region, less an offset. */
  private static Expr regions(NodeContext node, double offset) {
    Expr corners = node.tensor(1);
    DType dtype = node.dtype(corners);
    Expr moved =
        offset == 0 ? corners : node.emit(Ops.subtract(corners, Ops.scalar(dtype, offset)));
    Expr images = node.emit(Ops.expandDims(node.tensor(2), 1));
    return node.emit(Ops.concat(List.of(node.emit(Ops.astype(images, dtype)), moved), 1));
  }

  private static List<Operand> maxRoiPool(NodeContext node) {
    List<Long> bins = node.attributes().integers("pooled_shape").orElse(List.of());
    if (bins.size() != 2) {
      throw node.unsupported("its pooled_shape is " + bins + "; expected two extents", "");
    }
    return node.result(
        org.relaxvm.compiler.op.image.Regions.roiPool(
            node.tensor(0), node.tensor(1), bins, node.attributes().real("spatial_scale", 1)));
  }

  /** Without a limit nothing is kept; without a threshold every score is high enough. */
  private static List<Operand> nonMaxSuppression(NodeContext node) {
    List<Expr> limits =
        List.of(
            node.optional(2).orElseGet(() -> node.scalar(DType.INT64, 0)),
            node.optional(3).orElseGet(() -> node.scalar(DType.FLOAT32, 0)),
            node.optional(4).orElseGet(() -> node.scalar(DType.FLOAT32, Double.NEGATIVE_INFINITY)));
    Expr kept =
        node.builder()
            .emit(
                DataDependent.nonMaxSuppression(
                    node.tensor(0),
                    node.tensor(1),
                    limits,
                    node.attributes().flag("center_point_box", false)),
                node.hint() + "_kept");
    List<PrimExpr> dims = List.of(node.symbol("count"), IntImm.of(3));
    return node.result(node.matchCast(kept, TensorType.of(DType.INT64, dims)));
  }

  private static List<Operand> columnsToImage(NodeContext node) {
    Expr x = node.tensor(0);
    List<PrimExpr> image = node.extents(1);
    List<PrimExpr> block = node.extents(2);
    int spatial = image.size();
    Windows windows =
        new Windows(
            numbers(node, "strides", spatial, 1),
            numbers(node, "pads", 2 * spatial, 0),
            numbers(node, "dilations", spatial, 1));
    Expr patches = patches(node, x, node.analyzer().simplify(Exprs.product(block)));
    return node.result(
        Patches.columnsToImage(patches, new ShapeExpr(image), new ShapeExpr(block), windows));
  }

  /** Channels and the elements of a block are one axis; there are three axes. */
  private static Expr patches(NodeContext node, Expr x, PrimExpr block) {
    List<PrimExpr> dims = node.dims(x);
    if (dims.size() != 3) {
      throw node.unsupported("its input has " + dims.size() + " axes; expected 3", "");
    }
    PrimExpr channels = node.analyzer().simplify(Exprs.floorDiv(dims.get(1), block));
    if (!(channels instanceof IntImm)) {
      channels = node.symbol("channels");
      List<PrimExpr> shape = List.of(dims.get(0), channels, block, dims.get(2));
      Expr copied = node.leaf(Known.vector(List.of(IntImm.of(0), IntImm.of(-1))));
      Expr last = node.leaf(Known.vector(List.of(block, dims.get(2))));
      Expr target = node.emit(Ops.concat(List.of(copied, last), 0));
      node.matchCast(Reshapes.shapeOfReshaped(node, x, target, 4, false), ShapeType.of(shape));
    }
    return node.emit(Ops.reshape(x, dims.get(0), channels, block, dims.get(2)));
  }

  private static List<Long> numbers(NodeContext node, String name, int count, long missing) {
    return node.attributes().integers(name).orElseGet(() -> Collections.nCopies(count, missing));
  }
}
