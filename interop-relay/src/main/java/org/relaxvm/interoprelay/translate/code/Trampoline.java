package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.interoprelay.translate.code.TailCalls.TailCall;

/**
 * Tail calls that use no stack. A tail call of the function itself becomes a jump. Functions that
 * tail-call each other in a circle return requests for calls, and each is called through a function
 * of the same name that makes the calls requested, one after the other.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 9.
 *
 * <p>Rationale: docs/rationale/interop-relay.md, "Why is the trampoline bytecode and no builtin?"
 * and "Why do tail calls of closures use the stack?"
 */
public final class Trampoline {
  private final Map<CodeGraph, List<TailCall>> calls = new HashMap<>();
  private final RecursiveGroups groups;

  private Trampoline(List<CodeGraph> graphs) {
    Map<String, Set<String>> callees = new HashMap<>();
    for (CodeGraph graph : graphs) {
      List<TailCall> found = TailCalls.of(graph);
      calls.put(graph, found);
      Set<String> names = new HashSet<>();
      found.forEach(call -> names.add(call.callee().name()));
      callees.put(graph.name(), names);
    }
    groups = RecursiveGroups.of(callees);
  }

  /**
   * Rewrites the tail calls of a program.
   *
   * @param graphs all functions
   * @param names gives names to further functions
   * @param always whether calls are requested that need not be tail calls
   * @return all functions of the program, with those that make requested calls
   */
  public static List<CodeGraph> apply(List<CodeGraph> graphs, FunctionNames names, boolean always) {
    Trampoline trampoline = new Trampoline(graphs);
    Map<String, String> bodies = new HashMap<>();
    for (CodeGraph graph : graphs) {
      if (trampoline.calls(graph).stream().anyMatch(call -> trampoline.asks(graph, call, always))) {
        bodies.put(graph.name(), names.unused(graph.name() + "$tail"));
      }
    }
    List<CodeGraph> all = new ArrayList<>();
    for (CodeGraph graph : graphs) {
      trampoline.rewrite(graph, bodies, always);
      String body = bodies.get(graph.name());
      if (body != null) {
        all.add(caller(graph, body));
        graph.rename(body);
      }
      all.add(graph);
    }
    return all;
  }

  private List<TailCall> calls(CodeGraph graph) {
    return calls.getOrDefault(graph, List.of());
  }

  private boolean asks(CodeGraph graph, TailCall call, boolean always) {
    String callee = call.callee().name();
    return !callee.equals(graph.name())
        && (always || call.callee().guaranteed())
        && groups.areMutual(graph.name(), callee);
  }

  private void rewrite(CodeGraph graph, Map<String, String> bodies, boolean always) {
    for (TailCall call : calls(graph)) {
      String callee = call.callee().name();
      if (callee.equals(graph.name())) {
        TailCalls.loop(graph, call);
      } else if (asks(graph, call, always)) {
        TailCalls.request(graph, call, bodies.getOrDefault(callee, callee));
      }
    }
  }

  /** The function that others call: it calls the body, then what is requested. */
  private static CodeGraph caller(CodeGraph graph, String body) {
    CodeGraph made =
        new CodeGraph(graph.name(), graph.params(), graph.paramNames(), graph.params());
    int result = made.newRegister();
    List<Operand> args = new ArrayList<>();
    for (int i = 0; i < graph.params(); i++) {
      args.add(Operand.register(i));
    }
    int test = made.newBlock();
    int next = made.newBlock();
    int end = made.newBlock();
    made.entry().add(new Call(new Call.Callee.InProgram(body, false), args, result));
    made.entry().exit(new Exit.Jump(test));
    Call isRequest =
        Call.packed(made.newRegister(), "vm.builtin.is_tail_request", Operand.register(result));
    made.block(test).exit(new Exit.Branch(isRequest, next, end));
    int call = made.newRegister();
    made.block(next).add(Call.packed(call, "vm.builtin.tail_closure", Operand.register(result)));
    made.block(next)
        .add(
            Call.packed(
                result,
                "vm.builtin.invoke_closure",
                new Operand.Context(),
                Operand.register(call)));
    made.block(next).exit(new Exit.Jump(test));
    made.block(end).exit(new Exit.Return(result));
    return made;
  }
}
