package org.relaxvm.interoprelay.proposal.verify;

import java.util.List;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocDatatype;
import org.relaxvm.interoprelay.proposal.RelayInstruction.CallPacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.GetField;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Invoke;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokeClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokePacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.LoadConst;
import org.relaxvm.interoprelay.proposal.RelayInstruction.TailInvoke;
import org.relaxvm.interoprelay.proposal.RelayModule;

/**
 * Rules on indices and on numbers of arguments. Source: docs/spec/relay-register-vm.md, section 3,
 * rules 5 and 7.
 */
final class CallRules {
  private final RelayModule module;
  private final int index;
  private final Definitions definitions;
  private final Findings findings;

  CallRules(RelayModule module, int index, Definitions definitions, Findings findings) {
    this.module = module;
    this.index = index;
    this.definitions = definitions;
    this.findings = findings;
  }

  void check() {
    List<RelayInstruction> code = module.functions().get(index).code();
    for (int i = 0; i < code.size(); i++) {
      switch (code.get(i)) {
        case LoadConst load -> entry(i, "constant", load.constant(), module.constants().size());
        case InvokePacked call ->
            entry(i, "packed function", call.packed(), module.packed().size());
        case CallPacked call -> entry(i, "packed function", call.packed(), module.packed().size());
        case Invoke call -> arguments(i, call.function(), call.args().size());
        case TailInvoke call -> arguments(i, call.function(), call.args().size());
        case AllocClosure closure -> bound(i, closure);
        case InvokeClosure call -> closure(i, call);
        case GetField get -> field(i, get);
        default -> {}
      }
    }
  }

  private boolean entry(int i, String what, int entry, int size) {
    boolean exists = entry >= 0 && entry < size;
    if (!exists) {
      findings.instruction(
          index,
          i,
          "there is no "
              + what
              + " "
              + entry
              + "\n  expected: "
              + (size == 0 ? "none, for the module has none" : "an index of 0 to " + (size - 1)));
    }
    return exists;
  }

  private void arguments(int i, int callee, int given) {
    if (entry(i, "function", callee, module.functions().size())) {
      RelayFunction function = module.functions().get(callee);
      if (function.params() != given) {
        findings.instruction(
            index,
            i,
            "function "
                + function.name()
                + " takes "
                + count(function.params(), "argument")
                + "\n  got: "
                + given);
      }
    }
  }

  private void bound(int i, AllocClosure closure) {
    if (entry(i, "function", closure.function(), module.functions().size())) {
      RelayFunction function = module.functions().get(closure.function());
      if (closure.free().size() > function.params()) {
        findings.instruction(
            index,
            i,
            "a closure binds at most all parameters of its function\n  expected: at most "
                + function.params()
                + " for function "
                + function.name()
                + "\n  got: "
                + closure.free().size());
      }
    }
  }

  private void closure(int i, InvokeClosure call) {
    if (definitions.origin(call.closure()) instanceof AllocClosure made
        && made.function() >= 0
        && made.function() < module.functions().size()) {
      RelayFunction function = module.functions().get(made.function());
      int free = function.params() - made.free().size();
      if (free >= 0 && free != call.args().size()) {
        findings.instruction(
            index,
            i,
            "the closure of function "
                + function.name()
                + " with "
                + count(made.free().size(), "bound value")
                + " takes "
                + count(free, "argument")
                + "\n  got: "
                + call.args().size());
      }
    }
  }

  private void field(int i, GetField get) {
    boolean valid = get.index() >= 0;
    String expected = "an index of 0 or more";
    if (definitions.origin(get.src()) instanceof AllocDatatype made) {
      int size = made.fields().size();
      valid &= get.index() < size;
      expected = size == 0 ? "none, for the datatype has none" : "an index of 0 to " + (size - 1);
    }
    if (!valid) {
      findings.instruction(
          index, i, "there is no field " + get.index() + "\n  expected: " + expected);
    }
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
