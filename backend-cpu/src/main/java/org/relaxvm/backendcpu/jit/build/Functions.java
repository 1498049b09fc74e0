package org.relaxvm.backendcpu.jit.build;

import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.jit.functions.FloatFunctions;
import org.relaxvm.backendcpu.jit.functions.IntegerFunctions;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.tir.expr.Intrinsic;

/** Functions of scalars and lanes. */
final class Functions {
  private Functions() {}

  /** Whether lanes of a type have a function. */
  static boolean isSupported(Target target, Intrinsic op, Type type, DType dtype) {
    if (dtype.isFloat()) {
      return true;
    }
    LirWriter trial = new LirWriter("trial");
    Operand[] args = new Operand[op.arity()];
    for (int i = 0; i < args.length; i++) {
      args[i] = trial.reg(type);
    }
    try {
      new IntegerFunctions(target).write(trial, op, dtype, args);
      return true;
    } catch (UnsupportedCodeException e) {
      return false;
    }
  }

  /** A function of one value. */
  static Operand scalar(
      LirWriter writer, Target target, Intrinsic op, DType dtype, Operand... args) {
    return dtype.isFloat()
        ? floats(writer, target, op, dtype, args)
        : new IntegerFunctions(target).write(writer, op, dtype, args);
  }

  /** A function of lanes. */
  static Operand lanes(
      LirWriter writer, Target target, Intrinsic op, DType dtype, Operand... args) {
    return dtype.isFloat()
        ? floats(writer, target, op, dtype, args)
        : new IntegerFunctions(target).write(writer, op, dtype, args);
  }

  private static Operand floats(
      LirWriter writer, Target target, Intrinsic op, DType dtype, Operand... args) {
    Reg result = new FloatFunctions(target).write(writer, op, args[0].type(), args);
    return op.rule() == Intrinsic.Rule.FLOAT_TEST
        ? result
        : Casts.rounded(writer, target, result, dtype);
  }
}
