package org.relaxvm.interoprelay.translate;

import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayOperands;
import org.relaxvm.interoprelay.translate.code.Operand;

/**
 * The registers of a function in its translation: the same numbers, but for parameters that are
 * bound first in Relay and last in Relax.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 6.
 */
final class Registers {
  private final int params;
  private final int bound;
  private final int count;

  /**
   * The registers of a function.
   *
   * @param bound how many of its first parameters become its last ones
   */
  Registers(RelayFunction function, int bound) {
    this.params = function.params();
    this.bound = bound;
    int largest = params - 1;
    for (RelayInstruction instruction : function.code()) {
      largest = Math.max(largest, RelayOperands.definition(instruction));
    }
    this.count = largest + 1;
  }

  /** The number of registers. */
  int count() {
    return count;
  }

  /** A register's number in the translation. */
  int get(int register) {
    if (register >= params) {
      return register;
    }
    return register < bound ? params - bound + register : register - bound;
  }

  /** A register as an argument. */
  Operand operand(int register) {
    return Operand.register(get(register));
  }
}
