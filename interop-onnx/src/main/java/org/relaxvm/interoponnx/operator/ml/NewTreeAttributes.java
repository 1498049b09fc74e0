package org.relaxvm.interoponnx.operator.ml;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.ml.TreeTables.Aggregate;
import org.relaxvm.interoponnx.operator.ml.TreeTables.Mode;

/** Trees whose inner nodes and leaves are numbered apart, as in version 5. */
final class NewTreeAttributes {
  private final NodeContext node;
  private final double[] splits;
  private final double[] leafWeights;
  private final long[] leafTargets;

  private NewTreeAttributes(NodeContext node) {
    this.node = node;
    this.splits = tensor("nodes_splits");
    this.leafWeights = tensor("leaf_weights");
    this.leafTargets = Numbers.integers(node, "leaf_targetids");
    if (leafTargets.length != leafWeights.length) {
      throw node.unsupported(
          "leaf_targetids has " + leafTargets.length + " numbers; expected " + leafWeights.length,
          "");
    }
  }

  /**
   * The trees of a node.
   *
   * @param features the number of columns of the input
   */
  static TreeTables tables(NodeContext node, int features) {
    return new NewTreeAttributes(node).tables(features);
  }

  private double[] tensor(String name) {
    return node.attributes()
        .tensor(name)
        .map(proto -> Numbers.tensor(node, proto).toDoubleArray())
        .orElseThrow(() -> node.unsupported("the attribute '" + name + "' is missing", ""));
  }

  private long[] list(String name) {
    long[] values = Numbers.integers(node, name);
    if (values.length != splits.length) {
      throw node.unsupported(
          name + " has " + values.length + " numbers; expected " + splits.length, "");
    }
    return values;
  }

  private TreeTables tables(int features) {
    int inner = splits.length;
    long targets = node.attributes().integer("n_targets", 1);
    long aggregate = node.attributes().integer("aggregate_function", 1);
    if (aggregate < 0 || aggregate >= Aggregate.values().length) {
      throw node.unsupported("aggregate_function is " + aggregate + "; expected 0 to 3", "");
    }
    TreeTables tables =
        TreeTables.of(
            node, inner + leafWeights.length, targets, Aggregate.values()[(int) aggregate]);
    fillInner(tables, features);
    for (int leaf = 0; leaf < leafWeights.length; leaf++) {
      tables.leaf(inner + leaf);
      if (leafTargets[leaf] < 0 || leafTargets[leaf] >= targets) {
        throw node.unsupported(
            "a leaf votes for " + leafTargets[leaf] + " of " + targets + " targets", "");
      }
      tables.vote(inner + leaf, (int) leafTargets[leaf], leafWeights[leaf]);
    }
    for (long root : Numbers.integers(node, "tree_roots")) {
      tables.roots.add(child(root, false));
    }
    if (tables.roots.isEmpty()) {
      throw node.unsupported("it has no tree", "");
    }
    return tables;
  }

  private void fillInner(TreeTables tables, int features) {
    long[] modes = modes();
    long[] featureIds = list("nodes_featureids");
    long[] whenTrue = list("nodes_truenodeids");
    long[] whenFalse = list("nodes_falsenodeids");
    long[] trueIsLeaf = list("nodes_trueleafs");
    long[] falseIsLeaf = list("nodes_falseleafs");
    long[] tracks = Numbers.integers(node, "nodes_missing_value_tracks_true");
    List<double[]> sets = sets();
    int nextSet = 0;
    for (int i = 0; i < splits.length; i++) {
      if (modes[i] < 0 || modes[i] > Mode.MEMBER.ordinal()) {
        throw node.unsupported("the mode of a node is " + modes[i] + "; expected 0 to 6", "");
      }
      if (featureIds[i] < 0 || featureIds[i] >= features) {
        throw node.unsupported(
            "a node compares feature " + featureIds[i] + ", but the input has " + features, "");
      }
      tables.modes[i] = Mode.values()[(int) modes[i]];
      tables.features[i] = (int) featureIds[i];
      tables.thresholds[i] = splits[i];
      tables.whenTrue[i] = child(whenTrue[i], trueIsLeaf[i] != 0);
      tables.whenFalse[i] = child(whenFalse[i], falseIsLeaf[i] != 0);
      tables.missingIsTrue[i] = i < tracks.length && tracks[i] != 0;
      if (tables.modes[i] == Mode.MEMBER) {
        if (nextSet == sets.size()) {
          throw node.unsupported(
              "membership_values has " + sets.size() + " sets; more nodes ask for one", "");
        }
        tables.members.set(i, sets.get(nextSet++));
      }
    }
  }

  private long[] modes() {
    long[] modes =
        node.attributes()
            .tensor("nodes_modes")
            .map(proto -> Numbers.tensor(node, proto).toLongArray())
            .orElseThrow(() -> node.unsupported("the attribute 'nodes_modes' is missing", ""));
    if (modes.length != splits.length) {
      throw node.unsupported(
          "nodes_modes has " + modes.length + " numbers; expected " + splits.length, "");
    }
    return modes;
  }

  private int child(long position, boolean isLeaf) {
    int count = isLeaf ? leafWeights.length : splits.length;
    if (position < 0 || position >= count) {
      throw node.unsupported(
          "there is no " + (isLeaf ? "leaf " : "node ") + position + " of " + count, "");
    }
    return (int) position + (isLeaf ? splits.length : 0);
  }

  /** The sets of members, each of which ends with NaN. */
  private List<double[]> sets() {
    double[] all =
        node.attributes()
            .tensor("membership_values")
            .map(proto -> Numbers.tensor(node, proto).toDoubleArray())
            .orElse(new double[0]);
    List<double[]> sets = new ArrayList<>();
    int from = 0;
    for (int i = 0; i <= all.length; i++) {
      boolean isEnd = i == all.length ? i > from : Double.isNaN(all[i]);
      if (isEnd) {
        sets.add(Arrays.copyOfRange(all, from, i));
        from = i + 1;
      }
    }
    return sets;
  }
}
