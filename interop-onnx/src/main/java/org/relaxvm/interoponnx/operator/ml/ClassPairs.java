package org.relaxvm.interoponnx.operator.ml;

import java.util.Arrays;
import org.relaxvm.interoponnx.convert.NodeContext;

/**
 * Pairs of classes in the order (0, 1), (0, 2), ... (1, 2), ..., and the support vectors of each
 * class, which follow those of the class before.
 */
final class ClassPairs {
  private final int[] starts;

  /**
   * @param perClass the number of support vectors of each class
   */
  ClassPairs(NodeContext node, long[] perClass) {
    starts = new int[perClass.length + 1];
    for (int i = 0; i < perClass.length; i++) {
      if (perClass[i] < 0 || perClass[i] > Integer.MAX_VALUE - starts[i]) {
        throw node.unsupported("a class has " + perClass[i] + " support vectors", "");
      }
      starts[i + 1] = starts[i] + (int) perClass[i];
    }
    long classes = perClass.length;
    long pairs = node.reserve(classes * (classes - 1) / 2, Integer.BYTES);
    node.reserve(pairs * Math.max(classes, vectors()), 2 * Double.BYTES);
  }

  int classes() {
    return starts.length - 1;
  }

  int count() {
    return classes() * (classes() - 1) / 2;
  }

  int vectors() {
    return starts[classes()];
  }

  /**
   * The weight of each vector in the decision of each pair: a matrix, row after row.
   *
   * @param coefficients for each vector those against the other classes: row {@code j} against the
   *     class {@code j}, or {@code j + 1} from the vector's own class on
   */
  double[] weights(double[] coefficients) {
    double[] weights = new double[vectors() * count()];
    int pair = 0;
    for (int i = 0; i < classes(); i++) {
      for (int j = i + 1; j < classes(); j++, pair++) {
        for (int v = starts[i]; v < starts[i + 1]; v++) {
          weights[v * count() + pair] = coefficients[(j - 1) * vectors() + v];
        }
        for (int v = starts[j]; v < starts[j + 1]; v++) {
          weights[v * count() + pair] = coefficients[i * vectors() + v];
        }
      }
    }
    return weights;
  }

  /**
   * A matrix with a 1 at the first or second class of each pair.
   *
   * @param side 0 for the first class, 1 for the second one
   */
  double[] members(int side) {
    double[] members = new double[count() * classes()];
    Arrays.fill(members, 0);
    int pair = 0;
    for (int i = 0; i < classes(); i++) {
      for (int j = i + 1; j < classes(); j++, pair++) {
        members[pair * classes() + (side == 0 ? i : j)] = 1;
      }
    }
    return members;
  }
}
