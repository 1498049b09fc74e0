package org.relaxvm.tir.cost;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/** An argument of a call, without its content. */
public sealed interface CallArgument {
  /** A tensor. */
  record OfTensor(DType dtype, Shape shape) implements CallArgument {
    double elements() {
      double count = 1;
      for (int axis = 0; axis < shape.rank(); axis++) {
        count *= shape.dim(axis);
      }
      return count;
    }

    double bytes() {
      return elements() * dtype.bits() * dtype.lanes() / 8;
    }
  }

  /** A number; 0 and 1 are booleans. */
  record OfNumber(double value) implements CallArgument {}

  /** Anything else. */
  record Other() implements CallArgument {}

  /** The sizes of all tensors. */
  static double bytes(List<CallArgument> args) {
    double bytes = 0;
    for (CallArgument arg : args) {
      bytes += arg instanceof OfTensor tensor ? tensor.bytes() : 0;
    }
    return bytes;
  }
}
