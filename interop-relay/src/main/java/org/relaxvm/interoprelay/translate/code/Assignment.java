package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Which registers may be read before they are written.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 16. A forward analysis: a register is written
 * at a block if it is on every path to it.
 */
public final class Assignment {
  private final CodeGraph graph;
  private final List<BitSet> starts = new ArrayList<>();
  private final BitSet unassigned = new BitSet();

  private Assignment(CodeGraph graph) {
    this.graph = graph;
    for (int i = 0; i < graph.size(); i++) {
      BitSet all = new BitSet();
      all.set(0, graph.registers());
      starts.add(all);
    }
    starts.get(CodeGraph.ENTRY).clear(graph.params(), graph.registers());
  }

  /** Empties the registers that may be read too early, at the start of the function. */
  public static void complete(CodeGraph graph) {
    List<Call> clears = new ArrayList<>();
    unassigned(graph).stream().forEach(register -> clears.add(Call.clear(register)));
    graph.entry().calls().addAll(0, clears);
  }

  private static BitSet unassigned(CodeGraph graph) {
    Assignment assignment = new Assignment(graph);
    List<Integer> order = graph.reversePostOrder();
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int block : order) {
        changed |= assignment.visit(block);
      }
    }
    return assignment.unassigned;
  }

  private boolean visit(int index) {
    CodeBlock block = graph.block(index);
    BitSet written = (BitSet) starts.get(index).clone();
    block.calls().forEach(call -> step(call, written));
    switch (block.exit()) {
      case Exit.Return(int register) -> read(register, written);
      case Exit.Branch(Call condition, _, _) -> step(condition, written);
      case Exit.Jump _ -> {}
    }
    boolean changed = false;
    for (int next : block.successors()) {
      int before = starts.get(next).cardinality();
      starts.get(next).and(written);
      changed |= starts.get(next).cardinality() < before;
    }
    return changed;
  }

  private void step(Call call, BitSet written) {
    call.reads().forEach(register -> read(register, written));
    if (call.dst() != Call.NO_RESULT) {
      written.set(call.dst());
    }
  }

  private void read(int register, BitSet written) {
    if (!written.get(register)) {
      unassigned.set(register);
    }
  }
}
