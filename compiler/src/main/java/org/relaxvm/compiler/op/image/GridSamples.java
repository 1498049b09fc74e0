package org.relaxvm.compiler.op.image;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.relaxvm.tir.op.image.SampleAttrs;
import org.relaxvm.tir.op.image.SampleOps;

/** Values of images at given coordinates. Source: docs/spec/op-set.md, section 2.9. */
public final class GridSamples {
  /**
   * {@code (data [n, c, h, w], grid [n, 2, oh, ow])}, or volumes with one spatial axis more: the
   * grid has the coordinates of the last spatial axis first, from -1 to 1.
   */
  public static final OpDef GRID_SAMPLE =
      OpDef.named("image.grid_sample")
          .args("data", "grid")
          .attrs(
              AttrSpec.of("method", Kind.TEXT, "bilinear"),
              AttrSpec.of("layout", Kind.TEXT, "NCHW"),
              AttrSpec.of("padding_mode", Kind.TEXT, "zeros"),
              AttrSpec.of("align_corners", Kind.BOOL, true),
              AttrSpec.of("order", Kind.TEXT, "plain"))
          .rule(GridSamples::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "grid_sample",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              SampleOps.gridSample(
                                  k, "grid_sample", in.tensor(0), in.tensor(1), attrs(call)))))
          .build();

  private GridSamples() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(GRID_SAMPLE);
  }

  private static SampleAttrs attrs(OpCall call) {
    return new SampleAttrs(
        Choices.of(call, "method", SampleAttrs.Method.values()),
        Choices.of(call, "padding_mode", SampleAttrs.Padding.values()),
        call.attrs().bool("align_corners").orElseThrow(),
        Choices.of(call, "order", SampleAttrs.Order.values()));
  }

  private static Type type(OpCall call) {
    SampleAttrs attrs = attrs(call);
    String layout = call.attrs().text("layout").orElseThrow();
    int spatial = layout.equals(SpatialLayout.data(3)) ? 3 : 2;
    if (!layout.equals(SpatialLayout.data(spatial))) {
      throw call.error("layout must be one of NCHW, NCDHW, but is \"" + layout + "\"");
    }
    if (spatial == 3 && attrs.method() == SampleAttrs.Method.BICUBIC) {
      throw call.error("method bicubic has the layout NCHW, but the layout is NCDHW");
    }
    ElementTypes.floats(call, 0);
    ElementTypes.floats(call, 1);
    TensorType data = Ranks.require(call, 0, 2 + spatial);
    TensorType grid = Ranks.require(call, 1, 2 + spatial);
    TensorType result = data.withVDevice(CommonDevice.same(call, Operand.all(call, 0, 1)));
    Optional<List<PrimExpr>> dims = data.dims();
    Optional<List<PrimExpr>> places = grid.dims();
    places.ifPresent(
        extents ->
            Extents.requireSame(
                call, extents.get(1), IntImm.of(spatial), "axis 1 of grid and the spatial axes"));
    if (dims.isEmpty() || places.isEmpty()) {
      return result.withRank(2 + spatial);
    }
    Extents.requireSame(
        call, dims.get().getFirst(), places.get().getFirst(), "axis 0 of data and grid");
    List<PrimExpr> extents = new ArrayList<>(dims.get().subList(0, 2));
    extents.addAll(places.get().subList(2, 2 + spatial));
    return result.withDims(extents);
  }

  /**
   * Images {@code [n, c, h, w]} sampled where a grid {@code [n, 2, oh, ow]} says; or volumes with a
   * grid {@code [n, 3, od, oh, ow]}.
   *
   * @param spatial the number of spatial axes: 2 or 3
   */
  public static Call gridSample(Expr data, Expr grid, int spatial, SampleAttrs options) {
    return Call.of(
        GRID_SAMPLE,
        List.of(data, grid),
        Attrs.of("method", Choices.text(options.method()))
            .with("layout", SpatialLayout.data(spatial))
            .with("padding_mode", Choices.text(options.padding()))
            .with("align_corners", options.alignCorners())
            .with("order", Choices.text(options.order())));
  }
}
