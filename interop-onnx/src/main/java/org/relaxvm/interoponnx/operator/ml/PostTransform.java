package org.relaxvm.interoponnx.operator.ml;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.NnOps;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;

/** What is done with the scores of a row at the end. */
enum PostTransform {
  NONE,
  SOFTMAX,
  LOGISTIC,
  SOFTMAX_ZERO,
  PROBIT;

  /** Scores of less are none. */
  private static final double LEAST = 1e-7;

  /** That of the attribute {@code post_transform}, a name or, in newer operators, a number. */
  static PostTransform of(NodeContext node, boolean isNumber) {
    if (isNumber) {
      long number = node.attributes().integer("post_transform", 0);
      if (number < 0 || number >= values().length) {
        throw node.unsupported("post_transform is " + number + "; expected 0 to 4", "");
      }
      return values()[(int) number];
    }
    String name = node.attributes().string("post_transform", "NONE");
    for (PostTransform each : values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw node.unsupported(
        "post_transform is '"
            + name
            + "'; expected NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT",
        "");
  }

  /** The transformed scores; a row is along the last axis. */
  Expr apply(NodeContext node, Expr scores) {
    return switch (this) {
      case NONE -> scores;
      case SOFTMAX -> node.emit(NnOps.softmax(scores, node.rank(scores) - 1));
      case LOGISTIC -> node.emit(Ops.sigmoid(scores));
      case SOFTMAX_ZERO -> softmaxOfSome(node, scores);
      case PROBIT -> Probit.of(node, scores);
    };
  }

  /** A softmax of the scores that are not 0; those stay what they are. */
  private static Expr softmaxOfSome(NodeContext node, Expr scores) {
    DType dtype = node.dtype(scores);
    List<Integer> last = List.of(node.rank(scores) - 1);
    Expr isSome = node.emit(Ops.greater(Ops.abs(scores), Ops.scalar(dtype, LEAST)));
    Expr zero = node.scalar(dtype, 0);
    Expr most = node.emit(Ops.max(scores, last, true));
    Expr powers = node.emit(Ops.where(isSome, Ops.exp(Ops.subtract(scores, most)), zero));
    Expr sum = node.emit(Ops.sum(powers, last, true));
    Expr divisor =
        node.emit(Ops.where(Ops.greater(sum, Ops.scalar(dtype, 0)), sum, node.scalar(dtype, 1)));
    return node.emit(Ops.divide(powers, divisor));
  }
}
