package org.relaxvm.compiler.pass.fuse;

import java.util.List;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.CallOps;

/** What calls of kernels get. */
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
}
