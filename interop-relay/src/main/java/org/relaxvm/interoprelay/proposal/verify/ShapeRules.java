package org.relaxvm.interoprelay.proposal.verify;

import java.util.BitSet;
import java.util.List;
import org.relaxvm.api.error.CallException;
import org.relaxvm.interoprelay.flow.BasicBlock;
import org.relaxvm.interoprelay.flow.ControlFlow;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Goto;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Kill;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.RelayOperands;

/**
 * Rules on the form of a function: its registers, that each has one definition, its jumps, its end.
 * Source: docs/spec/relay-register-vm.md, section 3, rules 1 and 2.
 */
final class ShapeRules {
  /** More registers than a program has; each takes memory in every frame. */
  private static final int MAX_REGISTERS = 1 << 20;

  private final RelayFunction function;
  private final int index;
  private final Findings findings;

  ShapeRules(RelayModule module, int index, Findings findings) {
    this.function = module.functions().get(index);
    this.index = index;
    this.findings = findings;
  }

  void check() {
    if (function.params() < 0 || function.params() > MAX_REGISTERS) {
      findings.function(
          index,
          "a function has 0 to " + MAX_REGISTERS + " parameters\n  got: " + function.params());
      return;
    }
    List<RelayInstruction> code = function.code();
    if (code.isEmpty()) {
      findings.function(index, "a function needs an instruction\n  what to do: end it with Ret");
      return;
    }
    long before = findings.count();
    BitSet defined = new BitSet();
    defined.set(0, function.params());
    for (int i = 0; i < code.size(); i++) {
      RelayInstruction instruction = code.get(i);
      registers(i, instruction);
      definition(i, RelayOperands.definition(instruction), defined);
      jumps(i, instruction);
      if (instruction instanceof AllocTensor alloc) {
        shape(i, alloc);
      }
    }
    if (findings.count() == before) {
      end(ControlFlow.of(new CodeFlow(code)));
    }
  }

  private void registers(int i, RelayInstruction instruction) {
    for (int register : RelayOperands.uses(instruction)) {
      register(i, register);
    }
    if (instruction instanceof Kill kill) {
      register(i, kill.register());
    }
  }

  private boolean register(int i, int register) {
    boolean valid = register >= 0 && register < MAX_REGISTERS;
    if (!valid) {
      findings.instruction(
          index,
          i,
          "registers are numbered from 0 to " + (MAX_REGISTERS - 1) + "\n  got: $" + register);
    }
    return valid;
  }

  private void definition(int i, int register, BitSet defined) {
    if (register == RelayOperands.NONE || !register(i, register)) {
      return;
    }
    if (register < function.params()) {
      findings.instruction(
          index,
          i,
          "$"
              + register
              + " is a parameter and cannot be defined again\n  what to do: define another"
              + " register");
    } else if (defined.get(register)) {
      findings.instruction(
          index,
          i,
          "$"
              + register
              + " has two definitions, the first is instruction "
              + first(register)
              + "\n  expected: one definition for each register\n  what to do: define another"
              + " register; Phi joins the values of two branches");
    }
    defined.set(register);
  }

  private int first(int register) {
    int at = 0;
    while (RelayOperands.definition(function.code().get(at)) != register) {
      at++;
    }
    return at;
  }

  private void jumps(int i, RelayInstruction instruction) {
    int[] offsets = CodeFlow.offsets(instruction);
    int size = function.code().size();
    boolean endless = offsets.length > 0;
    for (int offset : offsets) {
      endless &= offset == 0;
      // Compared without adding, for a hostile offset would overflow.
      if (offset < -i || offset >= size - i) {
        findings.instruction(
            index,
            i,
            "a jump must stay in the function\n  expected: an offset of "
                + -i
                + " to "
                + (size - 1 - i)
                + "\n  got: "
                + offset);
      }
    }
    if (endless) {
      findings.instruction(
          index,
          i,
          (instruction instanceof Goto ? "an offset of 0" : "two offsets of 0")
              + " would jump to this instruction for ever\n  what to do: jump to another"
              + " instruction");
    }
  }

  private void shape(int i, AllocTensor alloc) {
    try {
      alloc.dtype().byteSize(alloc.shape().elementCount());
    } catch (CallException e) {
      findings.instruction(index, i, "no tensor can have this shape and type: " + e.summary());
    }
  }

  private void end(ControlFlow flow) {
    BasicBlock last = flow.blocks().getLast();
    if (last.fallsOffEnd() && flow.isReachable(last.index())) {
      findings.instruction(
          index,
          last.last(),
          "control runs past the end of the function after this instruction\n  what to do: end the"
              + " function with Ret");
    }
  }
}
