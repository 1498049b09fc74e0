package org.relaxvm.vmcore.dataflow;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallEffects;

/**
 * A region as tasks, which wait for each other. A task is one call that takes time, with brief
 * instructions before and after it, or a single brief instruction; its instructions are executed in
 * program order by one thread. Immutable.
 *
 * @param instructions positions of the instructions in program order
 * @param end the position after the last
 * @param tasks for each task the indices of its instructions, ascending
 * @param successors for each task the tasks that wait for it
 * @param predecessors for each task how many tasks it waits for
 * @param isBrief whether a task is a brief instruction
 * @param lanes the streams that instructions use; null where all devices are the host, and threads
 *     execute tasks instead
 */
@SuppressWarnings("ArrayRecordComponent") // never changed
public record RegionPlan(
    int[] instructions,
    int end,
    int[][] tasks,
    int[][] successors,
    int[] predecessors,
    boolean[] isBrief,
    @Nullable LanePlan lanes) {

  /** The plan of a region; empty when no two calls that take time are independent. */
  static Optional<RegionPlan> of(
      int[] code,
      CallEffects[] effects,
      int[] region,
      FunctionMemory memory,
      ParallelPolicy policy) {
    return TaskGraph.of(
            new DependenceGraph(code, effects, region, memory, policy.ordersAllocations()))
        .plan(code, region, policy.usesStreams() ? policy.workers() : 0);
  }
}
