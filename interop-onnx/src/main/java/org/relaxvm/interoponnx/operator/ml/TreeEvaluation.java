package org.relaxvm.interoponnx.operator.ml;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Comparisons;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.index.Gathers;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.flow.Counting;
import org.relaxvm.interoponnx.operator.ml.TreeTables.Aggregate;
import org.relaxvm.interoponnx.operator.ml.TreeTables.Mode;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Evaluates trees: all rows go down all trees at once, one level at a time. A row that has reached
 * a leaf stays there.
 */
final class TreeEvaluation {
  private final NodeContext node;
  private final Expr x;
  private final DType dtype;
  private final TreeTables tables;
  private final Columns columns;
  private final Expr leaves;

  /** Properties of the nodes of all trees, each made once for all levels. */
  private record Columns(
      Expr features,
      Expr thresholds,
      Expr missingIsTrue,
      Expr whenTrue,
      Expr whenFalse,
      Map<Mode, Expr> isOfMode,
      Optional<Expr> members) {}

  /**
   * @param x of shape [n, features]
   */
  TreeEvaluation(NodeContext node, Expr x, TreeTables tables) {
    this.node = node;
    this.x = x;
    this.dtype = node.dtype(x);
    this.tables = tables;
    this.columns = columns();
    this.leaves = reached();
  }

  private Expr ints(IntFunction<Integer> value) {
    int[] values = new int[tables.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(i);
    }
    return Numbers.indices(values, values.length);
  }

  private Expr bools(IntFunction<Boolean> value) {
    boolean[] values = new boolean[tables.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(i);
    }
    return new Constant(Tensor.of(values, Shape.of(values.length)));
  }

  private Columns columns() {
    Set<Mode> used = EnumSet.noneOf(Mode.class);
    used.addAll(Arrays.asList(tables.modes));
    used.remove(Mode.LEAF);
    Map<Mode, Expr> isOfMode = new EnumMap<>(Mode.class);
    used.forEach(mode -> isOfMode.put(mode, bools(i -> tables.modes[i] == mode)));
    return new Columns(
        ints(i -> tables.features[i]),
        Numbers.reals(dtype, tables.thresholds, tables.size()),
        bools(i -> tables.missingIsTrue[i]),
        ints(i -> tables.whenTrue[i]),
        ints(i -> tables.whenFalse[i]),
        isOfMode,
        used.contains(Mode.MEMBER) ? Optional.of(members()) : Optional.empty());
  }

  /** Sets as rows, filled up with NaN, which equals nothing. */
  private Expr members() {
    int most = tables.members.stream().mapToInt(set -> set.length).max().orElse(0);
    int width = Math.max(1, most);
    double[] sets = new double[node.reserve((long) tables.size() * width, Double.BYTES)];
    Arrays.fill(sets, Double.NaN);
    for (int i = 0; i < tables.size(); i++) {
      double[] set = tables.members.get(i);
      System.arraycopy(set, 0, sets, i * width, set.length);
    }
    return Numbers.reals(dtype, sets, tables.size(), width);
  }

  private Expr taken(Expr column, Expr nodes) {
    return node.emit(Ops.take(column, nodes, 0));
  }

  /** The leaf of each tree for each row: [n, trees]. */
  private Expr reached() {
    int trees = tables.roots.size();
    int[] roots = tables.roots.stream().mapToInt(Integer::intValue).toArray();
    List<PrimExpr> dims = List.of(node.dims(x).getFirst(), IntImm.of(trees));
    Expr start = node.emit(Ops.broadcastTo(Numbers.indices(roots, 1, trees), dims.toArray()));
    List<Operand> last =
        Counting.fold(
            node,
            IntImm.of(tables.depth(node)),
            List.of(node.operandOf(start)),
            (level, nodes) -> List.of(node.operandOf(next(node.leaf(nodes.getFirst())))));
    return node.leaf(last.getFirst());
  }

  /** The nodes that follow: a value that is missing takes the way that its node says. */
  private Expr next(Expr nodes) {
    Expr value = node.emit(Gathers.gatherElements(x, taken(columns.features, nodes), 1));
    Expr threshold = taken(columns.thresholds, nodes);
    Expr holds = compared(nodes, value, threshold);
    Expr isMissing = node.emit(Functions.isNan(value));
    Expr whenMissing = taken(columns.missingIsTrue, nodes);
    Expr decided = node.emit(Ops.where(isMissing, whenMissing, holds));
    return node.emit(
        Ops.where(decided, taken(columns.whenTrue, nodes), taken(columns.whenFalse, nodes)));
  }

  private Expr compared(Expr nodes, Expr value, Expr threshold) {
    Expr result = null;
    for (Map.Entry<Mode, Expr> mode : columns.isOfMode.entrySet()) {
      Expr holds = compared(mode.getKey(), nodes, value, threshold);
      result =
          result == null
              ? holds
              : node.emit(Ops.where(taken(mode.getValue(), nodes), holds, result));
    }
    return result == null ? taken(bools(i -> true), nodes) : result;
  }

  private Expr compared(Mode mode, Expr nodes, Expr value, Expr threshold) {
    return node.emit(
        switch (mode) {
          case LEQ -> Comparisons.lessEqual(value, threshold);
          case LT -> Ops.less(value, threshold);
          case GTE -> Comparisons.greaterEqual(value, threshold);
          case GT -> Ops.greater(value, threshold);
          case EQ -> Ops.equal(value, threshold);
          case NEQ -> Comparisons.notEqual(value, threshold);
          case MEMBER -> isMember(nodes, value);
          case LEAF -> throw new IllegalStateException("a leaf compares nothing");
        });
  }

  private Expr isMember(Expr nodes, Expr value) {
    Expr candidates = taken(columns.members.orElseThrow(), nodes);
    Expr isEqual = node.emit(Ops.equal(node.emit(Ops.expandDims(value, 2)), candidates));
    Expr counted =
        node.emit(Ops.max(node.emit(Ops.astype(isEqual, DType.INT32)), List.of(2), false));
    return Ops.greater(counted, Ops.scalar(DType.INT32, 0));
  }

  // ---------------------------------------------------------------- votes

  /** The combined votes for each target: [n, targets]; 0 where no leaf votes. */
  Expr scores() {
    int targets = tables.targets();
    double[] weights = new double[tables.size() * targets];
    boolean isExtreme = tables.aggregate() == Aggregate.MIN || tables.aggregate() == Aggregate.MAX;
    double missing =
        !isExtreme
            ? 0
            : tables.aggregate() == Aggregate.MIN
                ? Double.POSITIVE_INFINITY
                : Double.NEGATIVE_INFINITY;
    for (int i = 0; i < tables.size(); i++) {
      for (int target = 0; target < targets; target++) {
        weights[i * targets + target] =
            tables.votes[i][target] ? tables.weights[i][target] : missing;
      }
    }
    Expr table = Numbers.reals(dtype, weights, tables.size(), targets);
    Expr ofTrees = node.emit(Ops.take(table, leaves, 0));
    return switch (tables.aggregate()) {
      case SUM -> node.emit(Ops.sum(ofTrees, List.of(1), false));
      case AVERAGE ->
          node.emit(
              Ops.divide(
                  node.emit(Ops.sum(ofTrees, List.of(1), false)),
                  Ops.scalar(dtype, tables.roots.size())));
      case MIN -> orZero(node.emit(Reductions.min(ofTrees, List.of(1), false)));
      case MAX -> orZero(node.emit(Ops.max(ofTrees, List.of(1), false)));
    };
  }

  private Expr orZero(Expr scores) {
    Expr hasVote = hasVote();
    return node.emit(Ops.where(hasVote, scores, node.scalar(dtype, 0)));
  }

  /** Whether a leaf votes for a target: [n, targets]. */
  Expr hasVote() {
    int targets = tables.targets();
    int[] votes = new int[tables.size() * targets];
    for (int i = 0; i < tables.size(); i++) {
      for (int target = 0; target < targets; target++) {
        votes[i * targets + target] = tables.votes[i][target] ? 1 : 0;
      }
    }
    Expr ofTrees = node.emit(Ops.take(Numbers.indices(votes, tables.size(), targets), leaves, 0));
    Expr most = node.emit(Ops.max(ofTrees, List.of(1), false));
    return node.emit(Ops.greater(most, Ops.scalar(DType.INT32, 0)));
  }
}
