package org.relaxvm.compiler.op.reduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Types of reductions: axes are dropped, or stay with extent 1. */
final class ReductionRule {
  private ReductionRule() {}

  /** The axes that are reduced, counted from the start; empty when the attribute is absent. */
  static Optional<List<Integer>> axes(OpCall call) {
    return call.attrs()
        .integers("axis")
        .map(axes -> Axes.normalize(call, axes, call.tensor(0).ndim()));
  }

  static boolean keepDims(OpCall call) {
    return call.attrs().bool("keepdims").orElseThrow();
  }

  /** The type of argument 0 without its reduced axes. */
  static TensorType reduced(OpCall call) {
    TensorType x = call.tensor(0);
    Optional<List<Long>> given = call.attrs().integers("axis");
    boolean keepDims = keepDims(call);
    if (given.isEmpty() && !keepDims) {
      return x.withDims(List.of());
    }
    if (!x.hasRank()) {
      return x.withRank(ShapeType.UNKNOWN);
    }
    List<Integer> axes = axes(call).orElseGet(() -> IntStream.range(0, x.ndim()).boxed().toList());
    if (x.dims().isEmpty() && axes.size() < x.ndim()) {
      return x.withRank(keepDims ? x.ndim() : x.ndim() - axes.size());
    }
    List<PrimExpr> dims = new ArrayList<>();
    for (int axis = 0; axis < x.ndim(); axis++) {
      if (!axes.contains(axis)) {
        dims.add(x.dims().orElseThrow().get(axis));
      } else if (keepDims) {
        dims.add(IntImm.of(1));
      }
    }
    return x.withDims(dims);
  }
}
