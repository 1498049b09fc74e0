package org.relaxvm.vmcore.executable;

import java.nio.charset.StandardCharsets;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Instructions as text, byte for byte as Apache TVM lists them. Source:
 * docs/spec/executable-format.md, section 5.1. Stateless and thread-safe.
 */
public final class InstructionText {
  private static final int FUNCTION_WIDTH = 16;
  private static final int ARGUMENTS_WIDTH = 12;

  private InstructionText() {}

  /**
   * One instruction without indentation and line end, such as {@code call f in: %0, c[0] dst: %1}
   * in columns.
   *
   * @throws InvalidProgramException an {@code InternalError}, as in TVM, when the opcode or the
   *     kind of an argument is unknown
   */
  public static String of(Executable executable, int instruction) {
    int at = (int) executable.offset(instruction);
    Opcode opcode =
        Opcode.of(executable.word(at)).orElseThrow(() -> unknownOpcode(executable.word(at)));
    StringBuilder text = new StringBuilder();
    pad(text, opcode.mnemonic(), opcode.mnemonicWidth());
    switch (opcode) {
      case CALL -> call(text, executable, at);
      case RET -> text.append(register(executable.word(at + 1)));
      case GOTO -> text.append(executable.word(at + 1));
      case IF ->
          text.append(register(executable.word(at + 1)))
              .append(", ")
              .append(executable.word(at + 2));
    }
    return text.toString();
  }

  /** One instruction with single blanks between its parts, for messages. */
  public static String compact(Executable executable, int instruction) {
    return of(executable, instruction).replaceAll(" +", " ");
  }

  /** The listing of a whole executable. */
  public static String listing(Executable executable) {
    StringBuilder text = new StringBuilder();
    for (FunctionInfo function : executable.functions()) {
      text.append('@').append(function.name());
      switch (function.kind()) {
        case PACKED -> text.append(" packed_func;\n\n");
        case VMTIR ->
            text.append(" num_inputs=").append(function.numArgs()).append(" vm_tir_func;\n\n");
        case VM -> {
          text.append(":\n");
          for (long pc = function.startInstr(); pc < function.endInstr(); pc++) {
            text.append("  ").append(of(executable, (int) pc)).append('\n');
          }
          text.append('\n');
        }
      }
    }
    return text.toString();
  }

  /** A register: {@code %void}, {@code %vm} or its number. */
  public static String register(long number) {
    if (number == Arg.VOID_REGISTER) {
      return "%void";
    }
    return number == Arg.VM_REGISTER ? "%vm" : "%" + number;
  }

  /** The name of a function by its index, or a text that says that there is none. */
  public static String function(Executable executable, long index) {
    return index >= 0 && index < executable.functions().size()
        ? executable.functions().get((int) index).name()
        : "unknown_func_index(" + index + ")";
  }

  private static void call(StringBuilder text, Executable executable, int at) {
    pad(text, function(executable, executable.word(at + 2)), FUNCTION_WIDTH);
    text.append(" in: ");
    StringBuilder arguments = new StringBuilder();
    for (int i = 0; i < executable.word(at + 3); i++) {
      arguments.append(i == 0 ? "" : ", ");
      arguments.append(argument(executable, Arg.ofWord(executable.word(at + 4 + i))));
    }
    pad(text, arguments.toString(), ARGUMENTS_WIDTH);
    text.append(" dst: ").append(register(executable.word(at + 1)));
  }

  private static String argument(Executable executable, Arg argument) {
    return switch (argument.kind()) {
      case REGISTER -> register(argument.value());
      case IMMEDIATE -> "i" + argument.value();
      case CONSTANT -> "c[" + argument.value() + "]";
      case FUNCTION -> "f[" + function(executable, argument.value()) + "]";
    };
  }

  private static void pad(StringBuilder text, String column, int width) {
    text.append(column);
    // TVM counts bytes, not characters.
    int bytes = column.getBytes(StandardCharsets.UTF_8).length;
    text.repeat(' ', Math.max(0, width - bytes));
  }

  /** The error for a word that is no opcode, an {@code InternalError} as in TVM. */
  public static InvalidProgramException unknownOpcode(long word) {
    return new InvalidProgramException(ErrorKind.INTERNAL, "there is no opcode " + word)
        .withTvmMessage("should never hit this case: " + word);
  }

  /** The error for a value that is no constant, an {@code InternalError} as in TVM. */
  public static InvalidProgramException unsupportedConstant(Object constant) {
    return ConstantKind.unsupported(constant);
  }
}
