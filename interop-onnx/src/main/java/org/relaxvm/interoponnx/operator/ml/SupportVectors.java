package org.relaxvm.interoponnx.operator.ml;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.text.Texts;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;

/** Support vector machines: regression, and classes that are compared in pairs. */
final class SupportVectors {
  private final NodeContext node;
  private final Expr x;
  private final DType dtype;
  private final double[] coefficients;
  private final double[] offsets;
  private final double[] vectors;

  private SupportVectors(NodeContext node) {
    this.node = node;
    this.x = Numbers.matrix(node, Numbers.real(node, 0));
    this.dtype = node.dtype(x);
    this.coefficients = Numbers.list(node, "coefficients").orElse(new double[0]);
    this.offsets = Numbers.list(node, "rho").orElse(new double[0]);
    this.vectors = Numbers.list(node, "support_vectors").orElse(new double[0]);
    if (offsets.length == 0) {
      throw node.unsupported("the attribute 'rho' is missing", "");
    }
  }

  static List<Operand> regress(NodeContext node) {
    return new SupportVectors(node).regress();
  }

  static List<Operand> classify(NodeContext node) {
    return new SupportVectors(node).classify();
  }

  /** The kernel of each row with each vector; all vectors have as many features as the input. */
  private Expr kernels(int count) {
    int features = Numbers.columns(node, x);
    if (count < 1 || vectors.length != (long) count * features) {
      throw node.unsupported(
          "it has "
              + vectors.length
              + " numbers of support vectors; expected "
              + count
              + " x "
              + features
              + " features",
          "");
    }
    return Kernel.of(node).apply(node, x, vectors, count);
  }

  private Expr weighted(Expr values, double[] weights, int rows, int columns) {
    if (weights.length != (long) rows * columns) {
      throw node.unsupported(
          "it has "
              + weights.length
              + " coefficients; expected "
              + (long) rows * columns
              + " for "
              + columns
              + " sums",
          "");
    }
    return node.emit(Ops.matmul(values, Numbers.reals(dtype, weights, rows, columns)));
  }

  private List<Operand> regress() {
    long given = node.attributes().integer("n_supports", 0);
    if (given > vectors.length) {
      throw node.unsupported(
          "n_supports is " + given + " for " + vectors.length + " numbers of vectors", "");
    }
    int count = (int) Math.max(given, 0);
    Expr sums =
        count > 0
            ? weighted(kernels(count), coefficients, count, 1)
            : weighted(x, coefficients, Numbers.columns(node, x), 1);
    Expr score = node.emit(Ops.add(sums, Ops.scalar(dtype, offsets[0])));
    if (node.attributes().flag("one_class", false)) {
      Expr isInside = node.emit(Ops.greater(score, Ops.scalar(dtype, 0)));
      score = node.emit(Ops.where(isInside, node.scalar(dtype, 1), node.scalar(dtype, -1)));
    }
    Expr transformed = PostTransform.of(node, false).apply(node, score);
    return List.of(node.operandOf(Numbers.as(node, transformed, DType.FLOAT32)));
  }

  // ---------------------------------------------------------------- classes

  private List<Operand> classify() {
    Operand classes = Labels.classes(node, "classlabels_ints");
    int count = Labels.count(node, classes);
    PostTransform transform = PostTransform.of(node, false);
    long[] perClass = Numbers.integers(node, "vectors_per_class");
    if (perClass.length == 0) {
      int features = Numbers.columns(node, x);
      if (coefficients.length != (long) count * features) {
        throw node.unsupported(
            "it has "
                + coefficients.length
                + " coefficients; expected "
                + count
                + " x "
                + features
                + " features",
            "");
      }
      double[] matrix = LinearModels.transposed(coefficients, count, features);
      Expr sums = weighted(x, matrix, features, count);
      Expr scores = node.emit(Ops.add(sums, Ops.scalar(dtype, offsets[0])));
      return LinearModels.classified(node, classes, scores, transform);
    }
    if (perClass.length != count) {
      throw node.unsupported(
          "vectors_per_class has " + perClass.length + " numbers; expected " + count, "");
    }
    ClassPairs pairs = new ClassPairs(node, perClass);
    if (offsets.length != pairs.count()) {
      throw node.unsupported(
          "rho has "
              + offsets.length
              + " numbers; expected one for each of "
              + pairs.count()
              + " pairs of classes",
          "");
    }
    int total = pairs.vectors();
    if (coefficients.length != (count - 1L) * total) {
      throw node.unsupported(
          "it has " + coefficients.length + " coefficients; expected " + (count - 1L) * total, "");
    }
    Expr sums = weighted(kernels(total), pairs.weights(coefficients), total, pairs.count());
    Expr decisions = node.emit(Ops.add(sums, Numbers.reals(dtype, offsets, offsets.length)));
    Operand label = Labels.at(node, classes, mostVotes(pairs, decisions));
    Expr scores =
        node.attributes().has("prob_a")
            ? probabilities(pairs, decisions)
            : count == 2
                ? node.emit(Ops.concat(List.of(node.emit(Ops.negative(decisions)), decisions), 1))
                : decisions;
    Expr transformed = transform.apply(node, scores);
    return List.of(label, node.operandOf(Numbers.as(node, transformed, DType.FLOAT32)));
  }

  /** Each pair of classes votes for one of them. */
  private Expr mostVotes(ClassPairs pairs, Expr decisions) {
    Expr isFirst = node.emit(Ops.greater(decisions, Ops.scalar(dtype, 0)));
    Expr first = node.emit(Ops.astype(isFirst, dtype));
    Expr second = node.emit(Ops.subtract(Ops.scalar(dtype, 1), first));
    int pairCount = pairs.count();
    Expr votes =
        node.emit(
            Ops.add(
                Ops.matmul(
                    first, Numbers.reals(dtype, pairs.members(0), pairCount, pairs.classes())),
                Ops.matmul(
                    second, Numbers.reals(dtype, pairs.members(1), pairCount, pairs.classes()))));
    return node.emit(Ops.argmax(votes, 1, false));
  }

  /** Probabilities of pairs, from which those of classes are estimated on the host. */
  private Expr probabilities(ClassPairs pairs, Expr decisions) {
    double[] a = Numbers.list(node, "prob_a").orElse(new double[0]);
    double[] b = Numbers.list(node, "prob_b").orElse(new double[0]);
    if (a.length != pairs.count() || b.length != pairs.count()) {
      throw node.unsupported(
          "prob_a and prob_b have "
              + a.length
              + " and "
              + b.length
              + " numbers; expected "
              + pairs.count(),
          "");
    }
    Expr exponent =
        node.emit(
            Ops.add(
                Ops.multiply(decisions, Numbers.reals(dtype, a, a.length)),
                Numbers.reals(dtype, b, b.length)));
    Expr ofPairs =
        node.emit(Ops.astype(Ops.sigmoid(node.emit(Ops.negative(exponent))), DType.FLOAT64));
    Expr wide =
        node.leaf(
            Texts.tensor(
                node,
                "relaxvm.host.coupled_probabilities",
                List.of(ofPairs, PrimValue.of((long) pairs.classes())),
                DType.FLOAT64,
                List.of(node.dims(ofPairs).getFirst(), IntImm.of(pairs.classes()))));
    return node.emit(Ops.astype(wide, DType.FLOAT32));
  }
}
