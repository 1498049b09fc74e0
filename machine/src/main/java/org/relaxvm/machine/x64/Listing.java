package org.relaxvm.machine.x64;

import java.util.ArrayList;
import java.util.List;

/**
 * Instructions as text in Intel syntax, which the GNU assembler reads ({@code .intel_syntax
 * noprefix}).
 */
final class Listing {
  private final List<String> lines = new ArrayList<>();

  void add(String line) {
    lines.add(line);
  }

  void label(Label label) {
    lines.add(label + ":");
  }

  void instruction(
      Instruction instruction, Match match, Operand[] operands, Masking masking, boolean isVex) {
    StringBuilder line = new StringBuilder("    ");
    if (isVex && match.form().vexFeature().filter(Listing::isLater).isPresent()) {
      line.append("{vex} ");
    }
    line.append(instruction);
    for (int i = 0; i < operands.length; i++) {
      line.append(i == 0 ? " " : ", ").append(text(match, operands[i]));
      if (i == 0) {
        line.append(masking);
      }
    }
    lines.add(line.toString());
  }

  /** Whether the VEX encoding came after the EVEX encoding, which assemblers prefer then. */
  private static boolean isLater(Feature vex) {
    return vex == Feature.AVX_VNNI;
  }

  private static String text(Match match, Operand operand) {
    if (!(operand instanceof Address address)) {
      return operand.toString();
    }
    int bytes = match.memoryBytes(address);
    String size =
        switch (bytes) {
          case 1 -> "BYTE PTR ";
          case 2 -> "WORD PTR ";
          case 4 -> "DWORD PTR ";
          case 8 -> "QWORD PTR ";
          case 16 -> "XMMWORD PTR ";
          case 32 -> "YMMWORD PTR ";
          case 64 -> "ZMMWORD PTR ";
          default -> "";
        };
    String lanes =
        address.isBroadcast() ? "{1to" + match.form().tuple().lanes(match.length()) + "}" : "";
    return size + address + lanes;
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }
}
