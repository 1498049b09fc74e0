package org.relaxvm.interoponnx.operator.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.Runs;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Decision trees: modes, missing values, aggregates, classes. */
class TreesTest {
  private static final Message SCORES = OnnxModels.tensorType(DType.FLOAT32, "n", "t");

  /** One comparison with a threshold, and two leaves: nodes 0, 1 and 2. */
  private static Map<String, Object> stump(String mode, double threshold) {
    Map<String, Object> stump = new HashMap<>();
    stump.put("nodes_treeids", List.of(0, 0, 0));
    stump.put("nodes_nodeids", List.of(0, 1, 2));
    stump.put("nodes_featureids", List.of(0, 0, 0));
    stump.put("nodes_values", List.of(threshold, 0.0, 0.0));
    stump.put("nodes_modes", List.of(mode, "LEAF", "LEAF"));
    stump.put("nodes_truenodeids", List.of(1, 0, 0));
    stump.put("nodes_falsenodeids", List.of(2, 0, 0));
    return stump;
  }

  private static Map<String, Object> voting(
      Map<String, Object> trees, String prefix, List<Integer> ids, List<Double> weights) {
    Map<String, Object> voting = new HashMap<>(trees);
    voting.put(prefix + "_treeids", List.of(0, 0));
    voting.put(prefix + "_nodeids", List.of(1, 2));
    voting.put(prefix + "_ids", ids);
    voting.put(prefix + "_weights", weights);
    return voting;
  }

  private static OnnxModels model(String operator, Map<String, ?> attributes, boolean isClass) {
    OnnxModels model =
        new OnnxModels(20)
            .opset("ai.onnx.ml", 3)
            .input("x", DType.FLOAT32, "n", 1)
            .node(
                "ai.onnx.ml",
                operator,
                List.of("x"),
                isClass ? List.of("label", "scores") : List.of("scores"),
                attributes);
    if (isClass) {
      model.output("label", DType.INT64, "n");
    }
    return model.output("scores", SCORES);
  }

  private static Tensor column(float... values) {
    return Tensor.of(values, Shape.of(values.length, 1));
  }

  /** Values below, at and above the threshold, and none. */
  @ParameterizedTest
  @CsvSource({
    "BRANCH_LEQ, 1 1 0 0",
    "BRANCH_LT, 1 0 0 0",
    "BRANCH_GTE, 0 1 1 0",
    "BRANCH_GT, 0 0 1 0",
    "BRANCH_EQ, 0 1 0 0",
    "BRANCH_NEQ, 1 0 1 0"
  })
  void comparisons(String mode, String expected) {
    Map<String, Object> attributes =
        voting(stump(mode, 0.5), "target", List.of(0, 0), List.of(1.0, 0.0));
    String[] digits = expected.split(" ");
    Tensor x = column(0, 0.5f, 1, Float.NaN);
    assertThat(Runs.tensor(model("TreeEnsembleRegressor", attributes, false), x))
        .isEqualTo("float32[4, 1] [" + String.join(".0, ", digits) + ".0]");
    attributes.put("nodes_missing_value_tracks_true", List.of(1, 0, 0));
    digits[3] = "1";
    assertThat(Runs.tensor(model("TreeEnsembleRegressor", attributes, false), x))
        .isEqualTo("float32[4, 1] [" + String.join(".0, ", digits) + ".0]");
  }

  /** Two trees of one comparison; the second one votes for target 0 only where x is above 1. */
  private static Map<String, Object> twoTrees(String aggregate) {
    Map<String, Object> trees = new HashMap<>();
    trees.put("nodes_treeids", List.of(0, 0, 0, 1, 1, 1));
    trees.put("nodes_nodeids", List.of(0, 1, 2, 0, 1, 2));
    trees.put("nodes_featureids", List.of(0, 0, 0, 0, 0, 0));
    trees.put("nodes_values", List.of(0.0, 0.0, 0.0, 1.0, 0.0, 0.0));
    trees.put("nodes_modes", List.of("BRANCH_GT", "LEAF", "LEAF", "BRANCH_LEQ", "LEAF", "LEAF"));
    trees.put("nodes_truenodeids", List.of(1, 0, 0, 1, 0, 0));
    trees.put("nodes_falsenodeids", List.of(2, 0, 0, 2, 0, 0));
    trees.put("target_treeids", List.of(0, 0, 0, 1, 1));
    trees.put("target_nodeids", List.of(1, 1, 2, 1, 2));
    trees.put("target_ids", List.of(0, 1, 0, 1, 0));
    trees.put("target_weights", List.of(2.0, 8.0, -4.0, 4.0, 6.0));
    trees.put("n_targets", 2);
    trees.put("aggregate_function", aggregate);
    return trees;
  }

  /** Rows: both trees' false, then true and true, then true and false. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SUM | -4.0, 4.0, 2.0, 12.0, 8.0, 8.0",
        "AVERAGE | -2.0, 2.0, 1.0, 6.0, 4.0, 4.0",
        "MIN | -4.0, 4.0, 2.0, 4.0, 2.0, 8.0",
        "MAX | -4.0, 4.0, 2.0, 8.0, 6.0, 8.0"
      })
  void votesAreCombined(String aggregate, String expected) {
    Tensor x = column(-1, 1, 2);
    assertThat(Runs.tensor(model("TreeEnsembleRegressor", twoTrees(aggregate), false), x))
        .isEqualTo("float32[3, 2] [" + expected + "]");
    Map<String, Object> moved = twoTrees(aggregate);
    moved.put("base_values", List.of(0.0, 100.0));
    String[] sums = expected.split(", ");
    for (int i = 1; i < sums.length; i += 2) {
      sums[i] = String.valueOf(Double.parseDouble(sums[i]) + 100);
    }
    assertThat(Runs.tensor(model("TreeEnsembleRegressor", moved, false), x))
        .isEqualTo("float32[3, 2] [" + String.join(", ", sums) + "]");
  }

  @Test
  void theClassWithTheLargestScoreAmongThoseWithVotes() {
    Map<String, Object> attributes =
        voting(stump("BRANCH_LT", 0), "class", List.of(2, 0), List.of(-1.0, 3.0));
    attributes.put("classlabels_int64s", List.of(10, 20, 30));
    assertThat(Runs.all(model("TreeEnsembleClassifier", attributes, true), column(-1, 1)))
        .isEqualTo("(int64[2] [30, 10], float32[2, 3] [0.0, 0.0, -1.0, 3.0, 0.0, 0.0])");
  }

  @Test
  void oneScoreForTwoClasses() {
    Map<String, Object> attributes =
        voting(stump("BRANCH_LT", 0), "class", List.of(0, 0), List.of(0.25, 0.75));
    attributes.put("classlabels_int64s", List.of(10, 20));
    assertThat(Runs.all(model("TreeEnsembleClassifier", attributes, true), column(-1, 1)))
        .isEqualTo("(int64[2] [10, 20], float32[2, 2] [0.75, 0.25, 0.25, 0.75])");
    attributes.put("class_weights", List.of(-0.25, 0.25));
    assertThat(Runs.all(model("TreeEnsembleClassifier", attributes, true), column(-1, 1)))
        .isEqualTo("(int64[2] [10, 20], float32[2, 2] [0.25, -0.25, -0.25, 0.25])");
  }

  // ---------------------------------------------------------------- version 5

  private static OnnxModels ensemble(Map<String, ?> attributes) {
    return new OnnxModels(20)
        .opset("ai.onnx.ml", 5)
        .input("x", DType.FLOAT64, "n", 1)
        .node("ai.onnx.ml", "TreeEnsemble", List.of("x"), List.of("y"), attributes)
        .output("y", DType.FLOAT64, "n", 2);
  }

  /** Node 0 asks for one of two numbers, node 1 for one other; both lead to leaves. */
  private static Map<String, Object> sets() {
    Map<String, Object> sets = new HashMap<>();
    sets.put("n_targets", 2);
    sets.put("tree_roots", List.of(0));
    sets.put("nodes_featureids", List.of(0, 0));
    sets.put("nodes_modes", Tensor.of(new byte[] {6, 6}, DType.UINT8, Shape.of(2)));
    sets.put("nodes_splits", Tensor.of(new double[] {0, 0}, Shape.of(2)));
    sets.put("nodes_truenodeids", List.of(0, 1));
    sets.put("nodes_trueleafs", List.of(1, 1));
    sets.put("nodes_falsenodeids", List.of(1, 2));
    sets.put("nodes_falseleafs", List.of(0, 1));
    sets.put("leaf_targetids", List.of(0, 1, 0));
    sets.put("leaf_weights", Tensor.of(new double[] {1, 2, 4}, Shape.of(3)));
    sets.put(
        "membership_values",
        Tensor.of(new double[] {3, 0.1, Double.NaN, 7, Double.NaN}, Shape.of(5)));
    return sets;
  }

  @Test
  void membersOfSets() {
    Tensor x = Tensor.of(new double[] {0.1, 7, 5, Double.NaN}, Shape.of(4, 1));
    assertThat(Runs.tensor(ensemble(sets()), x))
        .isEqualTo("float64[4, 2] [1.0, 0.0, 0.0, 2.0, 4.0, 0.0, 4.0, 0.0]");
  }

  @Test
  void nodesThatLeadToEachOtherAreRefused() {
    Map<String, Object> circle = sets();
    circle.put("nodes_falsenodeids", List.of(1, 0));
    circle.put("nodes_falseleafs", List.of(0, 0));
    assertThatThrownBy(() -> ensemble(circle).model().toRelax(OnnxOptions.DEFAULT))
        .hasMessageContaining("nodes of a tree lead to each other");
    Map<String, Object> outside = sets();
    outside.put("nodes_truenodeids", List.of(0, 9));
    assertThatThrownBy(() -> ensemble(outside).model().toRelax(OnnxOptions.DEFAULT))
        .hasMessageContaining("there is no leaf 9 of 3");
  }

  /** A tree that is as deep as it has comparisons: x above i for each i. */
  private static Map<String, Object> chain(int depth) {
    Map<String, Object> chain = new HashMap<>(sets());
    chain.remove("membership_values");
    chain.put("nodes_featureids", Collections.nCopies(depth, 0));
    byte[] modes = new byte[depth];
    Arrays.fill(modes, (byte) 3);
    double[] splits = new double[depth];
    double[] weights = new double[depth + 1];
    List<Integer> next = new ArrayList<>();
    List<Integer> leaves = new ArrayList<>();
    List<Integer> isLeaf = new ArrayList<>(Collections.nCopies(depth, 0));
    isLeaf.set(depth - 1, 1);
    for (int i = 0; i < depth; i++) {
      splits[i] = i;
      weights[i] = i;
      next.add(i + 1);
      leaves.add(i);
    }
    weights[depth] = 100;
    chain.put("nodes_modes", Tensor.of(modes, DType.UINT8, Shape.of(depth)));
    chain.put("nodes_splits", Tensor.of(splits, Shape.of(depth)));
    chain.put("nodes_truenodeids", next);
    chain.put("nodes_trueleafs", isLeaf);
    chain.put("nodes_falsenodeids", leaves);
    chain.put("nodes_falseleafs", Collections.nCopies(depth, 1));
    chain.put("leaf_targetids", Collections.nCopies(depth + 1, 1));
    chain.put("leaf_weights", Tensor.of(weights, Shape.of(depth + 1)));
    return chain;
  }

  @Test
  void deepTreesAreLoops() {
    Tensor x = Tensor.of(new double[] {-1, 12.5, 1000}, Shape.of(3, 1));
    assertThat(Runs.tensor(ensemble(chain(40)), x))
        .isEqualTo("float64[3, 2] [0.0, 0.0, 0.0, 13.0, 0.0, 100.0]");
  }

  /** Constants of more than 16 elements, which stand beside the text of the program. */
  private static long largeConstants(int depth) {
    String program = RelaxText.print(ensemble(chain(depth)).model().toRelax(OnnxOptions.DEFAULT));
    return Pattern.compile("\"relax.expr.Constant\"\\]\\[\\d+\\]")
        .matcher(program)
        .results()
        .map(MatchResult::group)
        .distinct()
        .count();
  }

  @Test
  void levelsOfTreesShareTheirConstants() {
    assertThat(largeConstants(9)).isPositive().isEqualTo(largeConstants(15));
  }
}
