package org.relaxvm.vmcore.verify;

import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.InstructionText;

/** Where the rules report what they find in one program. */
final class Report {
  private static final int MAX_NAME = 80;
  private static final int MAX_TEXT = 160;
  private static final int MAX_WORDS = 8;

  private final Executable executable;
  private final Findings findings;

  Report(Executable executable, Findings findings) {
    this.executable = executable;
    this.findings = findings;
  }

  /** An error in an entry of the function table. */
  void function(int index, Rule rule, String message) {
    String name = shorten(executable.functions().get(index).name(), MAX_NAME);
    findings.add(Severity.ERROR, rule, "function " + index + " '" + name + "'", message);
  }

  /** An error in an entry of the constant pool. */
  void constant(long index, Rule rule, String message) {
    findings.add(Severity.ERROR, rule, "constant " + index, message);
  }

  /** An error in an instruction whose function is not known yet. */
  void layout(int pc, String message) {
    findings.add(Severity.ERROR, Rule.INSTRUCTION_LAYOUT, "pc " + pc, message);
  }

  /** A finding in an instruction of a function. */
  void instruction(Severity severity, FunctionInfo function, int pc, Rule rule, String message) {
    String where = findings.isFull() ? "" : where(function, pc);
    findings.add(severity, rule, where, message);
  }

  /** An error in an instruction of a function. */
  void instruction(FunctionInfo function, int pc, Rule rule, String message) {
    instruction(Severity.ERROR, function, pc, rule, message);
  }

  /** A remark on a whole function. */
  void warning(FunctionInfo function, Rule rule, String message) {
    String where = "function " + shorten(function.name(), MAX_NAME);
    findings.add(Severity.WARNING, rule, where, message);
  }

  private String where(FunctionInfo function, int pc) {
    String text;
    try {
      text = InstructionText.compact(executable, pc);
    } catch (InvalidProgramException _) {
      text = words(pc);
    }
    return "function "
        + shorten(function.name(), MAX_NAME)
        + ", pc "
        + pc
        + ": "
        + shorten(text, MAX_TEXT);
  }

  private String words(int pc) {
    StringBuilder text = new StringBuilder("words");
    long first = executable.offset(pc);
    long last =
        pc + 1 < executable.instructionCount() ? executable.offset(pc + 1) : executable.wordCount();
    for (long at = first; at < Math.min(last, first + MAX_WORDS); at++) {
      text.append(" 0x").append(Long.toHexString(executable.word((int) at)));
    }
    return last - first > MAX_WORDS ? text.append(" ...").toString() : text.toString();
  }

  private static String shorten(String text, int limit) {
    return text.length() <= limit ? text : text.substring(0, limit) + "...";
  }
}
