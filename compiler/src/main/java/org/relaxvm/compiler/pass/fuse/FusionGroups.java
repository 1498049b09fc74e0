package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.pattern.OpPattern;

/**
 * Joins nodes to groups, each of which becomes one kernel.
 *
 * <p>Unlike Apache TVM, a group with a product takes in elementwise followers only: a reshape, a
 * transposition or a reduction behind it gets a kernel of its own, so that product, bias and
 * activation stay one call of a library. Source: passes, section 5.3.
 */
final class FusionGroups {
  private final int maxDepth;

  private FusionGroups(int maxDepth) {
    this.maxDepth = maxDepth;
  }

  /** Whether a node may be on a path along which nodes join. */
  private interface Condition {
    boolean holds(OpPattern groupPattern, boolean isSink);
  }

  /** Joins what goes together. */
  static void join(List<FusionNode> nodes, int maxDepth) {
    FusionGroups groups = new FusionGroups(maxDepth);
    nodes.forEach(groups::joinDirect);
    nodes.forEach(groups::joinInjective);
  }

  private void joinDirect(FusionNode node) {
    FusionNode sink = candidate(node);
    if (sink == null) {
      return;
    }
    if (node.groupHasAnchor()) {
      // What follows a product stays what a library function can do behind it.
      boolean elementwise =
          node.pattern == OpPattern.OUT_EWISE_FUSABLE
              ? node.pathPattern == OpPattern.ELEMWISE
              : upTo(node.pathPattern, OpPattern.BROADCAST);
      if (elementwise && allows(node, sink, (kind, isSink) -> upTo(kind, OpPattern.BROADCAST))) {
        commit(node, sink);
      }
    } else if (upTo(node.pattern, OpPattern.BROADCAST)) {
      boolean direct =
          upTo(node.pathPattern, OpPattern.INJECTIVE) || node.pathPattern == OpPattern.COMM_REDUCE;
      Condition condition =
          (kind, isSink) -> upTo(kind, isSink ? OpPattern.OUT_EWISE_FUSABLE : OpPattern.INJECTIVE);
      if (direct && allows(node, sink, condition)) {
        commit(node, sink);
      }
    }
  }

  private void joinInjective(FusionNode node) {
    FusionNode sink = candidate(node);
    if (sink != null
        && node.pattern == OpPattern.INJECTIVE
        && allows(node, sink, (kind, isSink) -> upTo(kind, OpPattern.INJECTIVE))) {
      commit(node, sink);
    }
  }

  /** Where a node might join; null when it cannot. */
  private @Nullable FusionNode candidate(FusionNode node) {
    FusionNode sink = node.dominator;
    if (sink == null || node.pattern == OpPattern.OPAQUE || node.isWith(sink)) {
      return null;
    }
    // Two products never share a kernel.
    boolean anchors = node.groupHasAnchor() && sink.groupHasAnchor();
    return anchors || sink.groupSize() + nodesUpTo(node, sink) > maxDepth ? null : sink;
  }

  private static boolean upTo(OpPattern kind, OpPattern limit) {
    return kind.compareTo(limit) <= 0;
  }

  private static int nodesUpTo(FusionNode node, FusionNode sink) {
    Set<FusionNode> seen = new HashSet<>();
    Set<FusionNode> groups = new HashSet<>();
    walk(node, sink, seen);
    int count = 0;
    for (FusionNode on : seen) {
      if (on.index != sink.index && groups.add(on.group())) {
        count += on.groupSize();
      }
    }
    return count;
  }

  private static boolean allows(FusionNode node, FusionNode sink, Condition condition) {
    Set<FusionNode> seen = new HashSet<>();
    walk(node, sink, seen);
    return seen.stream()
        .filter(on -> on.index != node.index)
        .allMatch(on -> condition.holds(on.groupPattern(), on.index == sink.index));
  }

  private static void commit(FusionNode node, FusionNode sink) {
    Set<FusionNode> seen = new HashSet<>();
    walk(node, sink, seen);
    seen.forEach(on -> on.join(sink));
  }

  /** All nodes on paths to the sink, both ends too. */
  private static void walk(FusionNode node, FusionNode sink, Set<FusionNode> seen) {
    ArrayDeque<FusionNode> work = new ArrayDeque<>(List.of(node));
    while (!work.isEmpty()) {
      FusionNode next = work.pop();
      if (seen.add(next) && next.index != sink.index) {
        next.uses.forEach(use -> work.push(use.by()));
      }
    }
  }
}
