package org.relaxvm.vmcore.verify;

import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.Opcode;

/**
 * Rules on where control goes in one function. Needs a correct layout. Source:
 * docs/spec/executable-format.md, section 9, rules 11 and 12.
 */
final class FlowRules {
  private final Executable executable;
  private final FunctionInfo function;
  private final Report report;

  FlowRules(Executable executable, FunctionInfo function, Report report) {
    this.executable = executable;
    this.function = function;
    this.report = report;
  }

  void check() {
    for (int pc = (int) function.startInstr(); pc < function.endInstr(); pc++) {
      int at = (int) executable.offset(pc);
      switch (Opcode.of(executable.word(at)).orElseThrow()) {
        case CALL, RET -> {}
        case GOTO -> {
          long offset = executable.word(at + 1);
          if (offset == 0) {
            report.instruction(
                function,
                pc,
                Rule.JUMP_TARGET,
                "expected a distance other than 0, which would be an endless loop");
          }
          target(pc, offset);
        }
        case IF -> {
          long offset = executable.word(at + 2);
          if (offset < 2) {
            report.instruction(
                function,
                pc,
                Rule.JUMP_TARGET,
                "expected a false offset of 2 or more, for 1 is the next instruction, but got "
                    + offset);
          } else {
            target(pc, offset);
          }
        }
      }
    }
    end((int) function.endInstr() - 1);
  }

  private void target(int pc, long offset) {
    // Compared without adding, for a hostile offset would overflow.
    boolean inside = offset >= function.startInstr() - pc && offset < function.endInstr() - pc;
    if (!inside) {
      report.instruction(
          function,
          pc,
          Rule.JUMP_TARGET,
          "expected a jump within the function, a distance of "
              + (function.startInstr() - pc)
              + " to "
              + (function.endInstr() - 1 - pc)
              + ", but got "
              + offset);
    }
  }

  private void end(int pc) {
    Opcode last = Opcode.of(executable.word((int) executable.offset(pc))).orElseThrow();
    // A forward Goto at the end has been reported as a jump out of the function.
    if (last == Opcode.CALL || last == Opcode.IF) {
      report.instruction(
          function,
          pc,
          Rule.FALL_OFF_END,
          "expected the function to end with Ret or a backward Goto, but the last instruction is "
              + (last == Opcode.CALL ? "Call" : "If"));
    }
  }
}
