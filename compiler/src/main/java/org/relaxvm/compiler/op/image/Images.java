package org.relaxvm.compiler.op.image;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.ResultDTypes;
import org.relaxvm.compiler.op.typerule.SpatialLayout;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.image.ResizeAttrs;
import org.relaxvm.tir.op.image.ResizeOps;

/**
 * Images of another size. Coordinates are computed in float32, of float64 in float64; integers are
 * rounded towards 0.
 *
 * <p>Source: docs/spec/op-set.md, sections 2.9 and 3.6.
 */
public final class Images {
  /** {@code (data [n, c, h, w], size)}. */
  public static final OpDef RESIZE2D = resize(2);

  /** {@code (data [n, c, d, h, w], size)}. */
  public static final OpDef RESIZE3D = resize(3);

  private Images() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(RESIZE2D, RESIZE3D);
  }

  private static OpDef resize(int spatial) {
    String name = "resize" + spatial + "d";
    return OpDef.named("image." + name)
        .args("data", "size")
        .attrs(
            AttrSpec.of("roi", Kind.REALS, Collections.nCopies(2 * spatial, 0.0)),
            AttrSpec.of("layout", Kind.TEXT, SpatialLayout.data(spatial)),
            AttrSpec.of("method", Kind.TEXT, "linear"),
            AttrSpec.of("coordinate_transformation_mode", Kind.TEXT, "half_pixel"),
            AttrSpec.of("rounding_method", Kind.TEXT, "round"),
            AttrSpec.of("cubic_alpha", Kind.REAL, -0.75),
            AttrSpec.of("cubic_exclude", Kind.INTEGER, 0),
            AttrSpec.of("extrapolation_value", Kind.REAL, 0.0),
            AttrSpec.optional("out_dtype", Kind.DTYPE))
        .rule(call -> type(call, spatial))
        .legalizer(
            (call, kernels) ->
                kernels.call(
                    name,
                    call,
                    KernelBody.one(
                        (k, inputs) -> {
                          SpatialLayout layout = layout(call, spatial);
                          List<PrimExpr> size =
                              layout.plain(inputs.resultDims(0)).subList(2, 2 + spatial);
                          ResizeAttrs attrs = ResizeOptions.of(call, spatial, layout.text());
                          return ResizeOps.resize(k, name, inputs.tensor(0), size, attrs);
                        })))
        .build();
  }

  private static SpatialLayout layout(OpCall call, int spatial) {
    String plain = SpatialLayout.data(spatial);
    return SpatialLayout.of(call, "layout", plain, plain);
  }

  private static Type type(OpCall call, int spatial) {
    ElementTypes.numbers(call, 0);
    TensorType x = Ranks.require(call, 0, 2 + spatial);
    ShapeType size = call.shape(1);
    if (size.ndim() != ShapeType.UNKNOWN && size.ndim() != spatial) {
      throw call.wrong(1, "a shape of " + spatial + " extents");
    }
    SpatialLayout layout = layout(call, spatial);
    ResizeOptions.of(call, spatial, layout.text());
    Optional<DType> outDType =
        ResultDTypes.given(call, "out_dtype")
            .map(dtype -> ResultDTypes.requireNumber(call, "out_dtype", dtype));
    TensorType result = x.withDType(outDType.or(x::dtype));
    Optional<List<PrimExpr>> sizes = call.dims(1);
    if (x.dims().isEmpty() || sizes.isEmpty()) {
      return result.withRank(2 + spatial);
    }
    List<PrimExpr> plain = new ArrayList<>(layout.plain(x.dims().get()).subList(0, 2));
    plain.addAll(sizes.get());
    return result.withDims(Extents.simplify(call, layout.own(plain)));
  }

  /**
   * An image {@code [n, c, h, w]} of another size.
   *
   * @param size a shape of two extents
   */
  public static Call resize2d(
      Expr data, Expr size, ResizeAttrs.Method method, ResizeAttrs.Coordinates coordinates) {
    return resize2d(data, size, ResizeAttrs.of(SpatialLayout.data(2), method, coordinates));
  }

  /** The same with all options. */
  public static Call resize2d(Expr data, Expr size, ResizeAttrs options) {
    return call(RESIZE2D, 2, data, size, options);
  }

  /**
   * A volume {@code [n, c, d, h, w]} of another size.
   *
   * @param size a shape of three extents
   */
  public static Call resize3d(Expr data, Expr size, ResizeAttrs options) {
    return call(RESIZE3D, 3, data, size, options);
  }

  private static Call call(OpDef op, int spatial, Expr data, Expr size, ResizeAttrs options) {
    List<Double> roi =
        options.roi().isEmpty() ? Collections.nCopies(2 * spatial, 0.0) : options.roi();
    Attrs attrs =
        Attrs.of("roi", roi)
            .with("layout", options.layout())
            .with("method", Choices.text(options.method()))
            .with("coordinate_transformation_mode", Choices.text(options.coordinates()))
            .with("rounding_method", Choices.text(options.rounding()))
            .with("cubic_alpha", options.cubicAlpha())
            .with("cubic_exclude", options.cubicExclude() ? 1 : 0)
            .with("extrapolation_value", options.extrapolation());
    DType outDType = options.outDType();
    return Call.of(
        op, List.of(data, size), outDType == null ? attrs : attrs.with("out_dtype", outDType));
  }
}
