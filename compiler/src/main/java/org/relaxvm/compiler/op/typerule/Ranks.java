package org.relaxvm.compiler.op.typerule;

import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Count;

/** Numbers of axes. Those that are not known are taken for right. */
public final class Ranks {
  private Ranks() {}

  /** An argument that is a tensor with this number of axes. */
  public static TensorType require(OpCall call, int index, int ndim) {
    TensorType tensor = call.tensor(index);
    if (tensor.hasRank() && tensor.ndim() != ndim) {
      throw call.wrong(index, "a tensor with " + Count.axes(ndim));
    }
    return tensor;
  }

  /** An argument that is a tensor with this number of axes or more. */
  public static TensorType atLeast(OpCall call, int index, int ndim) {
    TensorType tensor = call.tensor(index);
    if (tensor.hasRank() && tensor.ndim() < ndim) {
      throw call.wrong(index, "a tensor with " + Count.axes(ndim) + " or more");
    }
    return tensor;
  }

  /** Refuses operands with different numbers of axes. */
  public static void requireSame(OpCall call, Operand a, Operand b) {
    if (a.type().hasRank() && b.type().hasRank() && a.type().ndim() != b.type().ndim()) {
      throw call.error("expected one number of axes, but " + a + " and " + b);
    }
  }
}
