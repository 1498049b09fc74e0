package org.relaxvm.compiler.op.image;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.SpatialLayout;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.image.RegionAttrs;
import org.relaxvm.tir.op.image.RegionOps;

/** Regions of images, pooled to one size. Source: docs/spec/op-set.md, section 2.9. */
public final class Regions {
  /**
   * {@code (data [n, c, h, w], rois [r, 5])}: a region is the number of its image, then left, top,
   * right and bottom.
   */
  public static final OpDef ROI_ALIGN =
      OpDef.named("vision.roi_align")
          .args("data", "rois")
          .attrs(
              AttrSpec.required("pooled_size", Kind.INTEGERS),
              AttrSpec.required("spatial_scale", Kind.REAL),
              AttrSpec.of("sample_ratio", Kind.INTEGER, -1L),
              AttrSpec.of("aligned", Kind.BOOL, false),
              AttrSpec.of("layout", Kind.TEXT, "NCHW"),
              AttrSpec.of("mode", Kind.TEXT, "avg"))
          .rule(Regions::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "roi_align",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              RegionOps.roiAlign(
                                  k, "roi_align", in.tensor(0), in.tensor(1), attrs(call)))))
          .build();

  /**
   * {@code (data [n, c, h, w], rois [r, 5])}: the largest element of each bin of a region, whose
   * first and last elements are rounded; 0 where it has none.
   */
  public static final OpDef ROI_POOL =
      OpDef.named("vision.roi_pool")
          .args("data", "rois")
          .attrs(
              AttrSpec.required("pooled_size", Kind.INTEGERS),
              AttrSpec.required("spatial_scale", Kind.REAL),
              AttrSpec.of("layout", Kind.TEXT, "NCHW"))
          .rule(call -> type(call, size(call), plainLayout(call)))
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "roi_pool",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              RegionOps.roiPool(
                                  k,
                                  "roi_pool",
                                  in.tensor(0),
                                  in.tensor(1),
                                  size(call).get(0),
                                  size(call).get(1),
                                  call.attrs().real("spatial_scale").orElseThrow()))))
          .build();

  private Regions() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(ROI_ALIGN, ROI_POOL);
  }

  private static SpatialLayout plainLayout(OpCall call) {
    SpatialLayout layout = layout(call);
    if (!layout.text().equals(SpatialLayout.data(2))) {
      throw call.error("layout must be NCHW, but is \"" + layout.text() + "\"");
    }
    return layout;
  }

  private static List<Long> size(OpCall call) {
    List<Long> given = call.attrs().integers("pooled_size").orElseThrow();
    List<Long> both = given.size() == 1 ? List.of(given.getFirst(), given.getFirst()) : given;
    if (both.size() != 2 || both.stream().anyMatch(extent -> extent < 1)) {
      throw call.error("pooled_size must be one or two numbers from 1 on, but is " + given);
    }
    return both;
  }

  private static SpatialLayout layout(OpCall call) {
    String plain = SpatialLayout.data(2);
    return SpatialLayout.of(call, "layout", plain, plain);
  }

  private static RegionAttrs attrs(OpCall call) {
    Attrs attrs = call.attrs();
    return new RegionAttrs(
        size(call),
        attrs.real("spatial_scale").orElseThrow(),
        attrs.integer("sample_ratio").orElseThrow(),
        attrs.bool("aligned").orElseThrow(),
        layout(call).text(),
        Choices.of(call, "mode", RegionAttrs.Mode.values()));
  }

  private static Type type(OpCall call) {
    return type(call, attrs(call).size(), layout(call));
  }

  private static Type type(OpCall call, List<Long> size, SpatialLayout layout) {
    ElementTypes.floats(call, 0);
    ElementTypes.floats(call, 1);
    TensorType data = Ranks.require(call, 0, 4);
    TensorType regions = Ranks.require(call, 1, 2);
    TensorType result = data.withVDevice(CommonDevice.same(call, Operand.all(call, 0, 1)));
    regions
        .dims()
        .ifPresent(
            dims ->
                Extents.requireSame(
                    call, dims.get(1), IntImm.of(5), "axis 1 of rois and a region"));
    if (data.dims().isEmpty() || regions.dims().isEmpty()) {
      return result.withRank(4);
    }
    List<PrimExpr> extents = new ArrayList<>();
    extents.add(regions.dims().get().getFirst());
    extents.add(layout.plain(data.dims().get()).get(1));
    size.forEach(extent -> extents.add(IntImm.of(extent)));
    return result.withDims(layout.own(extents));
  }

  /** The regions {@code [r, 5]} of images, pooled. */
  public static Call roiAlign(Expr data, Expr regions, RegionAttrs options) {
    return Call.of(
        ROI_ALIGN,
        List.of(data, regions),
        Attrs.of("pooled_size", options.size())
            .with("spatial_scale", options.scale())
            .with("sample_ratio", options.samples())
            .with("aligned", options.isAligned())
            .with("layout", options.layout())
            .with("mode", Choices.text(options.mode())));
  }

  /** The largest elements of bins of regions {@code [r, 5]} of images. */
  public static Call roiPool(Expr data, Expr regions, List<Long> size, double scale) {
    return Call.of(
        ROI_POOL,
        List.of(data, regions),
        Attrs.of("pooled_size", size).with("spatial_scale", scale).with("layout", "NCHW"));
  }
}
