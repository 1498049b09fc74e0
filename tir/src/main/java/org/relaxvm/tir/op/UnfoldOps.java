package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Windows as columns of a matrix. */
public final class UnfoldOps {
  private UnfoldOps() {}

  /**
   * The elements under each window of data {@code [n, c, ...]}: {@code [n, c, ...k, ...l]} with the
   * extents of a window and then the numbers of windows.
   *
   * @param kernel extents of a window, one per spatial axis
   * @param strides one per spatial axis, at least 1
   * @param dilation one per spatial axis, at least 1
   */
  public static TensorExpr unfold(
      KernelBuilder k,
      String name,
      TensorExpr data,
      List<Long> kernel,
      List<Long> strides,
      List<Long> dilation) {
    String op = "unfold";
    int spatial = kernel.size();
    Check.rank(op, data, 2 + spatial);
    Check.count(op, "strides", strides, spatial);
    Check.count(op, "dilation", dilation, spatial);
    Check.atLeast(op, "kernel_size", kernel, 1);
    Check.atLeast(op, "strides", strides, 1);
    Check.atLeast(op, "dilation", dilation, 1);
    List<PrimExpr> shape =
        AxisLists.joined(
            data.shape().subList(0, 2),
            Dims.of(kernel),
            windows(data.shape(), kernel, strides, dilation));
    return k.compute(
        name,
        shape.stream().map(Dims::simplify).toList(),
        i -> {
          List<PrimExpr> at = new ArrayList<>(i.subList(0, 2));
          for (int axis = 0; axis < spatial; axis++) {
            at.add(
                Exprs.add(
                    Exprs.mul(i.get(2 + spatial + axis), strides.get(axis)),
                    Exprs.mul(i.get(2 + axis), dilation.get(axis))));
          }
          return data.at(at);
        });
  }

  /** How many windows there are along each spatial axis of data {@code [n, c, ...]}. */
  public static List<PrimExpr> windows(
      List<PrimExpr> data, List<Long> kernel, List<Long> strides, List<Long> dilation) {
    List<PrimExpr> windows = new ArrayList<>();
    for (int axis = 0; axis < kernel.size(); axis++) {
      PrimExpr span = Dims.of(List.of((kernel.get(axis) - 1) * dilation.get(axis) + 1)).getFirst();
      windows.add(ConvOps.outputExtent(data.get(2 + axis), span, strides.get(axis)));
    }
    return windows;
  }
}
