package org.relaxvm.compiler.op.typerule;

import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Where axes lie, named by letters, seen from a plain order.
 *
 * @param text the letters
 * @param order the position of each plain axis
 */
public record SpatialLayout(String text, List<Integer> order) {
  /** Copies the list. */
  public SpatialLayout {
    order = List.copyOf(order);
  }

  /**
   * The layout that an attribute says; where it is absent the fallback.
   *
   * @param plain the letters in the plain order, such as {@code NCHW}
   * @throws org.relaxvm.api.error.InvalidProgramException when it is no order of those letters;
   *     such as {@code NCHW4c}, which splits an axis
   */
  public static SpatialLayout of(OpCall call, String attr, String fallback, String plain) {
    String text = call.attrs().text(attr).filter(given -> !given.isEmpty()).orElse(fallback);
    boolean fits =
        text.length() == plain.length() && plain.chars().allMatch(c -> text.indexOf(c) >= 0);
    if (!fits) {
      throw call.error(
          attr + " must have each letter of " + plain + " once, but is \"" + text + "\"");
    }
    return new SpatialLayout(text, plain.chars().mapToObj(text::indexOf).toList());
  }

  /** The letters of data with one to three spatial axes, in the plain order. */
  public static String data(int spatial) {
    return "NC" + spatialLetters(spatial);
  }

  /** The letters of spatial axes. */
  public static String spatialLetters(int spatial) {
    return spatial == 1 ? "W" : "DHW".substring(3 - spatial);
  }

  /** Extents of this layout in the plain order. */
  public List<PrimExpr> plain(List<PrimExpr> own) {
    return order.stream().map(own::get).toList();
  }

  /** Extents of the plain order in this layout. */
  public List<PrimExpr> own(List<? extends PrimExpr> plain) {
    return IntStream.range(0, plain.size())
        .<PrimExpr>mapToObj(axis -> plain.get(order.indexOf(axis)))
        .toList();
  }

  /** For each axis of another layout its position in this one. */
  public List<Integer> positionsOf(SpatialLayout other) {
    return IntStream.range(0, order.size())
        .mapToObj(axis -> order.get(other.order.indexOf(axis)))
        .toList();
  }
}
