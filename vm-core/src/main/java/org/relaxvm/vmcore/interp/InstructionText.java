package org.relaxvm.vmcore.interp;

import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.Opcode;

/** Instructions as error messages show them: as in listings, without the padding. */
final class InstructionText {
  private InstructionText() {}

  /** Such as {@code function main, pc 3: call ones in: %5 dst: %void}. */
  static String location(Executable executable, int pc) {
    return "function " + functionAt(executable, pc) + ", pc " + pc + ": " + at(executable, pc);
  }

  private static String functionAt(Executable executable, int pc) {
    for (FunctionInfo info : executable.functions()) {
      if (info.kind() == FunctionKind.VM && info.startInstr() <= pc && pc < info.endInstr()) {
        return info.name();
      }
    }
    return "?";
  }

  private static String at(Executable executable, int pc) {
    int first = (int) executable.offset(pc);
    return switch (Opcode.of(executable.word(first)).orElseThrow()) {
      case CALL -> call(executable, first);
      case RET -> "ret " + register(executable.word(first + 1));
      case GOTO -> "goto " + executable.word(first + 1);
      case IF -> "If " + register(executable.word(first + 1)) + ", " + executable.word(first + 2);
    };
  }

  private static String call(Executable executable, int first) {
    StringBuilder text = new StringBuilder("call ");
    text.append(functionName(executable, executable.word(first + 2))).append(" in:");
    long count = executable.word(first + 3);
    for (int i = 0; i < count; i++) {
      Arg arg = Arg.ofWord(executable.word(first + 4 + i));
      text.append(i == 0 ? " " : ", ");
      text.append(
          switch (arg.kind()) {
            case REGISTER -> register(arg.value());
            case IMMEDIATE -> "i" + arg.value();
            case CONSTANT -> "c[" + arg.value() + "]";
            case FUNCTION -> "f[" + functionName(executable, arg.value()) + "]";
          });
    }
    return text.append(" dst: ").append(register(executable.word(first + 1))).toString();
  }

  private static String functionName(Executable executable, long index) {
    return executable.functions().get((int) index).name();
  }

  private static String register(long number) {
    if (number == Arg.VOID_REGISTER) {
      return "%void";
    }
    return number == Arg.VM_REGISTER ? "%vm" : "%" + number;
  }
}
