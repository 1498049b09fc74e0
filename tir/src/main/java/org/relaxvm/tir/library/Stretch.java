package org.relaxvm.tir.library;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.TensorExpr;

/** Tensors that are broadcast. */
final class Stretch {
  private Stretch() {}

  /** Whether a tensor can be stretched to a shape. */
  static boolean fits(TensorExpr x, List<PrimExpr> shape) {
    int missing = shape.size() - x.shape().size();
    boolean fits = missing >= 0;
    for (int axis = 0; fits && axis < x.shape().size(); axis++) {
      PrimExpr extent = x.shape().get(axis);
      fits = isOne(extent) || extent.equals(shape.get(missing + axis));
    }
    return fits;
  }

  /** The element of a tensor at an index of what it is stretched to. */
  static PrimExpr at(TensorExpr x, List<PrimExpr> index) {
    List<PrimExpr> own = new ArrayList<>();
    int missing = index.size() - x.shape().size();
    for (int axis = 0; axis < x.shape().size(); axis++) {
      own.add(isOne(x.shape().get(axis)) ? IntImm.of(0) : index.get(missing + axis));
    }
    return x.at(own);
  }

  private static boolean isOne(PrimExpr extent) {
    return extent instanceof IntImm known && known.value() == 1;
  }
}
