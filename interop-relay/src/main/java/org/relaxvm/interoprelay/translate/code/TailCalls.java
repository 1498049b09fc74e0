package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.interoprelay.translate.code.Call.Callee;

/**
 * Calls of functions of the program whose result is the result of the caller.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 9. Between such a call and the end of the
 * function there are only copies of the result, also across blocks, and registers that are emptied.
 */
public final class TailCalls {
  private TailCalls() {}

  /**
   * A tail call.
   *
   * @param block the block that it is in
   * @param index among the calls of the block
   * @param callee what is called
   * @param args its arguments
   */
  public record TailCall(int block, int index, Callee.InProgram callee, List<Operand> args) {}

  /** The tail calls in the reachable blocks of a function. */
  public static List<TailCall> of(CodeGraph graph) {
    List<TailCall> found = new ArrayList<>();
    for (int block : graph.reversePostOrder()) {
      find(graph, block).ifPresent(found::add);
    }
    return found;
  }

  private static Optional<TailCall> find(CodeGraph graph, int block) {
    List<Call> calls = graph.block(block).calls();
    int index = calls.size() - 1;
    while (index >= 0 && isMove(calls.get(index))) {
      index--;
    }
    if (index < 0
        || !(calls.get(index).callee() instanceof Callee.InProgram callee)
        || !isReturned(graph, block, index)) {
      return Optional.empty();
    }
    return Optional.of(new TailCall(block, index, callee, calls.get(index).args()));
  }

  private static boolean isMove(Call call) {
    return call.isCopy() || call.isClear();
  }

  /** Follows the result of a call to the end of the function. */
  private static boolean isReturned(CodeGraph graph, int from, int index) {
    BitSet holders = new BitSet();
    holders.set(graph.block(from).calls().get(index).dst());
    Set<Integer> seen = new HashSet<>();
    int block = from;
    int next = index + 1;
    while (seen.add(block)) {
      List<Call> calls = graph.block(block).calls();
      for (Call call : calls.subList(next, calls.size())) {
        if (!isMove(call)) {
          return false;
        }
        holders.set(call.dst(), call.isCopy() && call.reads().allMatch(holders::get));
      }
      switch (graph.block(block).exit()) {
        case Exit.Return(int register) -> {
          return holders.get(register);
        }
        case Exit.Jump(int target) -> block = target;
        case Exit.Branch _ -> {
          return false;
        }
      }
      next = 0;
    }
    return false;
  }

  /** Makes a tail call of the function itself a jump to its entry. */
  public static void loop(CodeGraph graph, TailCall call) {
    List<Call> calls = graph.block(call.block()).calls();
    List<Call> emptied =
        calls.subList(call.index() + 1, calls.size()).stream()
            .filter(later -> later.isClear() && later.dst() >= graph.params())
            .toList();
    calls.subList(call.index(), calls.size()).clear();
    ParallelCopy copies = new ParallelCopy();
    for (int i = 0; i < call.args().size(); i++) {
      copies.add(i, call.args().get(i));
    }
    calls.addAll(copies.sequence(graph::newRegister));
    calls.addAll(emptied);
    graph.block(call.block()).exit(new Exit.Jump(CodeGraph.ENTRY));
  }

  /** Makes a tail call a request, which the function returns, for a call of {@code function}. */
  public static void request(CodeGraph graph, TailCall call, String function) {
    List<Call> calls = graph.block(call.block()).calls();
    calls.subList(call.index(), calls.size()).clear();
    List<Operand> args = new ArrayList<>();
    args.add(new Operand.ProgramFunction(function));
    args.addAll(call.args());
    int request = graph.newRegister();
    calls.add(Call.packed(request, "vm.builtin.tail_request", args));
    graph.block(call.block()).exit(new Exit.Return(request));
  }
}
