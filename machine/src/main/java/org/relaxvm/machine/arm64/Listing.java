package org.relaxvm.machine.arm64;

import java.util.ArrayList;
import java.util.List;

/**
 * Instructions as text in the syntax of the manual, which the GNU assembler reads. The offset and
 * the bits of an instruction follow it as a comment.
 */
final class Listing {
  private static final int NONE = -1;

  private record Line(String text, int offset) {}

  private final List<Line> lines = new ArrayList<>();

  /** Adds a directive. */
  void add(String directive) {
    lines.add(new Line("    " + directive, NONE));
  }

  void label(Label label) {
    lines.add(new Line(label + ":", NONE));
  }

  void instruction(Instruction instruction, Operand[] operands, int offset) {
    StringBuilder line = new StringBuilder("    ").append(instruction);
    boolean isConditional = instruction == Instruction.B_COND;
    if (isConditional) {
      line.setLength(line.indexOf(".") + 1);
      line.append(operands[0]);
    }
    // The operation of system instructions is an operand.
    String separator = instruction.toString().contains(" ") ? ", " : " ";
    for (int i = isConditional ? 1 : 0; i < operands.length; i++) {
      // Assemblers take an address, of which they encode the page.
      boolean isPage = instruction == Instruction.ADRP && operands[i] instanceof Immediate;
      line.append(separator).append(isPage ? ". + " : "");
      line.append(isPage ? operands[i].toString().substring(1) : operands[i]);
      separator = ", ";
    }
    lines.add(new Line(line.toString(), offset));
  }

  /** All lines; {@code code} has the instructions with the distances of labels. */
  String text(CodeBuffer code) {
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      text.append(
          line.offset() == NONE
              ? line.text()
              : "%-48s// %04x %08x".formatted(line.text(), line.offset(), code.at(line.offset())));
      text.append('\n');
    }
    return text.toString();
  }
}
