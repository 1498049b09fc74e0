package org.relaxvm.interoponnx.operator.training;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.nn.AxisActivations;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.SoftmaxOps.Reduction;

/** Losses of predictions {@code [n, classes, ...]} for classes {@code [n, ...]}. */
public final class Losses {
  /** No class has this number. */
  private static final long NO_CLASS = -1L << 40;

  private Losses() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("NegativeLogLikelihoodLoss", 12, node -> node.result(loss(node, node.tensor(0))))
        .add("SoftmaxCrossEntropyLoss", 12, Losses::softmaxCrossEntropy);
  }

  private static List<Operand> softmaxCrossEntropy(NodeContext node) {
    Expr probabilities = node.emit(AxisActivations.logSoftmax(scores(node), 1));
    return node.results(List.of(loss(node, probabilities), probabilities));
  }

  private static Expr scores(NodeContext node) {
    Expr scores = node.tensor(0);
    if (node.rank(scores) < 2) {
      throw node.unsupported(
          "its input has " + node.rank(scores) + " axes; expected 2 or more", "");
    }
    return scores;
  }

  private static Expr loss(NodeContext node, Expr probabilities) {
    List<PrimExpr> dims = new ArrayList<>(node.dims(probabilities));
    Expr classes = node.tensor(1);
    if (dims.size() < 2 || node.rank(classes) != dims.size() - 1) {
      throw node.unsupported(
          "the classes have "
              + node.rank(classes)
              + " axes and the predictions "
              + dims.size()
              + "; expected one axis less, and 2 or more",
          "");
    }
    dims.remove(1);
    return org.relaxvm.compiler.op.nn.Losses.nllLoss(
        probabilities,
        node.assume(classes, dims),
        node.optional(2),
        reduction(node),
        node.attributes().integer("ignore_index", NO_CLASS));
  }

  private static Reduction reduction(NodeContext node) {
    String text = node.attributes().string("reduction", "mean");
    return switch (text) {
      case "none" -> Reduction.NONE;
      case "sum" -> Reduction.SUM;
      case "mean" -> Reduction.MEAN;
      default ->
          throw node.unsupported("reduction is '" + text + "'; expected none, sum or mean", "");
    };
  }
}
