package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.tir.analysis.OpPattern;

/**
 * A binding of a dataflow block as the analysis of groups sees it. Source: docs/spec/passes.md,
 * section 5.1.
 */
final class FusionNode {
  final int index;
  final Binding binding;
  final OpPattern pattern;

  /** Whether no group goes on after it, such as where it is seen outside of the block. */
  boolean endsGroup;

  /** The number of variables that it reads. */
  final int arguments;

  /** Who uses the value. */
  final List<FusionNode> uses = new ArrayList<>();

  // The tree of post-dominators: where all paths from here meet, and what is on the way.
  @Nullable FusionNode dominator;
  int depth = 1;
  OpPattern pathPattern = OpPattern.OPAQUE;

  // Groups: a tree whose root stands for the group.
  private @Nullable FusionNode joined;
  private OpPattern groupPattern;
  private int groupSize = 1;

  FusionNode(int index, Binding binding, OpPattern pattern, int arguments) {
    this.index = index;
    this.binding = binding;
    this.pattern = pattern;
    this.arguments = arguments;
    this.groupPattern = pattern;
  }

  /** The node that stands for the group. */
  FusionNode group() {
    FusionNode root = this;
    while (root.joined != null) {
      root = root.joined;
    }
    FusionNode node = this;
    while (node.joined != null) {
      FusionNode next = node.joined;
      node.joined = root;
      node = next;
    }
    return root;
  }

  /** What kind of operator the whole group is: that of its matmul or convolution, if it has one. */
  OpPattern groupPattern() {
    return group().groupPattern;
  }

  /** The number of bindings in the group. */
  int groupSize() {
    return group().groupSize;
  }

  /** Whether two nodes are in one group. */
  boolean isWith(FusionNode other) {
    return group().index == other.group().index;
  }

  /** Joins the group of another node. */
  void join(FusionNode other) {
    FusionNode from = group();
    FusionNode to = other.group();
    if (from.index == to.index) {
      return;
    }
    to.groupSize += from.groupSize;
    from.joined = to;
    if (from.groupPattern == OpPattern.OUT_EWISE_FUSABLE) {
      to.groupPattern = OpPattern.OUT_EWISE_FUSABLE;
    }
  }

  /** Of two patterns the one that says less. */
  static OpPattern wider(OpPattern a, OpPattern b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
