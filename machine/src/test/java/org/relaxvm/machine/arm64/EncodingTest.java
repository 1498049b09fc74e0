package org.relaxvm.machine.arm64;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every form of every instruction with every kind of operand has the bits of the GNU assembler. */
class EncodingTest {
  @TempDir private Path folder;

  private record Line(int offset, String text) {}

  private final Assembler assembler = Assembler.withListing(EnumSet.allOf(Feature.class));
  private final List<Line> lines = new ArrayList<>();

  @Test
  void encodingsAreThoseOfTheReference() throws Exception {
    GnuTools.needAssembler();
    List<String> missing = new ArrayList<>();
    int forms = 0;
    for (Instruction instruction : Instruction.values()) {
      for (Form form : instruction.forms()) {
        boolean isChosen = false;
        for (Operand[] operands : OperandSamples.of(form)) {
          assertThat(form.match(operands)).as("%s fits %s", List.of(operands), form).isPresent();
          emit(instruction, operands);
          isChosen |= chosen(instruction, operands).equals(form);
        }
        if (!isChosen) {
          missing.add(instruction + " " + form);
        }
        forms++;
      }
    }
    assertThat(missing).as("forms that the assembler never takes").isEmpty();
    assertThat(lines).hasSizeGreaterThan(5 * forms);
    compare();
  }

  /** Replaces each operand by others, most of which do not fit. */
  @Test
  void otherOperandsAreAcceptedOnlyIfTheReferenceAcceptsThem() throws Exception {
    GnuTools.needAssembler();
    int refused = 0;
    for (Instruction instruction : Instruction.values()) {
      for (Form form : instruction.forms()) {
        Operand[] valid = OperandSamples.of(form).getFirst();
        for (int i = 0; i < valid.length; i++) {
          if (valid[i] instanceof Label) {
            continue;
          }
          for (Operand other : OperandSamples.others()) {
            Operand[] operands = valid.clone();
            operands[i] = other;
            if (isAccepted(instruction, operands)) {
              emit(instruction, operands);
            } else {
              refused++;
            }
          }
        }
      }
    }
    assertThat(refused).isGreaterThan(10 * lines.size());
    compare();
  }

  private static boolean isAccepted(Instruction instruction, Operand[] operands) {
    return instruction.forms().stream().anyMatch(form -> form.match(operands).isPresent());
  }

  private void compare() throws Exception {
    byte[] ours = assembler.finish();
    byte[] theirs = GnuTools.assemble(folder, assembler.listing());
    assertSame(words(ours), words(theirs));
  }

  private void emit(Instruction instruction, Operand[] operands) {
    List<Label> labels = new ArrayList<>();
    for (int i = 0; i < operands.length; i++) {
      if (operands[i] instanceof Label) {
        labels.add(assembler.label());
        operands[i] = labels.getLast();
      }
    }
    // Labels are used before they are bound, and after.
    boolean isBackward = lines.size() % 2 == 0;
    if (isBackward) {
      labels.forEach(assembler::bind);
      assembler.emit(Instruction.NOP);
    }
    int offset = assembler.size();
    try {
      assembler.emit(instruction, operands);
      lines.add(new Line(offset, instruction + " " + List.of(operands)));
    } catch (IllegalArgumentException e) {
      // The architecture leaves the result open.
      assertThat(e).hasMessageMatching(".* use (another register|two registers)");
    }
    if (!isBackward) {
      assembler.emit(Instruction.NOP);
      labels.forEach(assembler::bind);
    }
  }

  /** The form that the assembler takes: the first that the operands fit. */
  private static Form chosen(Instruction instruction, Operand[] operands) {
    return instruction.forms().stream()
        .filter(form -> form.match(operands).isPresent())
        .findFirst()
        .orElseThrow();
  }

  private void assertSame(int[] ours, int[] theirs) {
    assertThat(theirs).hasSameSizeAs(ours);
    List<String> different = new ArrayList<>();
    for (Line line : lines) {
      int got = ours[line.offset() / 4];
      int expected = theirs[line.offset() / 4];
      if (got != expected) {
        different.add("%s: expected %08x, got %08x".formatted(line.text(), expected, got));
      }
    }
    assertThat(different).isEmpty();
  }

  private static int[] words(byte[] bytes) {
    int[] words = new int[bytes.length / 4];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
    return words;
  }
}
