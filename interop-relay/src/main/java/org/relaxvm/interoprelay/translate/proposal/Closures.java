package org.relaxvm.interoprelay.translate.proposal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Invoke;
import org.relaxvm.interoprelay.proposal.RelayInstruction.TailInvoke;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.translate.code.Call;
import org.relaxvm.interoprelay.translate.code.CodeGraph;
import org.relaxvm.interoprelay.translate.code.Exit;
import org.relaxvm.interoprelay.translate.code.FunctionNames;
import org.relaxvm.interoprelay.translate.code.Operand;

/**
 * Functions for closures. Relay binds the first parameters of a function, Relax the last: a wrapper
 * takes the bound values last and calls the function with them first, unless the function itself
 * has its parameters in another order.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 6.
 */
final class Closures {
  private final RelayModule module;
  private final FunctionNames names;
  private final Map<Integer, Integer> boundFirst = new HashMap<>();
  private final Map<Bound, String> wrapperNames = new HashMap<>();
  private final List<CodeGraph> wrappers = new ArrayList<>();

  private record Bound(int function, int count) {}

  Closures(RelayModule module, FunctionNames names, boolean renumber) {
    this.module = module;
    this.names = names;
    if (renumber) {
      findRenumbered();
    }
  }

  private void findRenumbered() {
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

  /** The function to bind values to, so that they are the first parameters of {@code function}. */
  String functionFor(int function, int bound) {
    boolean sameOrder = bound == 0 || bound == module.functions().get(function).params();
    if (sameOrder || bound == boundFirst(function)) {
      return names.get(function);
    }
    return wrapperNames.computeIfAbsent(new Bound(function, bound), this::wrapper);
  }

  private String wrapper(Bound bound) {
    String callee = names.get(bound.function());
    int params = module.functions().get(bound.function()).params();
    String name = names.unused(callee + "$cap" + bound.count());
    CodeGraph graph = new CodeGraph(name, params, List.of(), params);
    int open = params - bound.count();
    List<Operand> args =
        IntStream.concat(IntStream.range(open, params), IntStream.range(0, open))
            .mapToObj(Operand::register)
            .toList();
    int result = graph.newRegister();
    graph.entry().add(new Call(new Call.Callee.InProgram(callee, false), args, result));
    graph.entry().exit(new Exit.Return(result));
    wrappers.add(graph);
    return name;
  }

  /** The wrappers that were asked for. */
  List<CodeGraph> wrappers() {
    return wrappers;
  }
}
