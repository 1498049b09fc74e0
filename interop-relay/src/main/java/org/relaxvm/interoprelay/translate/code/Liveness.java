package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.relaxvm.interoprelay.flow.AnalysisSize;

/** Which registers are read later, before they are written again. A snapshot. */
public final class Liveness {
  private final CodeGraph graph;
  private final List<BitSet> starts = new ArrayList<>();

  private Liveness(CodeGraph graph) {
    this.graph = graph;
    for (int i = 0; i < graph.size(); i++) {
      starts.add(new BitSet());
    }
  }

  /** Analyses the reachable blocks of a function. */
  public static Liveness of(CodeGraph graph) {
    AnalysisSize.require(graph.name(), graph.size(), graph.registers());
    Liveness liveness = new Liveness(graph);
    List<Integer> order = graph.reversePostOrder().reversed();
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int block : order) {
        BitSet start = liveness.atStart(graph.block(block), liveness.atEnd(block));
        changed |= !start.equals(liveness.starts.get(block));
        liveness.starts.set(block, start);
      }
    }
    return liveness;
  }

  /** The registers that are read after the calls of a block; the exit of the block reads some. */
  public BitSet atEnd(int block) {
    BitSet live = new BitSet();
    for (int next : graph.block(block).successors()) {
      live.or(starts.get(next));
    }
    switch (graph.block(block).exit()) {
      case Exit.Return(int register) -> live.set(register);
      case Exit.Branch(Call condition, _, _) -> step(condition, live);
      case Exit.Jump _ -> {}
    }
    return live;
  }

  private BitSet atStart(CodeBlock block, BitSet live) {
    block.calls().reversed().forEach(call -> step(call, live));
    return live;
  }

  private static void step(Call call, BitSet live) {
    if (call.dst() != Call.NO_RESULT) {
      live.clear(call.dst());
    }
    call.reads().forEach(live::set);
  }
}
