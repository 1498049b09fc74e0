package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Functions for closures. Relay binds the first parameters of a function, Relax the last: a wrapper
 * takes the bound values last and calls the function with them first.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 6. Confined to one thread.
 */
public final class ClosureWrappers {
  private final FunctionNames names;
  private final IntUnaryOperator params;
  private final Map<Bound, String> wrapperNames = new HashMap<>();
  private final List<CodeGraph> wrappers = new ArrayList<>();

  private record Bound(int function, int count) {}

  /**
   * Wrappers for the functions of a program.
   *
   * @param params the number of parameters of a function
   */
  public ClosureWrappers(FunctionNames names, IntUnaryOperator params) {
    this.names = names;
    this.params = params;
  }

  /** The function to bind values to, so that they are the first parameters of {@code function}. */
  public String functionFor(int function, int bound) {
    return bound == 0 || bound == params.applyAsInt(function)
        ? names.get(function)
        : wrapperNames.computeIfAbsent(new Bound(function, bound), this::wrapper);
  }

  /** The closure of a function with bound values. */
  public Call close(int dst, String function, List<Operand> bound) {
    Operand closure = new Operand.ProgramFunction(function);
    if (bound.isEmpty()) {
      return Call.copy(dst, closure);
    }
    List<Operand> args = new ArrayList<>();
    args.add(closure);
    args.addAll(bound);
    return Call.packed(dst, "vm.builtin.make_closure", args);
  }

  private String wrapper(Bound bound) {
    String callee = names.get(bound.function());
    int all = params.applyAsInt(bound.function());
    String name = names.unused(callee + "$cap" + bound.count());
    CodeGraph graph = new CodeGraph(name, all, List.of(), all);
    int open = all - bound.count();
    List<Operand> args =
        IntStream.concat(IntStream.range(open, all), IntStream.range(0, open))
            .mapToObj(Operand::register)
            .toList();
    int result = graph.newRegister();
    graph.entry().add(new Call(new Call.Callee.InProgram(callee, false), args, result));
    graph.entry().exit(new Exit.Return(result));
    wrappers.add(graph);
    return name;
  }

  /** The wrappers that were asked for. */
  public List<CodeGraph> wrappers() {
    return List.copyOf(wrappers);
  }
}
