package org.relaxvm.vmcore.text;

import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.InstructionText;

/**
 * The listings of Apache TVM, byte for byte. They leave out constants and more; {@link FullText}
 * prints everything.
 *
 * <p>Source: docs/spec/executable-format.md, sections 5.1 and 5.2. Stateless and thread-safe. Both
 * methods take executables that were not verified and throw {@link
 * org.relaxvm.api.error.InvalidProgramException} where TVM raises an error or reads outside of the
 * code.
 */
public final class ExecutableText {
  private ExecutableText() {}

  /** The listing of all functions. */
  public static String asText(Executable executable) {
    for (FunctionInfo function : executable.functions()) {
      if (function.kind() == FunctionKind.VM) {
        Instruction.checkBody(executable, function);
      }
    }
    return InstructionText.listing(executable);
  }

  /** Python source that rebuilds the bytecode functions with TVM's builder. */
  public static String asPython(Executable executable) {
    StringBuilder out = new StringBuilder("ib = rx.Builder()\n");
    for (FunctionInfo function : executable.functions()) {
      if (function.kind() == FunctionKind.VM) {
        out.append("with ib.function(\"")
            .append(function.name())
            .append("\", num_inputs=")
            .append(function.numArgs())
            .append("):\n");
        Instruction.checkBody(executable, function);
        for (long pc = function.startInstr(); pc < function.endInstr(); pc++) {
          pythonInstruction(out.append("    "), executable, (int) pc);
        }
      }
    }
    return out.toString();
  }

  private static void pythonInstruction(StringBuilder out, Executable executable, int pc) {
    switch (Instruction.decode(executable, pc)) {
      case Instruction.Call call -> {
        out.append("ib.emit_call(");
        boolean known = isFunction(executable, call.function());
        String callee = callee(executable, call.function());
        out.append(known ? "\"" + callee + "\"" : "ib." + callee).append(", args=[");
        for (int i = 0; i < call.args().length; i++) {
          out.append(i == 0 ? "" : ", ");
          out.append(pythonArgument(executable, Arg.ofWord(call.args()[i])));
        }
        out.append(']');
        if (call.dst() != Arg.VOID_REGISTER) {
          out.append(", dst=ib.r(").append(call.dst()).append(')');
        }
        out.append(")\n");
      }
      case Instruction.Ret ret ->
          out.append("ib.emit_ret(ib.r(").append(ret.register()).append("))\n");
      case Instruction.Goto jump -> out.append("ib.emit_goto(").append(jump.offset()).append(")\n");
      case Instruction.If branch ->
          out.append("ib.emit_if(ib.r(")
              .append(branch.register())
              .append("), ")
              .append(branch.falseOffset())
              .append(")\n");
    }
  }

  private static String pythonArgument(Executable executable, Arg arg) {
    return switch (arg.kind()) {
      case REGISTER -> "ib.r(" + (arg.value() == Arg.VM_REGISTER ? "vm" : arg.value()) + ")";
      case IMMEDIATE -> "ib.imm(" + arg.value() + ")";
      case CONSTANT -> "ib.c(" + arg.value() + ")";
      case FUNCTION -> {
        String name = callee(executable, arg.value());
        yield isFunction(executable, arg.value())
            ? "ib.f(\"" + name + "\")"
            : "ib.f(ib." + name + ")";
      }
    };
  }

  private static boolean isFunction(Executable executable, long index) {
    return index >= 0 && index < executable.functions().size();
  }

  private static String callee(Executable executable, long index) {
    return InstructionText.function(executable, index);
  }
}
