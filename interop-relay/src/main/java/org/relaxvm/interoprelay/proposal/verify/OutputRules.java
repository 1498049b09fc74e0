package org.relaxvm.interoprelay.proposal.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocDatatype;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.proposal.RelayInstruction.GetField;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokePacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.LoadConst;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Mov;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Phi;
import org.relaxvm.interoprelay.proposal.RelayInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.proposal.RelayModule;

/**
 * A packed function writes into tensors that the function allocated. Source:
 * docs/spec/relay-register-vm.md, section 3, rule 6.
 */
final class OutputRules {
  private final RelayFunction function;
  private final int index;
  private final Definitions definitions;
  private final RelayVerifyOptions options;
  private final Findings findings;

  OutputRules(
      RelayModule module,
      int index,
      Definitions definitions,
      RelayVerifyOptions options,
      Findings findings) {
    this.function = module.functions().get(index);
    this.index = index;
    this.definitions = definitions;
    this.options = options;
    this.findings = findings;
  }

  void check() {
    List<RelayInstruction> code = function.code();
    if (code.stream().noneMatch(OutputRules::hasOutputs)) {
      return;
    }
    BitSet others = notAllocated();
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof InvokePacked call) {
        for (int output : call.outputs()) {
          if (definitions.of(output) != Definitions.UNDEFINED && others.get(output)) {
            refuse(i, output);
          }
        }
      }
    }
  }

  private static boolean hasOutputs(RelayInstruction instruction) {
    return instruction instanceof InvokePacked call && !call.outputs().isEmpty();
  }

  private void refuse(int i, int output) {
    int definition = definitions.of(output);
    boolean parameter = definition == Definitions.PARAMETER;
    boolean constant = !parameter && function.code().get(definition) instanceof LoadConst;
    findings.instruction(
        index,
        i,
        "output $"
            + output
            + (parameter ? " is a parameter" : constant ? " is a constant" : "")
            + (parameter || constant ? "" : " is not a tensor that this function allocated")
            + "\n  expected: a tensor of AllocTensor or AllocTensorReg, directly or by Mov, Phi,"
            + " GetField or ReshapeTensor\n  what to do: allocate a tensor for the output"
            + (parameter ? ", or permit writes into parameters with RelayVerifyOptions" : ""));
  }

  /** Registers that may hold something else than a tensor of this function. */
  private BitSet notAllocated() {
    BitSet others = new BitSet();
    Map<Integer, List<Integer>> users = new HashMap<>();
    List<Integer> waiting = new ArrayList<>();
    for (int register = 0; register < definitions.registers(); register++) {
      int definition = definitions.of(register);
      if (definition == Definitions.PARAMETER && !options.inPlace()) {
        waiting.add(register);
      } else if (definition >= 0) {
        List<Integer> sources = sources(function.code().get(definition));
        if (sources.isEmpty() && !allocates(function.code().get(definition))) {
          waiting.add(register);
        }
        for (int source : sources) {
          users.computeIfAbsent(source, _ -> new ArrayList<>()).add(register);
        }
      }
    }
    while (!waiting.isEmpty()) {
      int register = waiting.removeLast();
      if (!others.get(register)) {
        others.set(register);
        waiting.addAll(users.getOrDefault(register, List.of()));
      }
    }
    return others;
  }

  private static boolean allocates(RelayInstruction instruction) {
    return instruction instanceof AllocTensor || instruction instanceof AllocTensorReg;
  }

  /** The registers whose tensors an instruction passes on. */
  private List<Integer> sources(RelayInstruction instruction) {
    return switch (instruction) {
      case Mov move -> List.of(move.src());
      case Phi phi -> List.of(phi.first(), phi.second());
      case ReshapeTensor view -> List.of(view.src());
      case GetField get ->
          definitions.origin(get.src()) instanceof AllocDatatype made
                  && get.index() >= 0
                  && get.index() < made.fields().size()
              ? List.of(made.fields().get(get.index()))
              : parameterOf(get);
      default -> List.of();
    };
  }

  private List<Integer> parameterOf(GetField get) {
    return definitions.of(get.src()) == Definitions.PARAMETER ? List.of(get.src()) : List.of();
  }
}
