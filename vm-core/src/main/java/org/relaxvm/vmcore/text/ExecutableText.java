package org.relaxvm.vmcore.text;

import java.nio.charset.StandardCharsets;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.Opcode;

/**
 * The listings of Apache TVM, byte for byte. They leave out constants and more.
 *
 * <p>Source: executable format, sections 5.1 and 5.2. Stateless and thread-safe. Both methods take
 * executables that were not verified and throw {@link
 * org.relaxvm.api.error.InvalidProgramException} where TVM raises an error or reads outside of the
 * code.
 */
public final class ExecutableText {
  private static final int CALLEE_WIDTH = 16;
  private static final int ARGS_WIDTH = 12;

  private ExecutableText() {}

  /** The listing of all functions. */
  public static String asText(Executable executable) {
    StringBuilder out = new StringBuilder();
    for (FunctionInfo function : executable.functions()) {
      switch (function.kind()) {
        case PACKED -> out.append('@').append(function.name()).append(" packed_func;\n\n");
        case VMTIR ->
            out.append('@')
                .append(function.name())
                .append(" num_inputs=")
                .append(function.numArgs())
                .append(" vm_tir_func;\n\n");
        case VM -> {
          out.append('@').append(function.name()).append(":\n");
          Instruction.checkBody(executable, function);
          for (long pc = function.startInstr(); pc < function.endInstr(); pc++) {
            out.append("  ").append(instruction(executable, (int) pc)).append('\n');
          }
          out.append('\n');
        }
      }
    }
    return out.toString();
  }

  /**
   * One line of the listing without its indentation and line end, such as {@code call f in: %0,
   * i-1, c[0] dst: %1}.
   *
   * @param pc the instruction's number in the executable
   */
  public static String instruction(Executable executable, int pc) {
    StringBuilder out = new StringBuilder();
    switch (Instruction.decode(executable, pc)) {
      case Instruction.Call call -> {
        mnemonic(out, Opcode.CALL);
        padded(out, callee(executable, call.function()), CALLEE_WIDTH);
        StringBuilder args = new StringBuilder();
        for (long word : call.args()) {
          args.append(args.isEmpty() ? "" : ", ").append(argument(executable, Arg.ofWord(word)));
        }
        out.append(" in: ");
        padded(out, args.toString(), ARGS_WIDTH);
        out.append(" dst: ").append(register(call.dst()));
      }
      case Instruction.Ret ret -> {
        mnemonic(out, Opcode.RET);
        out.append(register(ret.register()));
      }
      case Instruction.Goto jump -> {
        mnemonic(out, Opcode.GOTO);
        out.append(jump.offset());
      }
      case Instruction.If branch -> {
        mnemonic(out, Opcode.IF);
        out.append(register(branch.register())).append(", ").append(branch.falseOffset());
      }
    }
    return out.toString();
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

  private static String argument(Executable executable, Arg arg) {
    return switch (arg.kind()) {
      case REGISTER -> register(arg.value());
      case IMMEDIATE -> "i" + arg.value();
      case CONSTANT -> "c[" + arg.value() + "]";
      case FUNCTION -> "f[" + callee(executable, arg.value()) + "]";
    };
  }

  private static String register(long number) {
    if (number == Arg.VOID_REGISTER) {
      return "%void";
    }
    return number == Arg.VM_REGISTER ? "%vm" : "%" + number;
  }

  private static boolean isFunction(Executable executable, long index) {
    return index >= 0 && index < executable.functions().size();
  }

  private static String callee(Executable executable, long index) {
    return isFunction(executable, index)
        ? executable.functions().get((int) index).name()
        : "unknown_func_index(" + index + ")";
  }

  private static void mnemonic(StringBuilder out, Opcode opcode) {
    padded(out, opcode.mnemonic(), opcode.mnemonicWidth());
  }

  /** Pads to a number of bytes, as TVM counts them. */
  private static void padded(StringBuilder out, String text, int width) {
    out.append(text);
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    out.repeat(' ', Math.max(0, width - bytes));
  }
}
