package org.relaxvm.compiler.op.image;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.typerule.ResultDTypes;
import org.relaxvm.tir.op.ResizeAttrs;

/**
 * Attributes of resizing as kernels have them. Source: docs/spec/op-set.md, sections 2.9 and 3.6.
 */
final class ResizeOptions {
  private ResizeOptions() {}

  static ResizeAttrs of(OpCall call, int spatial, String layout) {
    ResizeAttrs.Coordinates coordinates =
        choice(call, "coordinate_transformation_mode", ResizeAttrs.Coordinates.values());
    List<Double> roi = call.attrs().reals("roi").orElseThrow();
    if (coordinates == ResizeAttrs.Coordinates.TF_CROP_AND_RESIZE && roi.size() != 2 * spatial) {
      throw call.error(
          "roi must be " + 2 * spatial + " numbers, all starts and then all ends, but is " + roi);
    }
    return new ResizeAttrs(
        roi,
        layout,
        choice(call, "method", ResizeAttrs.Method.values()),
        coordinates,
        choice(call, "rounding_method", ResizeAttrs.Rounding.values()),
        call.attrs().real("cubic_alpha").orElseThrow(),
        call.attrs().bool("cubic_exclude").orElseThrow(),
        call.attrs().real("extrapolation_value").orElseThrow(),
        ResultDTypes.given(call, "out_dtype").orElse(null));
  }

  /** The constant whose name an attribute has in small letters. */
  private static <E extends Enum<E>> E choice(OpCall call, String attr, E[] values) {
    String text = call.attrs().text(attr).orElseThrow();
    List<E> found = new ArrayList<>();
    for (E value : values) {
      if (text(value).equals(text)) {
        found.add(value);
      }
    }
    if (found.isEmpty()) {
      throw call.error(
          attr
              + " must be one of "
              + Arrays.stream(values).map(ResizeOptions::text).collect(Collectors.joining(", "))
              + ", but is \""
              + text
              + "\"");
    }
    return found.getFirst();
  }

  static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
