package org.relaxvm.interoprelay.translate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Invoke;
import org.relaxvm.interoprelay.proposal.RelayInstruction.TailInvoke;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.translate.code.Call;
import org.relaxvm.interoprelay.translate.code.ClosureWrappers;
import org.relaxvm.interoprelay.translate.code.CodeGraph;
import org.relaxvm.interoprelay.translate.code.FunctionNames;
import org.relaxvm.interoprelay.translate.code.Operand;

/**
 * Closures of functions: through wrappers, or directly where the function itself has its parameters
 * in another order.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 6.
 */
final class Closures {
  private final FunctionNames names;
  private final ClosureWrappers wrappers;
  private final Map<Integer, Integer> boundFirst = new HashMap<>();

  Closures(RelayModule module, FunctionNames names, boolean renumber) {
    this.names = names;
    this.wrappers =
        new ClosureWrappers(names, function -> module.functions().get(function).params());
    if (renumber) {
      findRenumbered(module);
    }
  }

  private void findRenumbered(RelayModule module) {
    Map<Integer, Set<Integer>> uses = new HashMap<>();
    Set<Integer> called = new HashSet<>();
    for (RelayFunction function : module.functions()) {
      for (RelayInstruction instruction : function.code()) {
        switch (instruction) {
          case AllocClosure made ->
              uses.computeIfAbsent(made.function(), _ -> new HashSet<>()).add(made.free().size());
          case Invoke call -> called.add(call.function());
          case TailInvoke call -> called.add(call.function());
          default -> {}
        }
      }
    }
    uses.forEach(
        (function, counts) -> {
          if (counts.size() == 1 && !called.contains(function)) {
            boundFirst.put(function, counts.iterator().next());
          }
        });
  }

  /** How many parameters of a function are bound first in Relay and are its last in Relax. */
  int boundFirst(int function) {
    return boundFirst.getOrDefault(function, 0);
  }

  /** The closure of a function with bound values. */
  Call close(int dst, int function, List<Operand> bound) {
    String target =
        bound.size() == boundFirst(function)
            ? names.get(function)
            : wrappers.functionFor(function, bound.size());
    return wrappers.close(dst, target, bound);
  }

  /** The wrappers that were asked for. */
  List<CodeGraph> wrappers() {
    return wrappers.wrappers();
  }
}
