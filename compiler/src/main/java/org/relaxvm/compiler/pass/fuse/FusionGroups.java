package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.analysis.OpPattern;

/**
 * Joins nodes to groups, each of which becomes one kernel.
 *
 * <p>A group with a matmul or convolution takes in elementwise followers only, so that it, bias and
 * activation stay one call of a library: a reshape, a transposition or a reduction after it gets a
 * kernel of its own. Source: docs/spec/passes.md, section 5.3.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why do reshapes not fuse into a matmul?"
 */
final class FusionGroups {
  /**
   * Nothing joins a kernel after it that reads more variables than these.
   *
   * <p>Rationale: docs/rationale/compiler.md, "Why does nothing fuse into a kernel of many
   * tensors?"
   */
  private static final int MOST_ARGUMENTS = 32;

  private final int maxDepth;

  private FusionGroups(int maxDepth) {
    this.maxDepth = maxDepth;
  }

  /** Whether a node may be on a path along which nodes join. */
  private interface Condition {
    boolean holds(OpPattern groupPattern, boolean isSink);
  }

  /**
   * Joins what goes together; what only moves elements comes last, so that matmuls and convolutions
   * go first.
   */
  static void join(List<FusionNode> nodes, int maxDepth) {
    FusionGroups groups = new FusionGroups(maxDepth);
    nodes.forEach(groups::joinDirect);
    nodes.forEach(groups::joinInjective);
  }

  private void joinDirect(FusionNode node) {
    OpPattern pattern = node.groupPattern();
    if (pattern == OpPattern.OUT_EWISE_FUSABLE) {
      if (node.pathPattern == OpPattern.ELEMWISE) {
        join(node, (kind, isSink) -> upTo(kind, OpPattern.BROADCAST));
      }
    } else if (upTo(pattern, OpPattern.BROADCAST)) {
      if (upTo(node.pathPattern, OpPattern.COMM_REDUCE)) {
        OpPattern between = OpPattern.INJECTIVE;
        OpPattern sink = OpPattern.OUT_EWISE_FUSABLE;
        join(node, (kind, isSink) -> upTo(kind, isSink ? sink : between));
      }
    }
  }

  private void joinInjective(FusionNode node) {
    if (node.groupPattern() == OpPattern.INJECTIVE) {
      join(node, (kind, isSink) -> upTo(kind, OpPattern.INJECTIVE));
    }
  }

  /** Joins a node, where all its paths meet, and what is between, if it may be so. */
  private void join(FusionNode node, Condition condition) {
    FusionNode sink = node.dominator;
    if (sink == null || node.isWith(sink)) {
      return;
    }
    Set<FusionNode> path = path(node, sink);
    boolean fits =
        path.stream()
            .filter(on -> on.index != node.index)
            .allMatch(
                on ->
                    on.arguments <= MOST_ARGUMENTS
                        && condition.holds(on.groupPattern(), on.index == sink.index));
    if (fits && size(path) <= maxDepth) {
      path.forEach(on -> on.join(sink));
    }
  }

  /** The number of bindings in the groups of nodes. */
  private static int size(Set<FusionNode> nodes) {
    Set<FusionNode> groups = new HashSet<>();
    nodes.forEach(node -> groups.add(node.group()));
    return groups.stream().mapToInt(FusionNode::groupSize).sum();
  }

  private static boolean upTo(OpPattern kind, OpPattern limit) {
    return kind.compareTo(limit) <= 0;
  }

  /** All nodes on paths to the sink, both ends too. */
  private static Set<FusionNode> path(FusionNode node, FusionNode sink) {
    Set<FusionNode> seen = new HashSet<>();
    ArrayDeque<FusionNode> work = new ArrayDeque<>(List.of(node));
    while (!work.isEmpty()) {
      FusionNode next = work.pop();
      if (seen.add(next) && next.index != sink.index) {
        work.addAll(next.uses);
      }
    }
    return seen;
  }
}
