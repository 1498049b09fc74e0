package org.relaxvm.tir.op;

import java.util.List;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Elements left out at random, which inference does not do. */
public final class DropoutOps {
  private DropoutOps() {}

  /**
   * All elements, as none are left out, whatever the rate.
   *
   * @param x floats
   * @return the elements, named {@code name}, and the mask, named {@code name_mask}: ones of the
   *     same shape and dtype
   */
  public static List<TensorExpr> dropout(KernelBuilder k, String name, TensorExpr x) {
    Check.floats("dropout", x);
    return List.of(
        ShapeOps.copy(k, name, x),
        CreationOps.full(k, name + "_mask", x.shape(), Arith.of(x.dtype(), 1), x.dtype()));
  }
}
