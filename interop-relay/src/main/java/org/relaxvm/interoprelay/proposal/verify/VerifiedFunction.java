package org.relaxvm.interoprelay.proposal.verify;

import java.util.Map;
import java.util.Set;
import org.relaxvm.interoprelay.flow.ControlFlow;
import org.relaxvm.interoprelay.flow.PhiJoin;
import org.relaxvm.interoprelay.proposal.RelayFunction;

/**
 * A function that follows all rules.
 *
 * @param function the function
 * @param flow its control flow
 * @param joins by its instruction, where each reachable Phi takes an operand on which edge
 * @param runTimePhis the other reachable Phis: only the executed path tells which operand is valid
 * @param killed by its instruction, for each reachable Phi, its result and operands that a Kill may
 *     have emptied before it, without a definition since; without the Phis that have none
 */
public record VerifiedFunction(
    RelayFunction function,
    ControlFlow flow,
    Map<Integer, PhiJoin> joins,
    Set<Integer> runTimePhis,
    Map<Integer, Set<Integer>> killed) {
  /** Copies the maps and the set. */
  public VerifiedFunction {
    joins = Map.copyOf(joins);
    runTimePhis = Set.copyOf(runTimePhis);
    killed = Map.copyOf(killed);
  }
}
