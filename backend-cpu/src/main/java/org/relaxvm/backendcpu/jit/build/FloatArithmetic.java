package org.relaxvm.backendcpu.jit.build;

import org.relaxvm.backendcpu.jit.functions.FloatFunctions;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.tir.expr.BinaryOp;

/** Arithmetic of float32 and float64, of one value or of lanes. */
final class FloatArithmetic {
  private FloatArithmetic() {}

  /** The result in the precision of the operands. */
  static Operand of(LirWriter writer, Target target, BinaryOp op, Operand a, Operand b) {
    Type type = a.type();
    FloatFunctions functions = new FloatFunctions(target);
    return switch (op) {
      case ADD -> writer.op(Op.ADD, writer.inRegister(a), b);
      case SUB -> writer.op(Op.SUB, writer.inRegister(a), b);
      case MUL -> writer.op(Op.MUL, writer.inRegister(a), b);
      case DIV -> writer.op(Op.DIV, writer.inRegister(a), b);
      case MIN -> writer.op(Op.MIN, writer.inRegister(a), b);
      case MAX -> writer.op(Op.MAX, writer.inRegister(a), b);
      case MOD -> functions.writeRemainder(writer, false, type, a, b);
      case FLOOR_MOD -> functions.writeRemainder(writer, true, type, a, b);
      case FLOOR_DIV -> functions.writeFloorQuotient(writer, type, a, b);
      default -> throw new IllegalStateException("no arithmetic: " + op);
    };
  }
}
