package org.relaxvm.vmcore.text;

import java.util.List;
import java.util.stream.Collectors;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ArgKind;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.InstructionText;

/**
 * Prints executables in the text form that {@link Assembler} reads, constants included: parsing the
 * text gives an equal executable. Stateless and thread-safe.
 */
public final class FullText {
  private FullText() {}

  /**
   * The text of an executable that passes the verifier.
   *
   * @throws InvalidProgramException an {@code InternalError} when the code is damaged, or when
   *     instructions belong to no function or to several
   */
  public static String print(Executable executable) {
    StringBuilder out = new StringBuilder();
    out.append(Assembler.HEADER).append(' ').append(Assembler.VERSION).append("\n\n");
    constants(out, executable);
    boolean ordered = checkBodies(executable);
    for (FunctionInfo function : executable.functions()) {
      function(out, executable, function, ordered);
    }
    return out.toString();
  }

  private static void constants(StringBuilder out, Executable executable) {
    if (executable.constants().isEmpty()) {
      return;
    }
    out.append("constants:\n");
    for (int i = 0; i < executable.constants().size(); i++) {
      out.append("  c[").append(i).append("] = ");
      LiteralPrinter.print(out, executable.constants().get(i));
      String scope = executable.memoryScopes().get(i);
      if (scope != null) {
        out.append(" scope ").append(Quoting.quote(scope));
      }
      out.append('\n');
    }
    out.append('\n');
  }

  /** Whether the bodies lie in the order of the table; they must tile the code in any case. */
  private static boolean checkBodies(Executable executable) {
    List<FunctionInfo> bodies =
        executable.functions().stream().filter(f -> f.kind() == FunctionKind.VM).toList();
    List<FunctionInfo> sorted =
        bodies.stream().sorted((a, b) -> Long.compare(a.startInstr(), b.startInstr())).toList();
    long end = 0;
    for (FunctionInfo body : sorted) {
      Instruction.checkBody(executable, body);
      if (body.startInstr() != end) {
        throw untidy(end);
      }
      end = body.endInstr();
    }
    if (end != executable.instructionCount()) {
      throw untidy(end);
    }
    return bodies.equals(sorted);
  }

  private static InvalidProgramException untidy(long instruction) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "instruction "
            + instruction
            + " belongs to no function or to several, which has no text form");
  }

  private static void function(
      StringBuilder out, Executable executable, FunctionInfo function, boolean ordered) {
    out.append('@').append(Quoting.name(function.name()));
    switch (function.kind()) {
      case PACKED -> {
        parameters(out, function);
        if (function.numArgs() != FunctionInfo.DECLARED_ONLY) {
          out.append(" num_inputs=").append(function.numArgs());
        }
        if (function.registerFileSize() != 0) {
          out.append(" regs=").append(function.registerFileSize());
        }
        out.append(" packed_func;\n\n");
      }
      case VMTIR -> {
        parameters(out, function);
        out.append(" num_inputs=").append(function.numArgs());
        out.append(" regs=").append(function.registerFileSize()).append(" vm_tir_func;\n\n");
      }
      case VM -> {
        if (function.paramNames().isEmpty()) {
          out.append('(').append(function.numArgs() == 0 ? "" : function.numArgs()).append(')');
        }
        parameters(out, function);
        out.append(" regs=").append(function.registerFileSize());
        if (!ordered) {
          out.append(" at=").append(function.startInstr());
        }
        out.append(":\n");
        for (long pc = function.startInstr(); pc < function.endInstr(); pc++) {
          out.append("  ").append(instruction(executable, (int) pc)).append('\n');
        }
        out.append('\n');
      }
    }
  }

  private static void parameters(StringBuilder out, FunctionInfo function) {
    if (!function.paramNames().isEmpty()) {
      out.append(
          function.paramNames().stream()
              .map(Quoting::name)
              .collect(Collectors.joining(", ", "(", ")")));
    }
  }

  /** As in a plain listing, but for names that need quotes. */
  private static String instruction(Executable executable, int pc) {
    if (Instruction.decode(executable, pc) instanceof Instruction.Call call
        && needsQuotes(executable, call)) {
      StringBuilder out = new StringBuilder("call  ");
      out.append(Quoting.name(InstructionText.function(executable, call.function())));
      out.append(" in:");
      for (int i = 0; i < call.args().length; i++) {
        out.append(i == 0 ? " " : ", ").append(argument(executable, Arg.ofWord(call.args()[i])));
      }
      return out.append(" dst: ").append(InstructionText.register(call.dst())).toString();
    }
    return InstructionText.of(executable, pc);
  }

  private static boolean needsQuotes(Executable executable, Instruction.Call call) {
    if (!Quoting.isPlainName(InstructionText.function(executable, call.function()))) {
      return true;
    }
    for (long word : call.args()) {
      Arg arg = Arg.ofWord(word);
      if (arg.kind() == ArgKind.FUNCTION
          && !Quoting.isPlainName(InstructionText.function(executable, arg.value()))) {
        return true;
      }
    }
    return false;
  }

  private static String argument(Executable executable, Arg arg) {
    return switch (arg.kind()) {
      case REGISTER -> InstructionText.register(arg.value());
      case IMMEDIATE -> "i" + arg.value();
      case CONSTANT -> "c[" + arg.value() + "]";
      case FUNCTION -> "f[" + Quoting.name(InstructionText.function(executable, arg.value())) + "]";
    };
  }
}
