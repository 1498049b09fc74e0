package org.relaxvm.vmcore.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;

/** A function while it is read: header, instruction words, and jumps to labels not yet seen. */
final class FunctionSource {
  /** A jump whose distance is filled in at the end of the function. */
  private record Jump(int instruction, int word, Token label) {}

  final Token name;
  FunctionKind kind = FunctionKind.VM;
  List<String> paramNames = List.of();
  OptionalLong numArgs = OptionalLong.empty();
  OptionalLong registers = OptionalLong.empty();
  OptionalLong start = OptionalLong.empty();
  final List<long[]> instructions = new ArrayList<>();

  private final Map<String, Integer> labels = new HashMap<>();
  private final List<Jump> jumps = new ArrayList<>();
  private long usedRegisters;

  FunctionSource(Token name) {
    this.name = name;
  }

  /** Records that a register exists. */
  void use(long register) {
    if (register < Arg.FIRST_SPECIAL_REGISTER) {
      usedRegisters = Math.max(usedRegisters, register + 1);
    }
  }

  /** Puts a label before the next instruction; false when the function has it already. */
  boolean label(String label) {
    return labels.putIfAbsent(label, instructions.size()) == null;
  }

  /** Appends an instruction of which one word is the distance to a label. */
  void jump(long[] words, int word, Token label) {
    jumps.add(new Jump(instructions.size(), word, label));
    instructions.add(words);
  }

  /** Fills in the distances. */
  void resolve(TokenStream tokens) {
    for (Jump jump : jumps) {
      Integer target = labels.get(jump.label().text());
      if (target == null) {
        throw tokens.error(
            jump.label(),
            "function "
                + name.describe()
                + " has no label "
                + jump.label().describe()
                + "; it has "
                + (labels.isEmpty() ? "none" : labels.keySet().stream().sorted().toList()));
      }
      instructions.get(jump.instruction())[jump.word()] = (long) target - jump.instruction();
    }
  }

  /** The entry of the function table. */
  FunctionInfo info(long startInstr) {
    long params = numArgs.orElse(paramNames.size());
    return switch (kind) {
      case PACKED ->
          new FunctionInfo(
              kind,
              name.text(),
              0,
              0,
              numArgs.orElse(FunctionInfo.DECLARED_ONLY),
              registers.orElse(0),
              paramNames);
      case VMTIR ->
          new FunctionInfo(
              kind, name.text(), 0, 0, params, registers.orElse(params + 1), paramNames);
      case VM ->
          new FunctionInfo(
              kind,
              name.text(),
              startInstr,
              startInstr + instructions.size(),
              params,
              registers.orElse(Math.max(params, usedRegisters)),
              paramNames);
    };
  }
}
