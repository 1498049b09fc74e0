package org.relaxvm.vmcore.dataflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.relaxvm.vmcore.decode.InstructionCodes;

/**
 * Groups the instructions of a region into tasks. A brief instruction joins the call for which it
 * prepares something, such as the allocation of its output, or after which it cleans up, where that
 * delays nothing else; so memory is taken when it is needed and released soon.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does an allocation wait for the kernel that uses
 * it?"
 */
final class TaskGraph {
  private final DependenceGraph graph;
  private final int size;

  /** For each instruction the later ones that wait for it, over any number of edges. */
  private final BitSet[] reachable;

  /** For each instruction the later ones that wait for it directly. */
  private final BitSet[] successors;

  /** The instruction after which each task is named: its call that takes time. */
  private final int[] head;

  private TaskGraph(DependenceGraph graph) {
    this.graph = graph;
    this.size = graph.size();
    this.reachable = new BitSet[size];
    this.successors = new BitSet[size];
    this.head = new int[size];
  }

  static TaskGraph of(DependenceGraph graph) {
    TaskGraph tasks = new TaskGraph(graph);
    tasks.findReachable();
    tasks.group();
    return tasks;
  }

  /**
   * The plan; empty when no two calls that take time are independent.
   *
   * @param streams of a device that are used; 0 where threads of the host execute tasks
   */
  Optional<RegionPlan> plan(int[] code, int[] region, int streams) {
    if (!hasIndependentCalls()) {
      return Optional.empty();
    }
    List<List<Integer>> tasks = new ArrayList<>();
    int[] taskOf = new int[size];
    int[] taskOfHead = new int[size];
    for (int i = 0; i < size; i++) {
      if (head[i] == i) {
        taskOfHead[i] = tasks.size();
        tasks.add(new ArrayList<>());
      }
    }
    for (int i = 0; i < size; i++) {
      taskOf[i] = taskOfHead[head[i]];
      tasks.get(taskOf[i]).add(i);
    }
    BitSet[] waits = new BitSet[tasks.size()];
    boolean[] isBrief = new boolean[tasks.size()];
    for (int t = 0; t < waits.length; t++) {
      waits[t] = new BitSet();
      for (int i : tasks.get(t)) {
        BitSet before = graph.predecessors(i);
        for (int p = before.nextSetBit(0); p >= 0; p = before.nextSetBit(p + 1)) {
          waits[t].set(taskOf[p]);
        }
      }
      waits[t].clear(t);
      isBrief[t] = graph.isBrief(head[tasks.get(t).getFirst()]);
    }
    int last = region[size - 1];
    return Optional.of(
        new RegionPlan(
            region,
            last + InstructionCodes.length(code, last),
            tasks.stream().map(TaskGraph::array).toArray(int[][]::new),
            successors(waits),
            Arrays.stream(waits).mapToInt(BitSet::cardinality).toArray(),
            isBrief,
            streams == 0 ? null : LanePlan.of(graph, head, streams)));
  }

  private static int[][] successors(BitSet[] waits) {
    List<List<Integer>> successors = new ArrayList<>();
    for (int t = 0; t < waits.length; t++) {
      successors.add(new ArrayList<>());
    }
    for (int t = 0; t < waits.length; t++) {
      for (int p = waits[t].nextSetBit(0); p >= 0; p = waits[t].nextSetBit(p + 1)) {
        successors.get(p).add(t);
      }
    }
    return successors.stream().map(TaskGraph::array).toArray(int[][]::new);
  }

  private static int[] array(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }

  private void findReachable() {
    for (int i = 0; i < size; i++) {
      reachable[i] = new BitSet();
    }
    for (int i = size - 1; i >= 0; i--) {
      BitSet before = graph.predecessors(i);
      for (int p = before.nextSetBit(0); p >= 0; p = before.nextSetBit(p + 1)) {
        reachable[p].or(reachable[i]);
        reachable[p].set(i);
      }
    }
  }

  private boolean hasIndependentCalls() {
    for (int i = 0; i < size; i++) {
      for (int j = i + 1; j < size && !graph.isBrief(i); j++) {
        if (!graph.isBrief(j) && !reachable[i].get(j)) {
          return true;
        }
      }
    }
    return false;
  }

  private void group() {
    for (int i = size - 1; i >= 0; i--) {
      successors[i] = new BitSet();
      head[i] = i;
    }
    for (int i = 0; i < size; i++) {
      BitSet before = graph.predecessors(i);
      for (int p = before.nextSetBit(0); p >= 0; p = before.nextSetBit(p + 1)) {
        successors[p].set(i);
      }
    }
    for (int i = size - 1; i >= 0; i--) {
      if (graph.isBrief(i)) {
        head[i] = prepared(i);
      }
    }
    for (int i = 0; i < size; i++) {
      if (graph.isBrief(i) && head[i] == i) {
        head[i] = cleanedUpAfter(i);
      }
    }
  }

  /**
   * The call that an instruction prepares: all that waits for it waits for that call as well, or is
   * waited for by nothing, such as the end of a register.
   */
  private int prepared(int i) {
    BitSet waiting = successors[i];
    int call = -1;
    for (int s = waiting.nextSetBit(0); s >= 0; s = waiting.nextSetBit(s + 1)) {
      if (!graph.isBrief(head[s])) {
        call = call < 0 ? head[s] : Math.min(call, head[s]);
      }
    }
    if (call < 0) {
      return i;
    }
    for (int s = waiting.nextSetBit(0); s >= 0; s = waiting.nextSetBit(s + 1)) {
      boolean isLast = graph.isBrief(s) && head[s] == s && successors[s].isEmpty();
      if (head[s] != call && !reachable[call].get(s) && !isLast) {
        return i;
      }
    }
    return call;
  }

  /** The call after which an instruction can be executed at once; the instruction if none. */
  private int cleanedUpAfter(int i) {
    BitSet before = graph.predecessors(i);
    int call = -1;
    for (int p = before.nextSetBit(0); p >= 0; p = before.nextSetBit(p + 1)) {
      if (!graph.isBrief(head[p])) {
        call = Math.max(call, head[p]);
      }
    }
    boolean isAfter = call >= 0 && (reachable[call].get(i) || successors[i].isEmpty());
    if (!isAfter) {
      return i;
    }
    for (int p = before.nextSetBit(0); p >= 0; p = before.nextSetBit(p + 1)) {
      if (head[p] != call && !reachable[p].get(call)) {
        return i;
      }
    }
    return call;
  }
}
