package org.relaxvm.compiler.op.image;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.image.BoxOps;

/** Boxes that detectors of objects find. Source: docs/spec/op-set.md, section 2.9. */
public final class Boxes {
  /**
   * {@code (cls_pred [b, c, n], loc_pred [b, 4 * n], anchor [1, n, 4])} gives boxes {@code [b, n,
   * 4]} and scores {@code [b, c, n]}.
   */
  public static final OpDef MULTIBOX_TRANSFORM_LOC =
      OpDef.named("vision.multibox_transform_loc")
          .args("cls_pred", "loc_pred", "anchor")
          .attrs(
              AttrSpec.of("clip", Kind.BOOL, false),
              AttrSpec.of("threshold", Kind.REAL, 0.0),
              AttrSpec.of("variances", Kind.REALS, List.of(1.0, 1.0, 1.0, 1.0)),
              AttrSpec.of("keep_background", Kind.BOOL, true))
          .rule(Boxes::decoded)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "multibox_transform_loc",
                      call,
                      (k, in) ->
                          BoxOps.decode(
                              k,
                              "boxes",
                              in.tensor(0),
                              in.tensor(1),
                              in.tensor(2),
                              decoding(call))))
          .build();

  /**
   * {@code (boxes [b, n, 4], scores [b, c, n], limit, overlap, score)} gives the chosen boxes
   * {@code [b * c * n, 3]}, each the numbers of its image, class and box, and their number {@code
   * [1]}.
   */
  public static final OpDef ALL_CLASS_NON_MAX_SUPPRESSION =
      OpDef.named("vision.all_class_non_max_suppression")
          .args("boxes", "scores", "max_output_boxes_per_class", "iou_threshold", "score_threshold")
          .attrs(AttrSpec.of("output_format", Kind.TEXT, "onnx"))
          .rule(Boxes::chosen)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "all_class_non_max_suppression",
                      call,
                      (k, in) ->
                          BoxOps.suppress(
                              k,
                              "chosen",
                              in.tensor(0),
                              in.tensor(1),
                              in.tensor(2),
                              in.tensor(3),
                              in.tensor(4))))
          .build();

  private Boxes() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(MULTIBOX_TRANSFORM_LOC, ALL_CLASS_NON_MAX_SUPPRESSION);
  }

  private static BoxOps.Decoding decoding(OpCall call) {
    Attrs attrs = call.attrs();
    List<Double> variances = attrs.reals("variances").orElseThrow();
    if (variances.size() != 4) {
      throw call.error(
          "variances must be four numbers, for x, y, width and height, but is " + variances);
    }
    return new BoxOps.Decoding(
        attrs.bool("clip").orElseThrow(),
        attrs.real("threshold").orElseThrow(),
        variances,
        attrs.bool("keep_background").orElseThrow());
  }

  private static Type decoded(OpCall call) {
    decoding(call);
    List<Operand> all = Operand.all(call, 0, 1, 2);
    Optional<DType> dtype = ElementTypes.same(call, all);
    TensorType classes = ElementTypes.floats(call, 0);
    Ranks.require(call, 0, 3);
    TensorType locations = Ranks.require(call, 1, 2);
    TensorType anchors = Ranks.require(call, 2, 3);
    TensorType result = classes.withDType(dtype).withVDevice(CommonDevice.same(call, all));
    if (classes.dims().isEmpty()) {
      return TupleType.of(result.withRank(3), result.withRank(3));
    }
    List<PrimExpr> dims = classes.dims().get();
    PrimExpr count = dims.get(2);
    locations
        .dims()
        .ifPresent(
            given -> {
              Extents.requireSame(
                  call, dims.get(0), given.get(0), "axis 0 of cls_pred and loc_pred");
              Extents.requireSame(
                  call,
                  call.analyzer().simplify(Exprs.mul(count, 4)),
                  given.get(1),
                  "four times axis 2 of cls_pred and axis 1 of loc_pred");
            });
    anchors
        .dims()
        .ifPresent(
            given -> {
              Extents.requireSame(call, IntImm.of(1), given.get(0), "one and axis 0 of anchor");
              Extents.requireSame(
                  call, count, given.get(1), "axis 2 of cls_pred and axis 1 of anchor");
              Extents.requireSame(call, IntImm.of(4), given.get(2), "a box and axis 2 of anchor");
            });
    return TupleType.of(
        result.withDims(List.of(dims.get(0), count, IntImm.of(4))), result.withDims(dims));
  }

  private static Type chosen(OpCall call) {
    String format = call.attrs().text("output_format").orElseThrow();
    if (!format.equals("onnx")) {
      throw call.error("output_format must be \"onnx\", but is \"" + format + "\"");
    }
    ElementTypes.floats(call, 0);
    ElementTypes.floats(call, 1);
    ElementTypes.integers(call, 2);
    ElementTypes.floats(call, 3);
    ElementTypes.floats(call, 4);
    TensorType boxes = Ranks.require(call, 0, 3);
    TensorType scores = Ranks.require(call, 1, 3);
    for (int number = 2; number < 5; number++) {
      Ranks.require(call, number, 0);
    }
    Optional<VDevice> device = CommonDevice.same(call, Operand.all(call, 0, 1, 2, 3, 4));
    TensorType numbers = TensorType.of(DType.INT64, 1).withVDevice(device);
    boxes
        .dims()
        .ifPresent(
            dims ->
                Extents.requireSame(call, IntImm.of(4), dims.get(2), "a box and axis 2 of boxes"));
    if (scores.dims().isEmpty()) {
      return TupleType.of(numbers.withRank(2), numbers);
    }
    List<PrimExpr> dims = scores.dims().get();
    boxes
        .dims()
        .ifPresent(
            given -> {
              Extents.requireSame(call, given.get(0), dims.get(0), "axis 0 of boxes and scores");
              Extents.requireSame(
                  call, given.get(1), dims.get(2), "axis 1 of boxes and axis 2 of scores");
            });
    PrimExpr rows = Extents.product(call, dims);
    return TupleType.of(numbers.withDims(List.of(rows, IntImm.of(3))), numbers);
  }

  /** Boxes and scores from predictions relative to anchors: a tuple of both. */
  public static Call multiboxTransformLoc(
      Expr classes, Expr locations, Expr anchors, BoxOps.Decoding options) {
    return Call.of(
        MULTIBOX_TRANSFORM_LOC,
        List.of(classes, locations, anchors),
        Attrs.of("clip", options.clip())
            .with("threshold", options.threshold())
            .with("variances", options.variances())
            .with("keep_background", options.keepBackground()));
  }

  /**
   * The boxes of each class, the highest scores first, without those that overlap a chosen one; and
   * their number: a tuple of both.
   *
   * @param limit how many boxes a class has at most: a tensor of an integer without axes
   * @param overlap from which a box is left out: a tensor without axes
   * @param least what a score must be greater than: a tensor without axes
   */
  public static Call allClassNonMaxSuppression(
      Expr boxes, Expr scores, Expr limit, Expr overlap, Expr least) {
    return Call.of(
        ALL_CLASS_NON_MAX_SUPPRESSION,
        List.of(boxes, scores, limit, overlap, least),
        Attrs.of("output_format", "onnx"));
  }
}
