package org.relaxvm.vmcore.dataflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which stream of a device each instruction of a region uses. The host submits work in program
 * order; what is independent goes to different streams, called lanes. Lane 0 is the stream of the
 * call outside of regions. Immutable.
 *
 * @param count of the lanes, lane 0 included
 * @param lanes of each instruction
 * @param waits for each instruction the earlier calls and allocations that it depends on
 * @param isWaitedFor whether an instruction's work is waited for
 * @param submits whether an instruction may submit work, which waits for that of other lanes
 * @param releases for each instruction the lane in which the memory that it releases was allocated,
 *     which waits for the users in other lanes; -1 for none
 * @param isKept whether an instruction allocates memory that belongs to lane 0, since it is used
 *     after the region or was allocated in several lanes
 */
@SuppressWarnings("ArrayRecordComponent") // never changed
public record LanePlan(
    int count,
    int[] lanes,
    int[][] waits,
    boolean[] isWaitedFor,
    boolean[] submits,
    int[] releases,
    boolean[] isKept) {

  /**
   * The lanes of a region.
   *
   * @param graph what instructions wait for
   * @param head for each instruction the one that its task is named after
   * @param most lanes beside lane 0
   */
  static LanePlan of(DependenceGraph graph, int[] head, int most) {
    int size = graph.size();
    int[] lanes = lanes(graph, head, most);
    ReleasedMemory memory = new ReleasedMemory(graph, lanes);
    int[] releases = memory.releases();
    int[][] waits = new int[size][];
    boolean[] isWaitedFor = new boolean[size];
    boolean[] submits = new boolean[size];
    for (int i = 0; i < size; i++) {
      submits[i] = graph.submits(i);
      BitSet before = submits[i] || releases[i] >= 0 ? callsBefore(graph, i) : new BitSet();
      for (int p = before.nextSetBit(0); p >= 0; p = before.nextSetBit(p + 1)) {
        isWaitedFor[p] = true;
      }
      waits[i] = before.stream().toArray();
    }
    return new LanePlan(most + 1, lanes, waits, isWaitedFor, submits, releases, memory.isKept());
  }

  /**
   * The calls that take time, and the allocations, before an instruction, over any number of other
   * brief ones. Memory is free to be used when the lane of its allocation is that far.
   */
  private static BitSet callsBefore(DependenceGraph graph, int i) {
    BitSet calls = new BitSet();
    BitSet seen = new BitSet();
    List<Integer> next = new ArrayList<>(List.of(i));
    while (!next.isEmpty()) {
      BitSet before = graph.predecessors(next.removeLast());
      for (int p = before.nextSetBit(0); p >= 0; p = before.nextSetBit(p + 1)) {
        if (!graph.isBrief(p) || graph.allocates(p)) {
          calls.set(p);
        } else if (!seen.get(p)) {
          seen.set(p);
          next.add(p);
        }
      }
    }
    return calls;
  }

  private static int[] lanes(DependenceGraph graph, int[] head, int most) {
    int size = head.length;
    int[] lanes = new int[size];
    Arrays.fill(lanes, -1);
    boolean[] isContinued = new boolean[size];
    int used = 0;
    for (int i = 0; i < size; i++) {
      if (graph.isBrief(i)) {
        continue;
      }
      if (graph.allocates(i) || graph.releasesOperand(i)) {
        // Its work and its memory are of one stream, whoever uses the memory later.
        lanes[i] = 0;
        continue;
      }
      BitSet before = callsBefore(graph, i);
      for (int p = before.nextSetBit(0); p >= 0 && lanes[i] < 0; p = before.nextSetBit(p + 1)) {
        if (!graph.isBrief(p) && !isContinued[p] && lanes[p] > 0) {
          isContinued[p] = true;
          lanes[i] = lanes[p];
        }
      }
      if (lanes[i] < 0) {
        lanes[i] = 1 + used++ % most;
      }
    }
    // Brief instructions are in the lane of their task, or of the first call that waits for them.
    for (int i = size - 1; i >= 0; i--) {
      if (lanes[i] < 0) {
        lanes[i] = head[i] == i ? 0 : lanes[head[i]];
      }
      BitSet before = graph.predecessors(i);
      for (int p = before.nextSetBit(0); p >= 0; p = before.nextSetBit(p + 1)) {
        if (graph.isBrief(p) && head[p] == p) {
          lanes[p] = lanes[i];
        }
      }
    }
    return lanes;
  }
}
