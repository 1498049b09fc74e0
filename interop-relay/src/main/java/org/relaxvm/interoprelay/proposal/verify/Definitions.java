package org.relaxvm.interoprelay.proposal.verify;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayOperands;

/** Where a function defines each of its registers. Needs registers in range. */
final class Definitions {
  /** The register is defined at entry. */
  static final int PARAMETER = -1;

  /** No instruction defines the register. */
  static final int UNDEFINED = -2;

  private final RelayFunction function;
  private final int[] instructions;

  Definitions(RelayFunction function) {
    this.function = function;
    List<RelayInstruction> code = function.code();
    int registers = function.params();
    for (RelayInstruction instruction : code) {
      registers = Math.max(registers, RelayOperands.definition(instruction) + 1);
    }
    instructions = new int[registers];
    Arrays.fill(instructions, UNDEFINED);
    Arrays.fill(instructions, 0, function.params(), PARAMETER);
    for (int i = code.size() - 1; i >= 0; i--) {
      int register = RelayOperands.definition(code.get(i));
      if (register >= function.params()) {
        instructions[register] = i;
      }
    }
  }

  /** The number of registers that have a definition, or the largest of them and one. */
  int registers() {
    return instructions.length;
  }

  /** The index of the first instruction that defines a register, or one of the marks. */
  int of(int register) {
    return register < instructions.length ? instructions[register] : UNDEFINED;
  }

  /** The instruction that made a value which was passed on by Mov, or null for a parameter. */
  @Nullable RelayInstruction origin(int register) {
    int at = register;
    // A chain of moves is as long as the function at most, unless it is a circle.
    for (int steps = 0; steps <= function.code().size(); steps++) {
      int definition = of(at);
      if (definition < 0) {
        return null;
      }
      RelayInstruction instruction = function.code().get(definition);
      if (!(instruction instanceof RelayInstruction.Mov move)) {
        return instruction;
      }
      at = move.src();
    }
    return null;
  }
}
