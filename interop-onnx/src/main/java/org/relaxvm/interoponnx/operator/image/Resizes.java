package org.relaxvm.interoponnx.operator.image;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.image.Resampling;
import org.relaxvm.compiler.op.image.Resampling.Given;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.image.ResampleAttrs;
import org.relaxvm.tir.op.image.ResizeAttrs.Coordinates;
import org.relaxvm.tir.op.image.ResizeAttrs.Method;
import org.relaxvm.tir.op.image.ResizeAttrs.Rounding;

/** Tensors of another size. */
public final class Resizes {
  private Resizes() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("Resize", 10, Resizes::resize).add("Upsample", 1, Resizes::upsample);
  }

  /** Scales are attributes before version 9. */
  private static List<Operand> upsample(NodeContext node) {
    String mode = node.attributes().string("mode", "nearest");
    ResampleAttrs attrs = legacy(node, mode.equals("bilinear") ? "linear" : mode);
    Scales scales =
        node.version() >= 9
            ? Scales.ofInput(node, 1)
            : new Scales(Optional.of(attributeScales(node)), Optional.empty());
    return resized(node, attrs, Sizes.scaled(node, allAxes(node), scales));
  }

  private static List<Double> attributeScales(NodeContext node) {
    Optional<List<Float>> scales = node.attributes().reals("scales");
    if (scales.isPresent()) {
      return scales.get().stream().map(Float::doubleValue).toList();
    }
    return List.of(
        1.0,
        1.0,
        (double) node.attributes().real("height_scale", 1),
        (double) node.attributes().real("width_scale", 1));
  }

  private static List<Integer> allAxes(NodeContext node) {
    return IntStream.range(0, node.rank(node.tensor(0))).boxed().toList();
  }

  /** What {@code Upsample}, and {@code Resize} of version 10, have no attributes for. */
  private static ResampleAttrs legacy(NodeContext node, String mode) {
    return new ResampleAttrs(
        method(node, mode), Coordinates.ASYMMETRIC, Rounding.FLOOR, -0.75, false, false, 0);
  }

  private static Method method(NodeContext node, String mode) {
    return switch (mode) {
      case "nearest" -> Method.NEAREST_NEIGHBOR;
      case "linear" -> Method.LINEAR;
      case "cubic" -> Method.CUBIC;
      default ->
          throw node.unsupported(
              "there is no mode '" + mode + "'; expected nearest, linear or cubic", "");
    };
  }

  private static List<Operand> resize(NodeContext node) {
    if (node.version() < 11) {
      ResampleAttrs attrs = legacy(node, node.attributes().string("mode", "nearest"));
      return resized(node, attrs, Sizes.scaled(node, allAxes(node), Scales.ofInput(node, 1)));
    }
    int rank = node.rank(node.tensor(0));
    List<Integer> axes =
        node.attributes()
            .integers("axes")
            .map(list -> list.stream().map(axis -> node.axis(axis, rank)).toList())
            .orElseGet(() -> allAxes(node));
    boolean hasSizes = isGiven(node, 3);
    if (hasSizes == isGiven(node, 2)) {
      throw node.unsupported("it needs either scales or sizes", "");
    }
    Sizes sizes =
        hasSizes
            ? Sizes.given(
                node, axes, node.attributes().string("keep_aspect_ratio_policy", "stretch"))
            : Sizes.scaled(node, axes, Scales.ofInput(node, 2));
    return resized(node, attributes(node), sizes);
  }

  /** Whether an input is there and has elements. */
  private static boolean isGiven(NodeContext node, int input) {
    if (!node.has(input)) {
      return false;
    }
    Optional<List<PrimExpr>> dims = node.typeOf(node.operand(input)).dims();
    return !(dims.isPresent()
        && dims.get().size() == 1
        && dims.get().getFirst() instanceof IntImm count
        && count.value() == 0);
  }

  private static ResampleAttrs attributes(NodeContext node) {
    return new ResampleAttrs(
        method(node, node.attributes().string("mode", "nearest")),
        coordinates(node),
        rounding(node),
        node.attributes().real("cubic_coeff_a", -0.75f),
        node.attributes().flag("exclude_outside", false),
        node.attributes().flag("antialias", false),
        node.attributes().real("extrapolation_value", 0));
  }

  private static Coordinates coordinates(NodeContext node) {
    String mode = node.attributes().string("coordinate_transformation_mode", "half_pixel");
    return switch (mode) {
      case "half_pixel" -> Coordinates.HALF_PIXEL;
      case "half_pixel_symmetric" -> Coordinates.HALF_PIXEL_SYMMETRIC;
      case "pytorch_half_pixel" -> Coordinates.PYTORCH_HALF_PIXEL;
      case "align_corners" -> Coordinates.ALIGN_CORNERS;
      case "asymmetric" -> Coordinates.ASYMMETRIC;
      case "tf_half_pixel_for_nn" -> Coordinates.TF_HALF_PIXEL_FOR_NN;
      case "tf_crop_and_resize" -> Coordinates.TF_CROP_AND_RESIZE;
      default ->
          throw node.unsupported(
              "there is no coordinate_transformation_mode '"
                  + mode
                  + "'; expected half_pixel, half_pixel_symmetric, pytorch_half_pixel,"
                  + " align_corners, asymmetric, tf_half_pixel_for_nn or tf_crop_and_resize",
              "");
    };
  }

  private static Rounding rounding(NodeContext node) {
    String mode = node.attributes().string("nearest_mode", "round_prefer_floor");
    return switch (mode) {
      case "round_prefer_floor" -> Rounding.ROUND_PREFER_FLOOR;
      case "round_prefer_ceil" -> Rounding.ROUND_PREFER_CEIL;
      case "floor" -> Rounding.FLOOR;
      case "ceil" -> Rounding.CEIL;
      default ->
          throw node.unsupported(
              "there is no nearest_mode '"
                  + mode
                  + "'; expected round_prefer_floor, round_prefer_ceil, floor or ceil",
              "");
    };
  }

  private static List<Operand> resized(NodeContext node, ResampleAttrs attrs, Sizes sizes) {
    boolean crops = attrs.coordinates() == Coordinates.TF_CROP_AND_RESIZE;
    boolean moves = attrs.coordinates() == Coordinates.TF_HALF_PIXEL_FOR_NN;
    Sizes changed = crops || moves ? sizes : sizes.withoutUnchanged(node);
    if (changed.axes().isEmpty()) {
      return List.of(node.operand(0));
    }
    Optional<List<Double>> constantCrop = Optional.empty();
    Optional<Expr> crop = Optional.empty();
    if (crops) {
      constantCrop = node.known(1).flatMap(Known::reals).map(Resizes::boxed);
      crop = constantCrop.isPresent() ? crop : Optional.of(floats(node, 1));
    }
    Given given =
        new Given(changed.scales().known(), constantCrop, changed.scales().computed(), crop);
    Expr noScales = node.leaf(new Known(DType.FLOAT32, Shape.of(0), List.of()));
    return node.result(
        Resampling.resample(
            node.tensor(0),
            changed.axes(),
            new ShapeExpr(changed.extents()),
            attrs,
            given,
            noScales));
  }

  static List<Double> boxed(double[] values) {
    return DoubleStream.of(values).boxed().toList();
  }

  /** An input as a tensor of float32. */
  static Expr floats(NodeContext node, int input) {
    return node.emit(Ops.astype(node.tensor(input), DType.FLOAT32));
  }

  /**
   * By what coordinates are scaled; where both are empty, by the quotients of the extents.
   *
   * @param known one for each axis
   * @param computed float32, one for each axis
   */
  record Scales(Optional<List<Double>> known, Optional<Expr> computed) {
    static final Scales NONE = new Scales(Optional.empty(), Optional.empty());

    static Scales ofInput(NodeContext node, int input) {
      Optional<List<Double>> known = node.known(input).flatMap(Known::reals).map(Resizes::boxed);
      return new Scales(
          known, known.isPresent() ? Optional.empty() : Optional.of(floats(node, input)));
    }

    Scales only(List<Integer> positions) {
      return new Scales(
          known.map(list -> new ArrayList<>(positions.stream().map(list::get).toList())), computed);
    }
  }
}
