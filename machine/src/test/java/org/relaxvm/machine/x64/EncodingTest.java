package org.relaxvm.machine.x64;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every form of every instruction with every kind of operand has the bytes of the GNU assembler.
 */
class EncodingTest {
  @TempDir private Path folder;

  private record Line(int end, String text) {}

  @BeforeEach
  void needsTheReference() {
    boolean isPresent = GnuAssembler.isPresent();
    if (System.getenv("RELAXVM_REQUIRE_C_COMPILER") != null) {
      assertThat(isPresent).as("the GNU assembler is demanded").isTrue();
    }
    assumeTrue(isPresent, "there is no GNU assembler (as, objcopy)");
  }

  private static Set<Feature> without(Feature... features) {
    EnumSet<Feature> set = EnumSet.allOf(Feature.class);
    set.removeAll(List.of(features));
    return set;
  }

  private static Set<Feature> vexOnly() {
    EnumSet<Feature> set = EnumSet.noneOf(Feature.class);
    for (Feature feature : Feature.values()) {
      if (!feature.name().startsWith("AVX512")) {
        set.add(feature);
      }
    }
    return set;
  }

  @Test
  void evexEncodingsAreThoseOfTheReference() throws Exception {
    compare(without(Feature.AVX_VNNI), true);
  }

  @Test
  void vexEncodingsAreThoseOfTheReference() throws Exception {
    compare(vexOnly(), false);
  }

  private void compare(Set<Feature> features, boolean isWide) throws Exception {
    Assembler assembler = Assembler.withListing(features);
    List<Line> lines = new ArrayList<>();
    Set<Form> seen = new HashSet<>();
    for (Instruction instruction : Instruction.values()) {
      for (Form form : instruction.forms()) {
        for (Operand[] operands : OperandCombinations.of(form, isWide)) {
          emit(assembler, lines, instruction, form, operands, seen);
        }
      }
    }
    List<String> missing = new ArrayList<>();
    for (Instruction instruction : Instruction.values()) {
      for (Form form : instruction.forms()) {
        if (!seen.contains(form) && (isWide || (!form.hasEvex() && !isAvx512(form)))) {
          missing.add(instruction + " " + form.text());
        }
      }
    }
    assertThat(missing).as("forms that no operands led to").isEmpty();
    byte[] ours = assembler.finish();
    byte[] theirs = GnuAssembler.assemble(folder, assembler.listing());
    assertSame(lines, ours, theirs);
  }

  private static boolean isAvx512(Form form) {
    return form.vexFeature().filter(feature -> feature.name().startsWith("AVX512")).isPresent();
  }

  private static void emit(
      Assembler assembler,
      List<Line> lines,
      Instruction instruction,
      Form form,
      Operand[] operands,
      Set<Form> seen) {
    boolean hasIndices = form.kinds().contains(Kind.VM) || form.kinds().contains(Kind.HM);
    boolean needsMask = hasIndices && form.hasEvex();
    String text = instruction + " " + Arrays.toString(operands);
    try {
      if (!needsMask && !isStoredByTheReference(instruction, operands)) {
        assembler.emit(instruction, operands);
        lines.add(new Line(assembler.size(), text));
        seen.add(form);
      }
      if (form.isMaskable() && assembler.features().contains(Feature.AVX512F)) {
        boolean isZeroing = form.mayZero(operands[0]) && !needsMask && lines.size() % 2 == 0;
        assembler.emitMasked(instruction, Mask.k(3), isZeroing, operands);
        lines.add(new Line(assembler.size(), text + " {k3}"));
        seen.add(form);
      }
    } catch (IllegalArgumentException e) {
      // The form is of other vector lengths, or of features that are left out.
      assertThat(e).hasMessageMatching(".*( has no form | needs ).*");
    }
  }

  /**
   * Whether the reference takes the opcode of the store, which is a byte shorter. Instructions are
   * the same otherwise.
   */
  private static boolean isStoredByTheReference(Instruction instruction, Operand[] operands) {
    return instruction.name().matches("VMOV(UPS|UPD|APS|APD|DQU|DQA|SS|SD|Q)")
        && operands[0] instanceof Vector to
        && operands[operands.length - 1] instanceof Vector from
        && to.number() < 8
        && from.number() >= 8
        && from.number() < 16;
  }

  private static void assertSame(List<Line> lines, byte[] ours, byte[] theirs) {
    int start = 0;
    for (Line line : lines) {
      byte[] expected = Arrays.copyOfRange(theirs, start, line.end());
      byte[] got = Arrays.copyOfRange(ours, start, line.end());
      assertThat(hex(got)).as(line.text()).isEqualTo(hex(expected));
      start = line.end();
    }
    assertThat(theirs).hasSameSizeAs(ours);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.ofDelimiter(" ").formatHex(bytes);
  }
}
