package org.relaxvm.interoponnx.operator.reduction;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.shape.Reshapes;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * The axes that a node reduces.
 *
 * @param axes from 0 on, in order; none where the node leaves the tensor as it is
 * @param keepDims whether they stay with extent 1
 */
record ReducedAxes(List<Integer> axes, boolean keepDims) {

  /** A reduction by the compiler's operator of that name. */
  @FunctionalInterface
  interface Reduction {
    Expr apply(Expr x, List<Integer> axes, boolean keepDims);
  }

  /** The axes: an attribute, or input 1 in newer versions. */
  static ReducedAxes of(NodeContext node, int rank) {
    Optional<List<Integer>> certain = certain(node, rank);
    List<Integer> given =
        (certain.isPresent() ? certain : Reshapes.axes(node, rank)).orElse(List.of());
    boolean isAll = given.isEmpty() && !node.attributes().flag("noop_with_empty_axes", false);
    List<Integer> axes =
        isAll
            ? IntStream.range(0, rank).boxed().toList()
            : given.stream().distinct().sorted().toList();
    return new ReducedAxes(axes, node.attributes().flag("keepdims", true));
  }

  /** Axes that are computed at run time, where their number alone decides which they are. */
  private static Optional<List<Integer>> certain(NodeContext node, int rank) {
    if (!node.has(1) || node.integers(1).isPresent()) {
      return Optional.empty();
    }
    Optional<List<PrimExpr>> dims = node.typeOf(node.operand(1)).dims();
    if (dims.isEmpty()
        || dims.get().size() != 1
        || !(dims.get().getFirst() instanceof IntImm count)) {
      return Optional.empty();
    }
    if (count.value() == 0) {
      return Optional.of(List.of());
    }
    return count.value() == rank
        ? Optional.of(IntStream.range(0, rank).boxed().toList())
        : Optional.empty();
  }

  /** The reduced tensor; the tensor itself where there are no axes. */
  Expr reduce(NodeContext node, Expr x, Reduction reduction) {
    return axes.isEmpty() ? x : node.emit(reduction.apply(x, axes, keepDims));
  }
}
