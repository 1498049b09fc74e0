package org.relaxvm.vmcore.executable;

import java.util.BitSet;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * The check that a builder makes of its own program, with the texts of Apache TVM. It follows
 * program order, not control flow; the verifier is the thorough one. Source:
 * docs/spec/executable-format.md, section 6.2.
 */
final class BuildCheck {
  private final Executable executable;
  private final FunctionInfo function;
  private final BitSet defined = new BitSet();

  private BuildCheck(Executable executable, FunctionInfo function) {
    this.executable = executable;
    this.function = function;
  }

  static void check(Executable executable) {
    for (FunctionInfo function : executable.functions()) {
      switch (function.kind()) {
        case PACKED -> {}
        case VMTIR -> {
          if (function.registerFileSize() < function.numArgs() + 1) {
            throw error(
                    "function '"
                        + function.name()
                        + "' has "
                        + function.registerFileSize()
                        + " registers for "
                        + function.numArgs()
                        + " parameters\n  expected: one more than parameters, or more")
                .withTvmMessage(
                    "Function " + function.name() + " do not meet register file constraint.");
          }
        }
        case VM -> new BuildCheck(executable, function).body();
      }
    }
  }

  private void body() {
    if (function.startInstr() >= function.endInstr()) {
      throw error("function '" + function.name() + "' has no instructions")
          .withTvmMessage("Function " + function.name() + " EndFunction has not be been called");
    }
    for (long pc = function.startInstr(); pc < function.endInstr(); pc++) {
      instruction((int) pc);
    }
  }

  private void instruction(int pc) {
    int at = (int) executable.offset(pc);
    switch (Opcode.of(executable.word(at)).orElseThrow()) {
      case CALL -> call(at);
      case RET -> read(executable.word(at + 1));
      case IF -> {
        read(executable.word(at + 1));
        long offset = executable.word(at + 2);
        if (offset <= 1) {
          throw distance(
              pc,
              "an If goes on at the next instruction when its condition holds, so"
                  + " its false offset must be 2 or more",
              offset);
        }
      }
      case GOTO -> {
        long offset = executable.word(at + 1);
        if (offset == 0) {
          throw distance(pc, "a Goto must not aim at itself", offset);
        }
      }
    }
  }

  private void call(int at) {
    function(executable.word(at + 2));
    for (int i = 0; i < executable.word(at + 3); i++) {
      Arg arg = Arg.ofWord(executable.word(at + 4 + i));
      switch (arg.kind()) {
        case IMMEDIATE -> {}
        case REGISTER -> read(arg.value());
        case FUNCTION -> function(arg.value());
        case CONSTANT -> {
          if (arg.value() < 0 || arg.value() >= executable.constants().size()) {
            throw outside(
                "there is no constant with index "
                    + arg.value()
                    + ": "
                    + counted(executable.constants().size(), "constant"),
                "Constant index " + arg.value() + " exceed size of constant pool. Dump:\n");
          }
        }
      }
    }
    long dst = executable.word(at + 1);
    if (dst >= 0 && dst < function.registerFileSize()) {
      defined.set((int) dst);
    }
  }

  private void function(long index) {
    if (index < 0 || index >= executable.functions().size()) {
      throw outside(
          "there is no function with index "
              + index
              + ": "
              + counted(executable.functions().size(), "function"),
          "Func index " + index + " exceed size of fun_table. Dump:\n");
    }
  }

  private static String counted(int count, String what) {
    return "the executable has " + count + " " + what + (count == 1 ? "" : "s");
  }

  private void read(long register) {
    boolean known =
        register >= Arg.FIRST_SPECIAL_REGISTER
            || (register >= 0 && register < function.numArgs())
            || (register >= 0
                && register < function.registerFileSize()
                && defined.get((int) register));
    if (!known) {
      throw outside(
          "register "
              + register
              + " of function '"
              + function.name()
              + "' is read but never written",
          "register r("
              + register
              + ") in VM function \""
              + function.name()
              + "\" is used as input while it is never defined as a destination. Dump:\n");
    }
  }

  private InvalidProgramException distance(int pc, String rule, long got) {
    return refused(
        rule
            + "\n  at function "
            + function.name()
            + ", pc "
            + pc
            + ": "
            + InstructionText.compact(executable, pc)
            + "\n  got: "
            + got);
  }

  private InvalidProgramException outside(String problem, String tvmMessage) {
    String listing = InstructionText.listing(executable);
    return error(problem + "\n  instructions:\n" + listing).withTvmMessage(tvmMessage + listing);
  }

  private static InvalidProgramException error(String message) {
    return new InvalidProgramException(ErrorKind.INTERNAL, message);
  }

  private static InvalidProgramException refused(String message) {
    return new InvalidProgramException(ErrorKind.VALUE, message);
  }
}
