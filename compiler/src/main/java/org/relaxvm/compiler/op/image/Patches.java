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
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.PatchOps;
import org.relaxvm.tir.op.PatchOps.Windows;

/** Images from the patches that windows see. */
public final class Patches {
  /**
   * Patches {@code [n, c, b, l]} summed where they overlap: {@code [n, c, image...]}. The arguments
   * after them are shapes: the spatial extents of the result, and those of a window, whose product
   * is {@code b}.
   */
  public static final OpDef COL2IM =
      OpDef.named("image.col2im")
          .args("data", "image", "block")
          .attrs(
              AttrSpec.required("strides", Kind.INTEGERS),
              AttrSpec.required("padding", Kind.INTEGERS),
              AttrSpec.required("dilation", Kind.INTEGERS))
          .rule(Patches::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "col2im",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              PatchOps.columnsToImage(
                                  k,
                                  "T_col2im",
                                  in.tensor(0),
                                  in.shape(1),
                                  in.shape(2),
                                  windows(call)))))
          .build();

  private Patches() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(COL2IM);
  }

  /** The sum of patches where they overlap. */
  public static Call columnsToImage(Expr data, Expr image, Expr block, Windows windows) {
    return Call.of(
        COL2IM,
        List.of(data, image, block),
        Attrs.of("strides", windows.strides())
            .with("padding", windows.padding())
            .with("dilation", windows.dilations()));
  }

  private static Windows windows(OpCall call) {
    return new Windows(
        call.attrs().integers("strides").orElseThrow(),
        call.attrs().integers("padding").orElseThrow(),
        call.attrs().integers("dilation").orElseThrow());
  }

  private static Type type(OpCall call) {
    TensorType x = ElementTypes.numbers(call, 0);
    Ranks.require(call, 0, 4);
    ShapeType image = call.shape(1);
    ShapeType block = call.shape(2);
    Windows windows = windows(call);
    int spatial = windows.strides().size();
    if (windows.dilations().size() != spatial || windows.padding().size() != 2 * spatial) {
      throw call.error(
          "expected a stride, a dilation and two numbers of padding for each spatial axis, but got "
              + windows);
    }
    if (windows.strides().stream().anyMatch(n -> n < 1)
        || windows.dilations().stream().anyMatch(n -> n < 1)) {
      throw call.error("strides and dilation must be at least 1, but are " + windows);
    }
    for (int i = 1; i < 3; i++) {
      int ndim = (i == 1 ? image : block).ndim();
      if (ndim != ShapeType.UNKNOWN && ndim != spatial) {
        throw call.wrong(i, "a shape of " + spatial + " extents");
      }
    }
    if (x.dims().isEmpty() || call.dims(1).isEmpty() || call.dims(2).isEmpty()) {
      return x.withRank(2 + spatial);
    }
    List<PrimExpr> extents = call.dims(1).get();
    List<PrimExpr> window = call.dims(2).get();
    List<PrimExpr> counts = new ArrayList<>();
    for (int axis = 0; axis < spatial; axis++) {
      counts.add(windows.count(axis, extents.get(axis), window.get(axis)));
    }
    List<PrimExpr> dims = x.dims().get();
    Extents.requireSame(
        call, dims.get(2), Extents.product(call, window), "axis 2 of data and the block");
    Extents.requireSame(
        call, dims.get(3), Extents.product(call, counts), "axis 3 of data and the windows");
    return x.withDims(Extents.simplify(call, AxisLists.joined(dims.subList(0, 2), extents)));
  }
}
