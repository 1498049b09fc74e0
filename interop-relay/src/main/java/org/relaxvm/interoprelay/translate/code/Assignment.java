package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.relaxvm.interoprelay.flow.AnalysisSize;

/**
 * Which registers may be read before they are written.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 16. A search for each register, backward from
 * the blocks that read it first, past blocks that do not write it: memory is in proportion to the
 * function, whatever the numbers of its registers.
 */
public final class Assignment {
  private final CodeGraph graph;
  private final List<List<Integer>> predecessors = new ArrayList<>();
  private final List<Set<Integer>> written = new ArrayList<>();
  private final Map<Integer, List<Integer>> readers = new HashMap<>();

  private Assignment(CodeGraph graph) {
    this.graph = graph;
    for (int i = 0; i < graph.size(); i++) {
      predecessors.add(new ArrayList<>());
      written.add(new HashSet<>());
    }
    for (int block : graph.reversePostOrder()) {
      graph.block(block).successors().forEach(next -> predecessors.get(next).add(block));
      scan(block);
    }
  }

  /** Empties the registers that may be read too early, at the start of the function. */
  public static void complete(CodeGraph graph) {
    Assignment assignment = new Assignment(graph);
    AnalysisSize.require(graph.name(), graph.size(), assignment.readers.size());
    List<Call> clears = new ArrayList<>();
    new TreeSet<>(assignment.readers.keySet())
        .stream()
            .filter(assignment::isLiveAtEntry)
            .forEach(register -> clears.add(Call.clear(register)));
    graph.entry().calls().addAll(0, clears);
  }

  private void scan(int index) {
    CodeBlock block = graph.block(index);
    block.calls().forEach(call -> step(call, index));
    switch (block.exit()) {
      case Exit.Return(int register) -> read(register, index);
      case Exit.Branch(Call condition, _, _) -> step(condition, index);
      case Exit.Jump _ -> {}
    }
  }

  private void step(Call call, int block) {
    call.reads().forEach(register -> read(register, block));
    if (call.dst() != Call.NO_RESULT) {
      written.get(block).add(call.dst());
    }
  }

  private void read(int register, int block) {
    if (register >= graph.params() && !written.get(block).contains(register)) {
      readers.computeIfAbsent(register, _ -> new ArrayList<>()).add(block);
    }
  }

  private boolean isLiveAtEntry(int register) {
    List<Integer> waiting = new ArrayList<>(readers.getOrDefault(register, List.of()));
    BitSet seen = new BitSet();
    while (!waiting.isEmpty()) {
      int block = waiting.removeLast();
      if (block == CodeGraph.ENTRY) {
        return true;
      }
      if (!seen.get(block)) {
        seen.set(block);
        predecessors.get(block).stream()
            .filter(from -> !written.get(from).contains(register))
            .forEach(waiting::add);
      }
    }
    return false;
  }
}
