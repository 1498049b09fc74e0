package org.relaxvm.compiler.op.nn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Numbers of windows that go over spatial axes. Source: docs/spec/op-set.md, section 2.8. */
final class WindowAttrs {
  private WindowAttrs() {}

  /** Numbers from an attribute, one per spatial axis; a single one counts for all axes. */
  static List<Long> perAxis(OpCall call, String attr, int spatial, long least) {
    List<Long> given = call.attrs().integers(attr).orElseThrow();
    List<Long> all = perAxis(given, spatial);
    if (all.size() != spatial || all.stream().anyMatch(number -> number < least)) {
      String counts = spatial == 1 ? "1 number" : "1 or " + spatial + " numbers";
      throw call.error(attr + " must be " + counts + " of at least " + least + ", but is " + given);
    }
    return all;
  }

  /** The same of numbers that a caller gives; other counts stay as they are. */
  static List<Long> perAxis(List<Long> given, int spatial) {
    return given.size() == 1 ? Collections.nCopies(spatial, given.getFirst()) : given;
  }

  /** Padding: all begins, then all ends. One number counts for all, one per axis for both ends. */
  static List<Long> padding(OpCall call, int spatial, boolean mayCut) {
    List<Long> given = call.attrs().integers("padding").orElseThrow();
    List<Long> all = padding(given, spatial);
    boolean fits = mayCut || all.stream().allMatch(pad -> pad >= 0);
    if (all.size() != 2 * spatial || !fits) {
      String counts = spatial == 1 ? "1 or 2" : "1, " + spatial + " or " + 2 * spatial;
      throw call.error(
          "padding must be "
              + counts
              + " numbers"
              + (mayCut ? "" : " of at least 0")
              + ", but is "
              + given);
    }
    return all;
  }

  /** The same of numbers that a caller gives; other counts stay as they are. */
  static List<Long> padding(List<Long> given, int spatial) {
    if (given.size() == 1) {
      return Collections.nCopies(2 * spatial, given.getFirst());
    }
    if (given.size() != spatial) {
      return given;
    }
    List<Long> both = new ArrayList<>(given);
    both.addAll(given);
    return both;
  }

  /** From the first to after the last element of a window: {@code dilation * (k - 1) + 1}. */
  static PrimExpr span(PrimExpr window, long dilation) {
    return Exprs.add(Exprs.mul(Exprs.sub(window, 1), dilation), 1);
  }

  /** How many windows fit: {@code floordiv(extent - span, stride) + 1}; none in what is small. */
  static PrimExpr windowCount(OpCall call, PrimExpr extent, PrimExpr span, long stride) {
    PrimExpr last = Exprs.floorDiv(Exprs.sub(extent, span), stride);
    PrimExpr count = call.analyzer().simplify(Exprs.add(last, 1));
    return count instanceof IntImm known ? IntImm.of(Math.max(known.value(), 0)) : count;
  }
}
