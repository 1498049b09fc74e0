package org.relaxvm.tir.fuse;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.PrimExpr;

/** Where a call that is fused puts a result. */
public sealed interface CallOutput {
  /**
   * In memory of its own, which is a parameter of the kernel that is called.
   *
   * @param dtype what the caller takes the result for
   * @param shape in terms of the caller
   */
  record Fresh(DType dtype, List<PrimExpr> shape) implements CallOutput {
    /** Copies the list. */
    public Fresh {
      shape = List.copyOf(shape);
    }
  }

  /**
   * Instead of an argument.
   *
   * @param tensor the number of the argument among the tensors of the call
   */
  record InPlace(int tensor) implements CallOutput {}

  /** A result in memory of its own. */
  static CallOutput fresh(DType dtype, List<? extends PrimExpr> shape) {
    return new Fresh(dtype, List.copyOf(shape));
  }

  /** A result instead of an argument. */
  static CallOutput inPlace(int tensor) {
    return new InPlace(tensor);
  }
}
