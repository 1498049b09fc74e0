package org.relaxvm.compiler.pass.fuse;

import java.util.List;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.CallOps;

/** What calls of kernels get and what they overwrite. */
final class KernelCall {
  private KernelCall() {}

  /** Whether a call is one of a kernel. */
  static boolean isOne(Call call) {
    return call.callee().equals(CallOps.CALL_TIR) || call.callee().equals(CallOps.CALL_TIR_INPLACE);
  }

  /** The inputs of a kernel. */
  static List<Expr> arguments(Call call) {
    return call.args().get(1) instanceof Tuple(var fields) ? fields : List.of(call.args().get(1));
  }

  /** The variables whose values a call writes over, also one of a packed function. */
  static List<RelaxVar> overwritten(Expr value) {
    if (!(value instanceof Call call)) {
      return List.of();
    }
    boolean isPacked = call.callee().equals(CallOps.CALL_INPLACE_PACKED);
    if (!isPacked && !call.callee().equals(CallOps.CALL_TIR_INPLACE)) {
      return List.of();
    }
    List<Expr> args = isPacked ? call.args().subList(1, call.args().size()) : arguments(call);
    return call.attrs().integers("inplace_indices").orElse(List.of()).stream()
        .filter(place -> place >= 0)
        .map(place -> args.get(place.intValue()))
        .filter(RelaxVar.class::isInstance)
        .map(RelaxVar.class::cast)
        .toList();
  }
}
