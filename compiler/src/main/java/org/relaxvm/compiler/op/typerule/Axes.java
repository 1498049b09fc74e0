package org.relaxvm.compiler.op.typerule;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.tir.expr.Count;

/** Axes that may count from the end: -1 is the last one. */
public final class Axes {
  private Axes() {}

  /**
   * An axis, counted from the start.
   *
   * @param ndim the number of axes, which is known
   * @throws org.relaxvm.api.error.InvalidProgramException when there is no such axis
   */
  public static int normalize(OpCall call, long axis, int ndim) {
    if (axis < -ndim || axis >= ndim) {
      throw call.error(
          "there is no axis "
              + axis
              + " of "
              + Count.axes(ndim)
              + (ndim == 0 ? "" : "; expected one from " + -ndim + " to " + (ndim - 1)));
    }
    return Math.toIntExact(axis < 0 ? axis + ndim : axis);
  }

  /**
   * Axes, counted from the start, in the order in which they are given.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when there is no such axis, or one is
   *     given twice
   */
  public static List<Integer> normalize(OpCall call, List<Long> axes, int ndim) {
    List<Integer> normal = new ArrayList<>();
    for (long axis : axes) {
      int position = normalize(call, axis, ndim);
      if (normal.contains(position)) {
        throw call.error("the axis " + axis + " is given twice in " + axes);
      }
      normal.add(position);
    }
    return normal;
  }
}
