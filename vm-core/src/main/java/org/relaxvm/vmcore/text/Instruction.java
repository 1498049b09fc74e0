package org.relaxvm.vmcore.text;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.InstructionText;
import org.relaxvm.vmcore.executable.Opcode;

/** An instruction taken out of an executable that may not have been verified. */
sealed interface Instruction {
  /** A call; {@code args} are argument words. */
  record Call(long dst, long function, long[] args) implements Instruction {}

  /** The end of a function. */
  record Ret(long register) implements Instruction {}

  /** A jump. */
  record Goto(long offset) implements Instruction {}

  /** A conditional jump. */
  record If(long register, long falseOffset) implements Instruction {}

  /**
   * Decodes the instruction at {@code pc}.
   *
   * @throws InvalidProgramException when it is none or is cut off
   */
  static Instruction decode(Executable executable, int pc) {
    long start = executable.offset(pc);
    if (start < 0 || start >= executable.wordCount()) {
      throw cutOff(pc);
    }
    int at = (int) start;
    long code = executable.word(at);
    Opcode opcode = Opcode.of(code).orElseThrow(() -> InstructionText.unknownOpcode(code));
    if (opcode.fixedWords() > executable.wordCount() - at) {
      throw cutOff(pc);
    }
    return switch (opcode) {
      case CALL -> call(executable, pc, at);
      case RET -> new Ret(executable.word(at + 1));
      case GOTO -> new Goto(executable.word(at + 1));
      case IF -> new If(executable.word(at + 1), executable.word(at + 2));
    };
  }

  private static Call call(Executable executable, int pc, int at) {
    long count = executable.word(at + 3);
    int first = at + Opcode.CALL.fixedWords();
    if (count < 0 || count > executable.wordCount() - first) {
      throw cutOff(pc);
    }
    long[] args = new long[(int) count];
    for (int i = 0; i < args.length; i++) {
      args[i] = executable.word(first + i);
    }
    return new Call(executable.word(at + 1), executable.word(at + 2), args);
  }

  /**
   * Checks that a function's instructions exist and are complete.
   *
   * @throws InvalidProgramException a {@code ValueError} when they do not
   */
  static void checkBody(Executable executable, FunctionInfo function) {
    boolean inside =
        function.startInstr() >= 0
            && function.startInstr() <= function.endInstr()
            && function.endInstr() <= executable.instructionCount();
    if (!inside) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "function "
              + function.name()
              + " has the instructions "
              + function.startInstr()
              + " to "
              + function.endInstr()
              + ", but the executable has "
              + executable.instructionCount());
    }
    for (long pc = function.startInstr(); pc < function.endInstr(); pc++) {
      decode(executable, (int) pc);
    }
  }

  private static InvalidProgramException cutOff(int pc) {
    return new InvalidProgramException(
        ErrorKind.VALUE, "instruction " + pc + " reaches past the end of the code");
  }
}
