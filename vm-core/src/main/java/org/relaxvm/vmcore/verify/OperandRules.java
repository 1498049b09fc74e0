package org.relaxvm.vmcore.verify;

import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ArgKind;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.InstructionText;
import org.relaxvm.vmcore.executable.Opcode;

/**
 * Rules on what the words of one function refer to. Needs a correct layout. Source:
 * docs/spec/executable-format.md, section 9, rules 9, 10 and 14.
 */
final class OperandRules {
  private static final String BUILTIN_PREFIX = "vm.";

  private final Executable executable;
  private final FunctionInfo function;
  private final Report report;

  OperandRules(Executable executable, FunctionInfo function, Report report) {
    this.executable = executable;
    this.function = function;
    this.report = report;
  }

  void check() {
    for (int pc = (int) function.startInstr(); pc < function.endInstr(); pc++) {
      int at = (int) executable.offset(pc);
      switch (Opcode.of(executable.word(at)).orElseThrow()) {
        case CALL -> call(pc, at);
        case RET -> register(pc, "the result", executable.word(at + 1), true, false);
        case IF -> register(pc, "the condition", executable.word(at + 1), false, false);
        case GOTO -> {}
      }
    }
  }

  private void call(int pc, int at) {
    register(pc, "the destination", executable.word(at + 1), true, false);
    functionIndex(pc, "the callee", executable.word(at + 2));
    for (int i = 0; i < executable.word(at + 3); i++) {
      argument(pc, i, executable.word(at + 4 + i), executable.word(at + 2));
    }
  }

  private void argument(int pc, int position, long word, long callee) {
    int kind = Arg.kindTag(word);
    if (kind >= ArgKind.values().length) {
      report.instruction(
          function,
          pc,
          Rule.ARGUMENT_KIND,
          "argument "
              + position
              + ": expected the kind 0 (register), 1 (immediate), 2 (constant) or 3 (function), but"
              + " got "
              + kind);
      return;
    }
    long value = Arg.value(word);
    String role = "argument " + position;
    switch (ArgKind.values()[kind]) {
      case IMMEDIATE -> {}
      case FUNCTION -> functionIndex(pc, role, value);
      case CONSTANT -> {
        if (value < 0 || value >= executable.constants().size()) {
          report.instruction(
              function,
              pc,
              Rule.CONSTANT_INDEX,
              role
                  + ": expected one of "
                  + executable.constants().size()
                  + " constants, but got index "
                  + value);
        }
      }
      case REGISTER -> {
        register(pc, role, value, true, true);
        String name = InstructionText.function(executable, callee);
        if (value == Arg.VM_REGISTER && !name.startsWith(BUILTIN_PREFIX)) {
          report.instruction(
              Severity.WARNING,
              function,
              pc,
              Rule.VM_CONTEXT,
              role
                  + " is the VM's context: expected only builtins, named "
                  + BUILTIN_PREFIX
                  + "..., to take it");
        }
      }
    }
  }

  private void functionIndex(int pc, String role, long index) {
    if (index < 0 || index >= executable.functions().size()) {
      report.instruction(
          function,
          pc,
          Rule.FUNCTION_INDEX,
          role
              + ": expected one of "
              + executable.functions().size()
              + " functions, but got index "
              + index);
    }
  }

  private void register(int pc, String role, long number, boolean maybeVoid, boolean maybeVm) {
    boolean valid =
        (number >= 0 && number < function.registerFileSize())
            || (maybeVoid && number == Arg.VOID_REGISTER)
            || (maybeVm && number == Arg.VM_REGISTER);
    if (!valid) {
      report.instruction(
          function,
          pc,
          Rule.REGISTER,
          role
              + ": expected a register below %"
              + function.registerFileSize()
              + (maybeVm ? ", %void or %vm" : maybeVoid ? " or %void" : "")
              + ", but got "
              + InstructionText.register(number));
    }
  }
}
