package org.relaxvm.interoprelay.proposal.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.interoprelay.flow.BasicBlock;
import org.relaxvm.interoprelay.flow.ControlFlow;
import org.relaxvm.interoprelay.flow.PhiEdge;
import org.relaxvm.interoprelay.flow.PhiJoin;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Kill;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Phi;
import org.relaxvm.interoprelay.proposal.RelayOperands;

/**
 * Which operand each Phi takes.
 *
 * <p>Dominators decide unless, on an edge, the operand that they name may be killed, or the other
 * one may hold a value too. A definition holds until control enters a block that dominates it: it
 * is then one of a former iteration.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 3, rule 4, and section 5.1.
 */
final class PhiRules {
  private final RelayFunction function;
  private final ControlFlow flow;
  private final Definitions definitions;
  private final Map<Integer, PhiJoin> joins = new HashMap<>();
  private final Set<Integer> runTimePhis = new HashSet<>();
  private final Map<Integer, Set<Integer>> killedAtPhis = new HashMap<>();

  PhiRules(RelayFunction function, ControlFlow flow, Definitions definitions) {
    this.function = function;
    this.flow = flow;
    this.definitions = definitions;
    BitSet operands = new BitSet();
    for (int i = 0; i < function.code().size(); i++) {
      if (function.code().get(i) instanceof Phi phi) {
        operands.set(phi.first());
        operands.set(phi.second());
      }
    }
    if (!operands.isEmpty()) {
      KilledRegisters killed = new KilledRegisters(function, flow);
      decide(validAtEnds(operands), killed);
      findKilled(killed);
    }
  }

  Map<Integer, PhiJoin> joins() {
    return joins;
  }

  Set<Integer> runTimePhis() {
    return runTimePhis;
  }

  Map<Integer, Set<Integer>> killed() {
    return killedAtPhis;
  }

  private void findKilled(KilledRegisters killed) {
    for (int block : flow.reversePostOrder()) {
      BasicBlock range = flow.block(block);
      BitSet dead = killed.atStart(block);
      for (int i = range.first(); i < range.end(); i++) {
        if (function.code().get(i) instanceof Phi(int dst, int first, int second)) {
          Set<Integer> registers = new HashSet<>(List.of(dst, first, second));
          registers.removeIf(register -> !dead.get(register));
          if (!registers.isEmpty()) {
            killedAtPhis.put(i, Set.copyOf(registers));
          }
        }
        KilledRegisters.step(function.code().get(i), dead);
      }
    }
  }

  private void decide(List<BitSet> valid, KilledRegisters killed) {
    for (int i = 0; i < function.code().size(); i++) {
      if (function.code().get(i) instanceof Phi phi && flow.isReachable(flow.blockOf(i))) {
        Optional<PhiJoin> join =
            PhiJoin.of(flow, i, definitions.of(phi.first()), definitions.of(phi.second()));
        if (join.isPresent()
            && join.get().edges().stream().allMatch(e -> holds(phi, e, valid, killed))) {
          joins.put(i, join.get());
        } else {
          runTimePhis.add(i);
        }
      }
    }
  }

  /**
   * Reports operands that the join of their Phi does not see: each iteration defines them anew
   * between the join and the Phi. Phis of the join are no such, for all take their operands at
   * once.
   */
  void report(int index, Findings findings) {
    joins.forEach(
        (i, join) -> {
          Phi phi = (Phi) function.code().get(i);
          for (int operand : List.of(phi.first(), phi.second())) {
            int definition = definitions.of(operand);
            if (definition >= 0
                && !(function.code().get(definition) instanceof Phi)
                && flow.dominates(join.block(), flow.blockOf(definition))
                && flow.instructionDominates(definition, i)) {
              findings.instruction(
                  index,
                  i,
                  "$"
                      + operand
                      + " is defined by instruction "
                      + definition
                      + ", between the join and this Phi\n  expected: operands that are defined"
                      + " before the paths meet\n  what to do: move the Phi to the start of the"
                      + " block in which they meet");
            }
          }
        });
  }

  private static boolean holds(Phi phi, PhiEdge edge, List<BitSet> valid, KilledRegisters killed) {
    int from = edge.predecessor();
    if (from == ControlFlow.NONE) {
      return true;
    }
    int taken = edge.second() ? phi.second() : phi.first();
    int other = edge.second() ? phi.first() : phi.second();
    return !killed.atEnd(from).get(taken) && (edge.both() || !valid.get(from).get(other));
  }

  /** The operands that may hold a value at the end of each block. */
  private List<BitSet> validAtEnds(BitSet operands) {
    List<BitSet> ends = new ArrayList<>();
    for (int b = 0; b < flow.blocks().size(); b++) {
      ends.add(new BitSet());
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int block : flow.reversePostOrder()) {
        BitSet end = validAtEnd(block, operands, ends);
        changed |= !end.equals(ends.get(block));
        ends.set(block, end);
      }
    }
    return ends;
  }

  private BitSet validAtEnd(int block, BitSet operands, List<BitSet> ends) {
    BitSet valid = new BitSet();
    for (int from : flow.block(block).predecessors()) {
      valid.or(ends.get(from));
    }
    for (int register = valid.nextSetBit(0);
        register >= 0;
        register = valid.nextSetBit(register + 1)) {
      if (isMadeAnew(register, block)) {
        valid.clear(register);
      }
    }
    if (block == 0) {
      valid.set(0, function.params());
    }
    BasicBlock range = flow.block(block);
    for (int i = range.first(); i < range.end(); i++) {
      if (function.code().get(i) instanceof Kill kill) {
        valid.clear(kill.register());
      }
      int defined = RelayOperands.definition(function.code().get(i));
      if (defined != RelayOperands.NONE && operands.get(defined)) {
        valid.set(defined);
      }
    }
    valid.and(operands);
    return valid;
  }

  private boolean isMadeAnew(int register, int block) {
    int definition = definitions.of(register);
    return definition != Definitions.PARAMETER && flow.dominates(block, flow.blockOf(definition));
  }
}
