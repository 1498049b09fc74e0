package org.relaxvm.interoponnx.operator.ml;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.relaxvm.interoponnx.convert.NodeContext;

/**
 * The nodes of decision trees as columns of a table, leaves among them: a leaf leads to itself.
 * Filled row by row, then complete.
 */
final class TreeTables {
  /** The comparison of a feature with the threshold of a node, by its number in the format. */
  enum Mode {
    LEQ,
    LT,
    GTE,
    GT,
    EQ,
    NEQ,
    MEMBER,
    LEAF
  }

  /** How the votes of the leaves that a row reaches are combined. */
  enum Aggregate {
    AVERAGE,
    SUM,
    MIN,
    MAX
  }

  final int[] features;
  final double[] thresholds;
  final Mode[] modes;
  final int[] whenTrue;
  final int[] whenFalse;
  final boolean[] missingIsTrue;

  /** The members of a set for each node that asks for one; empty for others. */
  final List<double[]> members = new ArrayList<>();

  /** The node where each tree begins. */
  final List<Integer> roots = new ArrayList<>();

  /** For each node its weight for each target. */
  final double[][] weights;

  /** Whether a node has a weight for a target. */
  final boolean[][] votes;

  private final Aggregate aggregate;

  /** Tables without edges and votes. */
  static TreeTables of(NodeContext node, int nodes, long targets, Aggregate aggregate) {
    if (targets < 1) {
      throw node.unsupported("it has " + targets + " targets; expected 1 or more", "");
    }
    // A weight, whether there is one, and both again in the tables of the program.
    node.reserve(Math.multiplyHigh(targets, nodes) == 0 ? targets * nodes : -1, 3 * Double.BYTES);
    node.reserve(targets, Double.BYTES);
    return new TreeTables(nodes, (int) targets, aggregate);
  }

  private TreeTables(int nodes, int targets, Aggregate aggregate) {
    features = new int[nodes];
    thresholds = new double[nodes];
    modes = new Mode[nodes];
    whenTrue = new int[nodes];
    whenFalse = new int[nodes];
    missingIsTrue = new boolean[nodes];
    weights = new double[nodes][targets];
    votes = new boolean[nodes][targets];
    this.aggregate = aggregate;
    for (int i = 0; i < nodes; i++) {
      members.add(new double[0]);
    }
  }

  int size() {
    return features.length;
  }

  int targets() {
    return size() == 0 ? 0 : weights[0].length;
  }

  Aggregate aggregate() {
    return aggregate;
  }

  /** Makes a node a leaf. */
  void leaf(int node) {
    modes[node] = Mode.LEAF;
    whenTrue[node] = node;
    whenFalse[node] = node;
  }

  /** Adds a vote of a leaf; several votes for one target are combined as those of trees are. */
  void vote(int node, int target, double weight) {
    double old = weights[node][target];
    weights[node][target] =
        !votes[node][target]
            ? weight
            : switch (aggregate) {
              case MIN -> Math.min(old, weight);
              case MAX -> Math.max(old, weight);
              default -> old + weight;
            };
    votes[node][target] = true;
  }

  /**
   * The largest number of comparisons on the way from a root to a leaf.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when nodes lead to each other
   */
  int depth(NodeContext context) {
    int[] depths = new int[size()];
    Arrays.fill(depths, -1);
    int deepest = 0;
    for (int root : roots) {
      deepest = Math.max(deepest, depth(context, root, depths));
    }
    return deepest;
  }

  private int depth(NodeContext context, int root, int[] depths) {
    int open = -2;
    List<Integer> stack = new ArrayList<>(List.of(root));
    while (!stack.isEmpty()) {
      int node = stack.getLast();
      if (modes[node] == Mode.LEAF) {
        depths[node] = 0;
      }
      if (depths[node] >= 0) {
        stack.removeLast();
        continue;
      }
      int first = depths[whenTrue[node]];
      int second = depths[whenFalse[node]];
      if (first >= 0 && second >= 0) {
        depths[node] = 1 + Math.max(first, second);
        stack.removeLast();
      } else if (first == open || second == open) {
        throw context.unsupported("nodes of a tree lead to each other", "");
      } else {
        depths[node] = open;
        stack.add(first < 0 ? whenTrue[node] : whenFalse[node]);
      }
    }
    return depths[root];
  }
}
