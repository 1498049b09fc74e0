package org.relaxvm.compiler.op.linear;

import java.util.List;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.op.serial.InverseOps;

/** Inverses of square matrices. */
public final class Inverse {
  /** The inverse of each matrix of {@code [..., n, n]}, floats. */
  public static final OpDef INVERSE =
      OpDef.named("inverse")
          .args("x")
          .rule(Inverse::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "inverse",
                      call,
                      KernelBody.one(
                          (k, inputs) -> InverseOps.inverse(k, "inverse", inputs.tensor(0)))))
          .build();

  private Inverse() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(INVERSE);
  }

  private static Type type(OpCall call) {
    ElementTypes.floats(call, 0);
    TensorType x = Ranks.atLeast(call, 0, 2);
    x.dims()
        .ifPresent(
            dims ->
                Extents.requireSame(
                    call,
                    dims.get(dims.size() - 2),
                    dims.getLast(),
                    "the last two axes of a square matrix"));
    return x;
  }

  /** The inverse of each matrix. */
  public static Call inverse(Expr x) {
    return Call.of(INVERSE, x);
  }
}
