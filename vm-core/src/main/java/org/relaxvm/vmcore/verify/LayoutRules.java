package org.relaxvm.vmcore.verify;

import java.util.Optional;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.Opcode;

/**
 * Rules on how instructions lie in the words. After the first violation the following ones cannot
 * be told apart, so there is at most one finding. Source: docs/spec/executable-format.md, section
 * 9, rule 8.
 */
final class LayoutRules {
  private final Executable executable;
  private final Report report;

  LayoutRules(Executable executable, Report report) {
    this.executable = executable;
    this.report = report;
  }

  void check() {
    int at = 0;
    for (int pc = 0; pc < executable.instructionCount(); pc++) {
      int length = instruction(pc, at);
      if (length == 0) {
        return;
      }
      at += length;
    }
    if (at != executable.wordCount()) {
      report.layout(
          executable.instructionCount(),
          "expected the instructions to use all "
              + executable.wordCount()
              + " words, but they end at word "
              + at);
    }
  }

  /** The length in words, or 0 after a finding. */
  private int instruction(int pc, int at) {
    if (executable.offset(pc) != at) {
      return refuse(
          pc,
          "expected the instruction at word "
              + at
              + ", where the one before ends, but got "
              + executable.offset(pc));
    }
    int left = executable.wordCount() - at;
    if (left == 0) {
      return refuse(pc, "expected an instruction at word " + at + ", but there are no more words");
    }
    Optional<Opcode> known = Opcode.of(executable.word(at));
    if (known.isEmpty()) {
      return refuse(
          pc,
          "expected the opcode 1 (Call), 2 (Ret), 3 (Goto) or 4 (If), but got "
              + executable.word(at));
    }
    Opcode opcode = known.get();
    int fixed = opcode.fixedWords();
    if (fixed > left) {
      return refuse(
          pc, "expected " + fixed + " words for " + opcode + ", but only " + left + " are left");
    }
    long count = opcode.variadic() ? executable.word(at + fixed - 1) : 0;
    if (count < 0 || count > left - fixed) {
      return refuse(
          pc,
          "expected 0 to " + (left - fixed) + " arguments, as words are left, but got " + count);
    }
    return fixed + (int) count;
  }

  private int refuse(int pc, String message) {
    report.layout(pc, message);
    return 0;
  }
}
