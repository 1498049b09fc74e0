package org.relaxvm.tir.schedule;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** A kernel whose last stage reads what the one before it writes in the other order. */
final class Reversal {
  private Reversal() {}

  static PrimFunc kernel() {
    KernelBuilder kernel = new KernelBuilder("reversal");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("A", DType.FLOAT32, List.of(n));
    TensorExpr b = kernel.compute("B", a.shape(), i -> Exprs.add(a.at(i), a.at(i)));
    TensorExpr c =
        kernel.compute("C", a.shape(), i -> b.at(Exprs.sub(Exprs.sub(n, i.getFirst()), 1)));
    return kernel.build(c);
  }
}
