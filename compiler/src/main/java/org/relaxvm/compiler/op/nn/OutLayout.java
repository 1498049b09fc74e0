package org.relaxvm.compiler.op.nn;

import org.relaxvm.compiler.op.typerule.SpatialLayout;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Results in another layout than that of the data. */
final class OutLayout {
  private OutLayout() {}

  /** A tensor of a kernel under a name. */
  interface Named {
    TensorExpr tensor(String name);
  }

  /** What is computed in one layout, in another. */
  static TensorExpr moved(
      KernelBuilder k, String name, SpatialLayout from, SpatialLayout to, Named result) {
    return from.equals(to)
        ? result.tensor(name)
        : ShapeOps.permuteDims(k, name, result.tensor(name + "_data_layout"), from.positionsOf(to));
  }
}
