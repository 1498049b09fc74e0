package org.relaxvm.interoprelay.translate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.proposal.RelayInstruction.DeviceCopy;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Kill;
import org.relaxvm.interoprelay.proposal.RelayInstruction.LoadConst;
import org.relaxvm.interoprelay.proposal.RelayInstruction.LoadConsti;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Phi;
import org.relaxvm.interoprelay.proposal.RelayInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Ret;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.RelayOperands;

/** What is known of the values of a function without running it. */
final class Values {
  private final Map<Integer, Object> inlined = new HashMap<>();
  private final Set<Integer> tensors = new HashSet<>();

  Values(RelayModule module, RelayFunction function) {
    for (RelayInstruction instruction : function.code()) {
      switch (instruction) {
        case LoadConst load -> {
          Object constant = module.constants().get(load.constant());
          inlined.put(load.dst(), constant);
          if (constant instanceof Tensor) {
            tensors.add(load.dst());
          }
        }
        case LoadConsti load -> inlined.put(load.dst(), load.value());
        case AllocTensor _, AllocTensorReg _, ReshapeTensor _, DeviceCopy _ ->
            tensors.add(RelayOperands.definition(instruction));
        default -> {}
      }
    }
    // These need a register: the others take constants as arguments of calls.
    for (RelayInstruction instruction : function.code()) {
      switch (instruction) {
        case Phi phi -> {
          inlined.remove(phi.first());
          inlined.remove(phi.second());
        }
        case Ret ret -> inlined.remove(ret.src());
        case Kill kill -> inlined.remove(kill.register());
        default -> {}
      }
    }
  }

  /** The constant that a register stands for, or null: the register then is needed. */
  @Nullable Object inlined(int register) {
    return inlined.get(register);
  }

  /** Whether a register holds a tensor, or is empty. */
  boolean isTensor(int register) {
    return tensors.contains(register);
  }
}
