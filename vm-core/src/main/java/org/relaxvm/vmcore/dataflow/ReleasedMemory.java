package org.relaxvm.vmcore.dataflow;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Where the memory of a region is allocated and released, by lanes. */
final class ReleasedMemory {
  private final DependenceGraph graph;
  private final Map<Integer, Integer> groups = new HashMap<>();
  private final Map<Integer, Integer> laneOfBlock = new HashMap<>();
  private final int[] releasedBlock;

  // Blocks of lane 0: they are used after the region, were allocated in several lanes, or are
  // released by a call in lane 0 that uses them itself.
  private final Set<Integer> kept = new HashSet<>();

  ReleasedMemory(DependenceGraph graph, int[] lanes) {
    this.graph = graph;
    this.releasedBlock = new int[graph.size()];
    for (int i = 0; i < releasedBlock.length; i++) {
      int register = graph.destination(i);
      releasedBlock[i] = -1;
      if (register < 0) {
        continue;
      }
      MemoryClasses classes = graph.memory().classes();
      Integer old = groups.get(register);
      releasedBlock[i] = classes.block(old == null ? MemoryClasses.OUTSIDE : old);
      if (graph.releasesOperand(i)) {
        kept.add(releasedBlock[i]);
      }
      int group = graph.memory().groupAt(graph.position(i) + 1);
      groups.put(register, group);
      if (graph.allocates(i)) {
        Integer known = laneOfBlock.putIfAbsent(classes.block(group), lanes[i]);
        if (known != null && known != lanes[i]) {
          kept.add(classes.block(group));
        }
      }
    }
    groups.values().forEach(group -> kept.add(graph.memory().classes().block(group)));
  }

  /**
   * For each instruction the lane of the memory that it releases: lane 0 for memory from outside of
   * the region, and for memory that lane 0 has; -1 for none.
   */
  int[] releases() {
    int[] releases = new int[releasedBlock.length];
    for (int i = 0; i < releases.length; i++) {
      int block = releasedBlock[i];
      Integer lane = laneOfBlock.get(block);
      releases[i] = block < 0 ? -1 : lane == null || kept.contains(block) ? 0 : lane;
    }
    return releases;
  }

  /** Whether an instruction allocates memory of lane 0. */
  boolean[] isKept() {
    boolean[] isKept = new boolean[releasedBlock.length];
    for (int i = 0; i < isKept.length; i++) {
      isKept[i] =
          graph.allocates(i)
              && graph.destination(i) >= 0
              && kept.contains(
                  graph.memory().classes().block(graph.memory().groupAt(graph.position(i) + 1)));
    }
    return isKept;
  }
}
