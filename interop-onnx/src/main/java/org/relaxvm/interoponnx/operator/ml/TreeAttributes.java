package org.relaxvm.interoponnx.operator.ml;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.ml.TreeTables.Aggregate;
import org.relaxvm.interoponnx.operator.ml.TreeTables.Mode;

/** Trees whose nodes, leaves among them, have numbers in their trees. */
final class TreeAttributes {
  private static final String PREFIX = "BRANCH_";

  private final NodeContext node;
  private final long[] trees;
  private final long[] ids;
  private final Map<NodeKey, Integer> positions = new HashMap<>();

  private record NodeKey(long tree, long id) {}

  private TreeAttributes(NodeContext node) {
    this.node = node;
    this.trees = Numbers.integers(node, "nodes_treeids");
    this.ids = sized(Numbers.integers(node, "nodes_nodeids"), "nodes_nodeids");
    for (int i = 0; i < trees.length; i++) {
      if (positions.put(new NodeKey(trees[i], ids[i]), i) != null) {
        throw node.unsupported("tree " + trees[i] + " has two nodes " + ids[i], "");
      }
    }
  }

  /**
   * The trees of a node.
   *
   * @param features the number of columns of the input
   * @param votes what the attributes of leaves begin with: {@code target} or {@code class}
   */
  static TreeTables tables(
      NodeContext node, int features, String votes, long targets, Aggregate aggregate) {
    TreeAttributes attributes = new TreeAttributes(node);
    TreeTables tables = TreeTables.of(node, attributes.trees.length, targets, aggregate);
    attributes.fill(tables, features);
    attributes.vote(tables, votes);
    return tables;
  }

  private long[] sized(long[] values, String name) {
    if (values.length != trees.length) {
      throw node.unsupported(
          name + " has " + values.length + " numbers; expected " + trees.length, "");
    }
    return values;
  }

  private void fill(TreeTables tables, int features) {
    long[] featureIds = sized(Numbers.integers(node, "nodes_featureids"), "nodes_featureids");
    long[] whenTrue = sized(Numbers.integers(node, "nodes_truenodeids"), "nodes_truenodeids");
    long[] whenFalse = sized(Numbers.integers(node, "nodes_falsenodeids"), "nodes_falsenodeids");
    double[] thresholds = Numbers.list(node, "nodes_values").orElse(new double[trees.length]);
    long[] tracks = Numbers.integers(node, "nodes_missing_value_tracks_true");
    List<String> modes = node.attributes().strings("nodes_modes").orElse(List.of());
    if (modes.size() != trees.length || thresholds.length != trees.length) {
      throw node.unsupported(
          "nodes_modes and nodes_values have "
              + modes.size()
              + " and "
              + thresholds.length
              + " elements; expected "
              + trees.length,
          "");
    }
    Set<Integer> children = new HashSet<>();
    for (int i = 0; i < trees.length; i++) {
      Mode mode = mode(modes.get(i));
      if (mode == Mode.LEAF) {
        tables.leaf(i);
        continue;
      }
      tables.modes[i] = mode;
      tables.features[i] = feature(featureIds[i], features);
      tables.thresholds[i] = thresholds[i];
      tables.whenTrue[i] = position(trees[i], whenTrue[i]);
      tables.whenFalse[i] = position(trees[i], whenFalse[i]);
      tables.missingIsTrue[i] = i < tracks.length && tracks[i] != 0;
      children.add(tables.whenTrue[i]);
      children.add(tables.whenFalse[i]);
    }
    for (int i = 0; i < trees.length; i++) {
      if (!children.contains(i)) {
        tables.roots.add(i);
      }
    }
    if (tables.roots.isEmpty()) {
      throw node.unsupported("it has no tree", "");
    }
  }

  private Mode mode(String name) {
    for (Mode mode : Mode.values()) {
      boolean isKnown = mode != Mode.MEMBER;
      if (isKnown && name.equals(mode == Mode.LEAF ? "LEAF" : PREFIX + mode.name())) {
        return mode;
      }
    }
    throw node.unsupported("the mode of a node is '" + name + "'", "");
  }

  private int feature(long id, int features) {
    if (id < 0 || id >= features) {
      throw node.unsupported(
          "a node compares feature " + id + ", but the input has " + features, "");
    }
    return (int) id;
  }

  private int position(long tree, long id) {
    Integer position = positions.get(new NodeKey(tree, id));
    if (position == null) {
      throw node.unsupported("tree " + tree + " has no node " + id, "");
    }
    return position;
  }

  private void vote(TreeTables tables, String prefix) {
    long[] voters = Numbers.integers(node, prefix + "_nodeids");
    long[] voterTrees = Numbers.integers(node, prefix + "_treeids");
    long[] targets = Numbers.integers(node, prefix + "_ids");
    double[] weights = Numbers.list(node, prefix + "_weights").orElse(new double[0]);
    if (voterTrees.length != voters.length
        || targets.length != voters.length
        || weights.length != voters.length) {
      throw node.unsupported(
          "the attributes " + prefix + "_* of the votes have different lengths", "");
    }
    for (int i = 0; i < voters.length; i++) {
      if (targets[i] < 0 || targets[i] >= tables.targets()) {
        throw node.unsupported(
            "a leaf votes for " + targets[i] + " of " + tables.targets() + " targets", "");
      }
      int voter = position(voterTrees[i], voters[i]);
      if (tables.modes[voter] == Mode.LEAF) {
        tables.vote(voter, (int) targets[i], weights[i]);
      }
    }
  }
}
