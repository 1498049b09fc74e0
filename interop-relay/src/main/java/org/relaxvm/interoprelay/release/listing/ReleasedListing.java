package org.relaxvm.interoprelay.release.listing;

import java.util.List;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.file.InstructionWords;

/**
 * The functions of an executable as the Relay VM's {@code bytecode} property printed them, byte for
 * byte.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.7. Stateless and thread-safe.
 */
public final class ReleasedListing {
  private static final int TEXT_COLUMN = 40;

  private ReleasedListing() {}

  /** The text of one instruction, such as {@code move $2 $1}. */
  public static String text(ReleasedInstruction instruction, Era era) {
    return InstructionText.of(instruction, era);
  }

  /** The listing of all functions, in order of their indices. */
  public static String of(ReleasedExecutable executable) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < executable.functions().size(); i++) {
      text.append(of(executable, i));
    }
    return text.toString();
  }

  /**
   * The listing of one function; an empty line ends it.
   *
   * @throws IndexOutOfBoundsException when there is no such function
   */
  public static String of(ReleasedExecutable executable, int index) {
    ReleasedFunction function = executable.functions().get(index);
    StringBuilder text = new StringBuilder("VM Function[");
    text.append(index).append("]: ").append(function.name()).append('(');
    text.append(String.join(", ", function.paramNames())).append(")\n");
    text.append("# reg file size = ").append(function.registerFileSize()).append('\n');
    text.append("# instruction count = ").append(function.code().size()).append('\n');
    text.append("opcode, fields # inst(text):\n");
    List<ReleasedInstruction> code = function.code();
    for (int i = 0; i < code.size(); i++) {
      int start = text.length();
      text.append(i < 10 ? " " : "").append(i).append(": ");
      text.append(InstructionWords.opcode(code.get(i))).append(' ');
      for (long field : InstructionWords.fields(code.get(i), executable.era())) {
        text.append(field).append(' ');
      }
      text.repeat(' ', Math.max(0, TEXT_COLUMN - (text.length() - start)));
      text.append("  # ").append(InstructionText.of(code.get(i), executable.era())).append('\n');
    }
    return text.append('\n').toString();
  }
}
