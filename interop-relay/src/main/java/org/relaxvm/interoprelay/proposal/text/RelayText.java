package org.relaxvm.interoprelay.proposal.text;

import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayModule;

/**
 * The text form of Relay programs.
 *
 * <pre>{@code
 * packed 0 = "add"
 * func @main(2) {
 *   0: AllocTensor $2, 1, [4], float32
 *   1: InvokePacked 0, 2, 1, $0, $1, $2
 *   2: Ret $2
 * }
 * }</pre>
 *
 * <p>A jump names a label or gives an offset from itself; a function is named or given by its
 * index. What follows a {@code ;} on its line is a comment. Extensions may end with {@code .ext}.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 10. Stateless and thread-safe.
 */
public final class RelayText {
  private RelayText() {}

  /**
   * Reads a module. It is not verified.
   *
   * @throws org.relaxvm.api.error.MalformedFileException a {@code ValueError} with line, column and
   *     the line itself
   */
  public static RelayModule parse(String text) {
    return new ModuleParser(text).parse();
  }

  /**
   * Prints a module so that {@link #parse} reads the same one.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when a name or a constant has no text
   *     form
   */
  public static String print(RelayModule module) {
    return ModulePrinter.print(module);
  }

  /** Whether a text begins as a Relay program does, after blanks and comments. */
  public static boolean looksLikeProgram(String text) {
    return Lexer.beginsModule(text);
  }

  /** One instruction of a module, such as {@code Phi $5, $3, $4}; offsets have a sign. */
  public static String print(RelayModule module, RelayInstruction instruction) {
    return new InstructionPrinter(new FunctionNames(module.functions())).print(instruction);
  }
}
