package org.relaxvm.interoprelay.proposal;

import java.util.List;

/**
 * A function of the Relay VM. Registers 0 to {@code params - 1} are its parameters.
 *
 * @param name without the {@code @}
 * @param params number of parameters
 * @param code the instructions
 */
public record RelayFunction(String name, int params, List<RelayInstruction> code) {
  /** Copies the list. */
  public RelayFunction {
    code = List.copyOf(code);
  }
}
