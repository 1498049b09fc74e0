package org.relaxvm.compiler.op.image;

import java.util.List;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.typerule.ResultDTypes;
import org.relaxvm.tir.op.image.ResizeAttrs;

/**
 * Attributes of resizing as kernels have them. Source: docs/spec/op-set.md, sections 2.9 and 3.6.
 */
final class ResizeOptions {
  private ResizeOptions() {}

  static ResizeAttrs of(OpCall call, int spatial, String layout) {
    ResizeAttrs.Coordinates coordinates =
        Choices.of(call, "coordinate_transformation_mode", ResizeAttrs.Coordinates.values());
    List<Double> roi = call.attrs().reals("roi").orElseThrow();
    if (coordinates == ResizeAttrs.Coordinates.TF_CROP_AND_RESIZE && roi.size() != 2 * spatial) {
      throw call.error(
          "roi must be " + 2 * spatial + " numbers, all starts and then all ends, but is " + roi);
    }
    return new ResizeAttrs(
        roi,
        layout,
        Choices.of(call, "method", ResizeAttrs.Method.values()),
        coordinates,
        Choices.of(call, "rounding_method", ResizeAttrs.Rounding.values()),
        call.attrs().real("cubic_alpha").orElseThrow(),
        call.attrs().bool("cubic_exclude").orElseThrow(),
        call.attrs().real("extrapolation_value").orElseThrow(),
        ResultDTypes.given(call, "out_dtype").orElse(null));
  }
}
