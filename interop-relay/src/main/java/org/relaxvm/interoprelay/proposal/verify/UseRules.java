package org.relaxvm.interoprelay.proposal.verify;

import java.util.BitSet;
import java.util.List;
import org.relaxvm.interoprelay.flow.BasicBlock;
import org.relaxvm.interoprelay.flow.ControlFlow;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Kill;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Phi;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.RelayOperands;

/**
 * A register is defined, and not killed, on every path to its use. Source:
 * docs/spec/relay-register-vm.md, section 3, rules 3 and 4.
 */
final class UseRules {
  private final RelayFunction function;
  private final int index;
  private final ControlFlow flow;
  private final Definitions definitions;
  private final Findings findings;

  UseRules(
      RelayModule module, int index, ControlFlow flow, Definitions definitions, Findings findings) {
    this.function = module.functions().get(index);
    this.index = index;
    this.flow = flow;
    this.definitions = definitions;
    this.findings = findings;
  }

  void check() {
    long before = findings.count();
    List<RelayInstruction> code = function.code();
    for (int i = 0; i < code.size(); i++) {
      RelayInstruction instruction = code.get(i);
      for (int register : RelayOperands.uses(instruction)) {
        use(i, instruction, register);
      }
      if (instruction instanceof Kill kill
          && definitions.of(kill.register()) == Definitions.UNDEFINED) {
        undefined(i, kill.register());
      }
      if (instruction instanceof Phi phi && phi.first() == phi.second()) {
        findings.instruction(
            index,
            i,
            "both operands of a Phi are $"
                + phi.first()
                + "\n  expected: two registers\n  what to do: use Mov to pass one register on");
      }
    }
    if (findings.count() == before && code.stream().anyMatch(Kill.class::isInstance)) {
      killed();
    }
  }

  private void use(int i, RelayInstruction user, int register) {
    int definition = definitions.of(register);
    if (definition == Definitions.UNDEFINED) {
      undefined(i, register);
    } else if (definition != Definitions.PARAMETER
        && !(user instanceof Phi)
        && flow.isReachable(flow.blockOf(i))
        && !flow.instructionDominates(definition, i)) {
      findings.instruction(
          index,
          i,
          "$"
              + register
              + " is not defined on every path to this instruction: its definition is instruction "
              + definition
              + "\n  what to do: define it before all branches that lead here, or join the values"
              + " of the branches with Phi");
    }
  }

  private void undefined(int i, int register) {
    findings.instruction(
        index,
        i,
        "$"
            + register
            + " has no definition\n  what to do: define it, or use one of the registers that are"
            + " defined");
  }

  private void killed() {
    KilledRegisters killed = new KilledRegisters(function, flow);
    for (int block : flow.reversePostOrder()) {
      BasicBlock range = flow.block(block);
      BitSet dead = killed.atStart(block);
      for (int i = range.first(); i < range.end(); i++) {
        RelayInstruction instruction = function.code().get(i);
        for (int register : RelayOperands.uses(instruction)) {
          if (dead.get(register) && !(instruction instanceof Phi)) {
            findings.instruction(
                index,
                i,
                "$"
                    + register
                    + " may be empty here: a Kill on a path to this instruction emptied it\n  what"
                    + " to do: kill it after its last use");
          }
        }
        KilledRegisters.step(instruction, dead);
      }
    }
  }
}
