package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.Label;

/**
 * Emits a function: orders its blocks so that registers are written before they are read in order
 * of the instructions, and makes jumps of what the order does not say.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 7.
 *
 * <p>Rationale: docs/rationale/interop-relay.md, "Why are blocks always laid out in reverse
 * post-order?"
 */
public final class BlockLayout {
  private static final int UNKNOWN = -1;
  private static final int ON_THE_WAY = -2;

  private final ExecBuilder builder;
  private final CodeGraph graph;
  private final Map<Integer, Label> labels = new HashMap<>();
  private final Set<Integer> emitted = new HashSet<>();

  private BlockLayout(ExecBuilder builder, CodeGraph graph) {
    this.builder = builder;
    this.graph = graph;
  }

  /**
   * Emits a function.
   *
   * @param builder gets the function; functions that it calls must be declared
   * @param graph is changed: empty blocks are left out
   */
  public static void emit(ExecBuilder builder, CodeGraph graph) {
    builder.emitFunction(graph.name(), graph.params(), graph.paramNames());
    new BlockLayout(builder, graph).blocks();
    builder.endFunction(graph.name());
  }

  private void blocks() {
    skipEmptyBlocks();
    List<Integer> order = graph.reversePostOrder();
    order.forEach(block -> labels.put(block, builder.newLabel()));
    for (int i = 0; i < order.size(); i++) {
      CodeBlock block = graph.block(order.get(i));
      builder.place(label(order.get(i)));
      emitted.add(order.get(i));
      block.calls().forEach(this::call);
      exit(block.exit(), i + 1 < order.size() ? order.get(i + 1) : -1);
    }
  }

  /** Jumps to a block that only jumps go to its target, apart from an infinite loop of jumps. */
  private void skipEmptyBlocks() {
    boolean changed = true;
    while (changed) {
      int[] destinations = destinations();
      changed = false;
      for (int block : graph.reversePostOrder()) {
        Exit before = graph.block(block).exit();
        graph.block(block).redirect(target -> destinations[target]);
        changed |= !graph.block(block).exit().equals(before);
      }
    }
  }

  private boolean isEmpty(int block) {
    return graph.block(block).calls().isEmpty() && graph.block(block).exit() instanceof Exit.Jump;
  }

  /**
   * For each block, the first that is not empty on the way from it. One block of each infinite loop
   * of jumps gets an instruction. Each block is passed once.
   */
  private int[] destinations() {
    int[] destinations = new int[graph.size()];
    Arrays.fill(destinations, UNKNOWN);
    List<Integer> path = new ArrayList<>();
    for (int i = 0; i < graph.size(); i++) {
      int at = i;
      while (destinations[at] == UNKNOWN
          && isEmpty(at)
          && graph.block(at).exit() instanceof Exit.Jump(int next)) {
        destinations[at] = ON_THE_WAY;
        path.add(at);
        at = next;
      }
      if (destinations[at] == ON_THE_WAY) {
        graph.block(at).add(Call.clear(graph.newRegister()));
      }
      int end = destinations[at] >= 0 ? destinations[at] : at;
      destinations[at] = end;
      path.forEach(block -> destinations[block] = end);
      path.clear();
    }
    return destinations;
  }

  private Label label(int block) {
    Label label = labels.get(block);
    if (label == null) {
      throw new IllegalStateException("block " + block + " has no label");
    }
    return label;
  }

  private void exit(Exit exit, int next) {
    switch (exit) {
      case Exit.Return(int register) -> builder.emitRet(Arg.register(register));
      case Exit.Jump(int target) -> {
        if (target != next) {
          builder.emitGoto(label(target));
        }
      }
      case Exit.Branch(Call condition, int ifTrue, int ifFalse) -> {
        call(condition);
        branch(Arg.register(condition.dst()), ifTrue, ifFalse, next);
      }
    }
  }

  /** An If goes on at the next instruction, or further down if its condition is false. */
  private void branch(Arg condition, int ifTrue, int ifFalse, int next) {
    if (ifTrue == next && !emitted.contains(ifFalse)) {
      builder.emitIf(condition, label(ifFalse));
      return;
    }
    builder.emitIf(condition, 2);
    builder.emitGoto(label(ifTrue));
    if (ifFalse != next) {
      builder.emitGoto(label(ifFalse));
    }
  }

  private void call(Call call) {
    List<Arg> args = new ArrayList<>();
    call.args().forEach(arg -> args.add(argument(arg)));
    Arg dst = call.dst() == Call.NO_RESULT ? Arg.VOID : Arg.register(call.dst());
    switch (call.callee()) {
      case Call.Callee.Packed(String name) -> builder.emitCall(name, args, dst);
      case Call.Callee.InProgram(String name, _) -> builder.emitCall(builder.f(name), args, dst);
    }
  }

  private Arg argument(Operand operand) {
    return switch (operand) {
      case Operand.Register(int number) -> Arg.register(number);
      case Operand.Constant(Object value) -> builder.convertConstant(value);
      case Operand.ProgramFunction(String name) -> builder.f(name);
      case Operand.PackedFunction(String name) ->
          builder.declareFunction(name, FunctionKind.PACKED);
      case Operand.Context() -> Arg.VM;
      case Operand.Nothing() -> Arg.VOID;
    };
  }
}
