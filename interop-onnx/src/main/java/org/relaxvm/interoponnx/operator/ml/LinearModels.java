package org.relaxvm.interoponnx.operator.ml;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Operand;

/** Sums of weighted features. */
final class LinearModels {
  private LinearModels() {}

  static List<Operand> regress(NodeContext node) {
    long targets = node.attributes().integer("targets", 1);
    Expr sums = sums(node, targets);
    Expr scores = PostTransform.of(node, false).apply(node, sums);
    return List.of(node.operandOf(Numbers.as(node, scores, DType.FLOAT32)));
  }

  /** The class of the largest score, and all scores. */
  static List<Operand> classify(NodeContext node) {
    Operand classes = Labels.classes(node, "classlabels_ints");
    int count = Labels.count(node, classes);
    int intercepts = Numbers.list(node, "intercepts").map(values -> values.length).orElse(count);
    Expr sums = sums(node, intercepts);
    PostTransform transform = PostTransform.of(node, false);
    if (intercepts == 1 && count == 2) {
      return TwoClasses.ofScore(node, classes, sums, 0, TwoClasses.Pair.COMPLEMENT, transform);
    }
    if (intercepts != count) {
      throw node.unsupported(
          "it has " + intercepts + " sums for " + count + " classes; expected as many", "");
    }
    return classified(node, classes, sums, transform);
  }

  /** The class of the largest score of a row, the first one of equal scores, and all scores. */
  static List<Operand> classified(
      NodeContext node, Operand classes, Expr scores, PostTransform transform) {
    Expr best = node.emit(Ops.argmax(scores, 1, false));
    Expr transformed = transform.apply(node, scores);
    return List.of(
        Labels.at(node, classes, best),
        node.operandOf(Numbers.as(node, transformed, DType.FLOAT32)));
  }

  /** A weighted sum of the features for each of several targets. */
  private static Expr sums(NodeContext node, long targets) {
    Expr x = Numbers.matrix(node, Numbers.real(node, 0));
    DType dtype = node.dtype(x);
    double[] weights = Numbers.list(node, "coefficients").orElse(new double[0]);
    int features = Numbers.columns(node, x);
    if (targets < 1 || targets > weights.length || weights.length != targets * features) {
      throw node.unsupported(
          "it has "
              + weights.length
              + " coefficients; expected "
              + targets
              + " x "
              + features
              + " features",
          "");
    }
    Expr matrix =
        Numbers.reals(dtype, transposed(weights, (int) targets, features), features, targets);
    Expr sums = node.emit(Ops.matmul(x, matrix));
    double[] intercepts = Numbers.list(node, "intercepts").orElse(new double[0]);
    if (intercepts.length == 0) {
      return sums;
    }
    if (intercepts.length != targets) {
      throw node.unsupported(
          "it has " + intercepts.length + " intercepts; expected " + targets, "");
    }
    return node.emit(Ops.add(sums, Numbers.reals(dtype, intercepts, targets)));
  }

  static double[] transposed(double[] values, int rows, int columns) {
    double[] transposed = new double[values.length];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        transposed[column * rows + row] = values[row * columns + column];
      }
    }
    return transposed;
  }
}
