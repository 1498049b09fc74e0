package org.relaxvm.interoponnx.operator.ml;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Operand;

/** Classifiers of two classes that compute one score, that of the second class. */
final class TwoClasses {
  private TwoClasses() {}

  /** The score of the first class. */
  enum Pair {
    /** {@code 1 - score}. */
    COMPLEMENT,
    /** {@code -score}. */
    NEGATIVE
  }

  /**
   * The second class where its score is above a threshold, and both scores.
   *
   * @param score of shape [n, 1]
   */
  static List<Operand> ofScore(
      NodeContext node,
      Operand classes,
      Expr score,
      double threshold,
      Pair pair,
      PostTransform transform) {
    DType dtype = node.dtype(score);
    Expr isSecond = node.emit(Ops.greater(score, Ops.scalar(dtype, threshold)));
    Expr flat = node.emit(Ops.squeeze(isSecond, 1));
    Operand labels = Labels.at(node, classes, node.emit(Ops.astype(flat, DType.INT64)));
    Expr scores = both(node, score, pair, transform);
    return List.of(labels, node.operandOf(Numbers.as(node, scores, DType.FLOAT32)));
  }

  /** Probabilities of a transform are those of a score and of its negative. */
  private static Expr both(NodeContext node, Expr score, Pair pair, PostTransform transform) {
    DType dtype = node.dtype(score);
    boolean isComplement =
        pair == Pair.COMPLEMENT
            && (transform == PostTransform.NONE || transform == PostTransform.PROBIT);
    Expr first =
        node.emit(isComplement ? Ops.subtract(Ops.scalar(dtype, 1), score) : Ops.negative(score));
    return transform.apply(node, node.emit(Ops.concat(List.of(first, score), 1)));
  }
}
