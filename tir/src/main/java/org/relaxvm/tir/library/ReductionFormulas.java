package org.relaxvm.tir.library;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.tir.op.ReductionOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Reductions of axes. */
final class ReductionFormulas {
  private ReductionFormulas() {}

  /** A reduction. */
  private interface Reduction {
    TensorExpr of(
        KernelBuilder kernel,
        String name,
        TensorExpr x,
        @Nullable List<Integer> axes,
        boolean keepDims);
  }

  static void addTo(Map<String, Formula> all) {
    all.put("sum", of(ReductionOps::sum, true));
    all.put("mean", of(ReductionOps::mean, true));
    all.put("prod", of(ReductionOps::prod, true));
    all.put("max", of(ReductionOps::max, false));
    all.put("min", of(ReductionOps::min, false));
  }

  private static Formula of(Reduction op, boolean ofNothing) {
    return Formula.of(
        o -> {
          Shape shape = o.shapeOf("x");
          List<Integer> axes = o.axes("axes", shape.rank());
          List<Integer> all =
              axes == null ? IntStream.range(0, shape.rank()).boxed().toList() : axes;
          o.require(
              ofNothing || all.stream().allMatch(axis -> shape.dim(axis) > 0),
              "x",
              "not empty along the reduced axes",
              "shape " + shape);
          return op.of(o.kernel(), Operands.OUT, o.tensor("x"), axes, o.flag("keepdims"));
        });
  }
}
