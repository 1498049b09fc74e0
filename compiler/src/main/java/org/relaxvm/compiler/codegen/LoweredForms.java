package org.relaxvm.compiler.codegen;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** What both modes of execution read of lowered expressions, and what both refuse. Stateless. */
final class LoweredForms {
  private LoweredForms() {}

  static Shape known(ShapeExpr shape) {
    long[] dims = new long[shape.values().size()];
    for (int i = 0; i < dims.length; i++) {
      if (!(shape.values().get(i) instanceof IntImm dim)) {
        throw symbolic(shape, "the shape");
      }
      dims[i] = dim.value();
    }
    return Shape.of(dims);
  }

  static boolean allocatesHeap(Expr value) {
    return value instanceof Call call
        && call.isOf("call_builtin_with_ctx")
        && call.args().getFirst() instanceof ExternFunc extern
        && extern.symbol().equals("vm.builtin.alloc_shape_heap");
  }

  /** The arguments of a builtin that gets the context. */
  static List<Expr> fields(Expr tuple) {
    if (tuple instanceof Tuple(var fields)) {
      return fields;
    }
    throw new InvalidProgramException(
        ErrorKind.VALUE,
        "the arguments of call_builtin_with_ctx must stand in the call, but are " + tuple);
  }

  /** The memory scope of the virtual device that an argument of a call numbers, if there is one. */
  static Optional<String> memoryScope(IRModule module, Expr device) {
    List<VDevice> vdevices = module.vdevices();
    return device instanceof PrimValue(PrimExpr number)
            && number instanceof IntImm(var dtype, long index)
            && index >= 0
            && index < vdevices.size()
        ? Optional.of(vdevices.get((int) index).memoryScope())
        : Optional.empty();
  }

  static InvalidProgramException symbolic(Expr expr, String what) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        what
            + " "
            + expr
            + " is not constant, and there is no code for symbolic ones; run VMShapeLower first");
  }

  static InvalidProgramException unknown(Op op) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "there is no code for the operator "
            + op.name()
            + "; run LegalizeOps, CallTIRRewrite and LowerRuntimeBuiltin first");
  }

  static InvalidProgramException localFunction() {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "there is no code for a function inside of another one; run LambdaLift first");
  }

  static InvalidProgramException noValue(RelaxVar var) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "the variable "
            + var.name()
            + " is used where it has no value; expected a parameter or a binding before");
  }

  static InvalidProgramException noRegister(Expr killed) {
    return new InvalidProgramException(
        ErrorKind.VALUE, "vm.kill_object ends the use of a register, but " + killed + " has none");
  }
}
