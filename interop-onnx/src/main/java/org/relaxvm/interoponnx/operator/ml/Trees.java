package org.relaxvm.interoponnx.operator.ml;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.ml.TreeTables.Aggregate;
import org.relaxvm.interoponnx.value.Operand;

/** Ensembles of decision trees. */
final class Trees {
  private Trees() {}

  /** Scores in the dtype of the input. */
  static List<Operand> ensemble(NodeContext node) {
    Expr x = Numbers.matrix(node, node.tensor(0));
    DType given = node.dtype(x);
    boolean isNarrow = !given.isFloat() || given.bits() < 32;
    Expr wide = isNarrow ? node.emit(Ops.astype(x, DType.FLOAT32)) : x;
    TreeTables tables = NewTreeAttributes.tables(node, Numbers.columns(node, x));
    Expr scores = new TreeEvaluation(node, wide, tables).scores();
    Expr transformed = PostTransform.of(node, true).apply(node, scores);
    return List.of(node.operandOf(Numbers.as(node, transformed, given)));
  }

  static List<Operand> regress(NodeContext node) {
    Expr x = input(node);
    String name = node.attributes().string("aggregate_function", "SUM");
    Aggregate aggregate =
        Arrays.stream(Aggregate.values())
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    node.unsupported(
                        "aggregate_function is '" + name + "'; expected AVERAGE, SUM, MIN or MAX",
                        ""));
    long targets =
        node.attributes()
            .integer("n_targets")
            .orElseGet(() -> 1 + largest(Numbers.integers(node, "target_ids")));
    TreeTables tables =
        TreeAttributes.tables(node, Numbers.columns(node, x), "target", targets, aggregate);
    Expr scores = new TreeEvaluation(node, x, tables).scores();
    Expr moved = withBase(node, scores, (int) targets);
    Expr transformed = PostTransform.of(node, false).apply(node, moved);
    return List.of(node.operandOf(Numbers.as(node, transformed, DType.FLOAT32)));
  }

  private static long largest(long[] values) {
    return LongStream.of(values).max().orElse(0);
  }

  private static Expr input(NodeContext node) {
    return Numbers.matrix(node, Numbers.real(node, 0));
  }

  private static Expr withBase(NodeContext node, Expr scores, int targets) {
    double[] base = Numbers.list(node, "base_values").orElse(new double[0]);
    if (base.length == 0) {
      return scores;
    }
    if (base.length != targets && base.length != 1) {
      throw node.unsupported(
          "base_values has " + base.length + " numbers; expected " + targets, "");
    }
    return node.emit(Ops.add(scores, Numbers.reals(node.dtype(scores), base, base.length)));
  }

  // ---------------------------------------------------------------- classes

  /** The class of the largest score among those that leaves vote for, and all scores. */
  static List<Operand> classify(NodeContext node) {
    Operand classes = Labels.classes(node, "classlabels_int64s");
    int count = Labels.count(node, classes);
    long[] ids = Numbers.integers(node, "class_ids");
    PostTransform transform = PostTransform.of(node, false);
    Expr x = input(node);
    TreeTables tables =
        TreeAttributes.tables(node, Numbers.columns(node, x), "class", count, Aggregate.SUM);
    TreeEvaluation evaluation = new TreeEvaluation(node, x, tables);
    if (count == 2 && LongStream.of(ids).distinct().count() == 1) {
      return ofOneScore(node, classes, evaluation.scores(), (int) ids[0], transform);
    }
    Expr scores = withBase(node, evaluation.scores(), count);
    boolean hasBase = Numbers.list(node, "base_values").orElse(new double[0]).length > 0;
    Expr compared =
        hasBase
            ? scores
            : node.emit(
                Ops.where(
                    evaluation.hasVote(),
                    scores,
                    node.scalar(node.dtype(scores), Double.NEGATIVE_INFINITY)));
    Expr best = node.emit(Ops.argmax(compared, 1, false));
    Expr transformed = transform.apply(node, scores);
    return List.of(
        Labels.at(node, classes, best),
        node.operandOf(Numbers.as(node, transformed, DType.FLOAT32)));
  }

  /**
   * Two classes with one score: a probability of the second class where no weight is negative, else
   * a margin.
   */
  private static List<Operand> ofOneScore(
      NodeContext node, Operand classes, Expr scores, int voted, PostTransform transform) {
    DType dtype = node.dtype(scores);
    Expr score =
        node.emit(
            Ops.stridedSlice(scores, List.of(1L), List.of((long) voted), List.of(voted + 1L)));
    double[] base = Numbers.list(node, "base_values").orElse(new double[0]);
    if (base.length > 0) {
      double own = base[base.length == 1 ? 0 : voted];
      score = node.emit(Ops.add(score, Ops.scalar(dtype, own)));
    }
    boolean isProbability =
        Arrays.stream(Numbers.list(node, "class_weights").orElse(new double[0]))
            .allMatch(weight -> weight >= 0);
    return TwoClasses.ofScore(
        node,
        classes,
        score,
        isProbability ? 0.5 : 0,
        isProbability ? TwoClasses.Pair.COMPLEMENT : TwoClasses.Pair.NEGATIVE,
        transform);
  }
}
