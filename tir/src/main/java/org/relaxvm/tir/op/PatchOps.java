package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.ReducedAxes;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Images from the patches that windows of a convolution see. */
public final class PatchOps {
  private PatchOps() {}

  /**
   * How windows slide, with a number for each spatial axis.
   *
   * @param padding before each axis, then after each
   */
  public record Windows(List<Long> strides, List<Long> padding, List<Long> dilations) {
    /** Copies the lists. */
    public Windows {
      strides = List.copyOf(strides);
      padding = List.copyOf(padding);
      dilations = List.copyOf(dilations);
    }

    /** How many windows there are along an axis. */
    public PrimExpr count(int axis, PrimExpr image, PrimExpr block) {
      long total = padding.get(axis) + padding.get(strides.size() + axis);
      PrimExpr reach = Exprs.mul(Exprs.sub(block, 1), dilations.get(axis));
      PrimExpr steps = Exprs.sub(Exprs.sub(Exprs.add(image, total), reach), 1);
      return Exprs.add(Exprs.floorDiv(steps, strides.get(axis)), 1);
    }
  }

  /**
   * The sum of patches where they overlap.
   *
   * @param x numbers {@code [n, c * b, l]}, with {@code b} the elements of a block and {@code l}
   *     the windows, both in row-major order
   * @param image the spatial extents of the result {@code [n, c, image...]}
   * @param block the extents of a window
   */
  public static TensorExpr columnsToImage(
      KernelBuilder k,
      String name,
      TensorExpr x,
      List<PrimExpr> image,
      List<PrimExpr> block,
      Windows windows) {
    String op = "col2im";
    Check.numbers(op, x);
    Check.rank(op, x, 4);
    int spatial = image.size();
    Check.count(op, "extents of a block", block, spatial);
    List<PrimExpr> counts = new ArrayList<>();
    for (int axis = 0; axis < spatial; axis++) {
      counts.add(windows.count(axis, image.get(axis), block.get(axis)));
    }
    List<PrimExpr> shape = AxisLists.joined(x.shape().subList(0, 2), image);
    return ReducedAxes.accumulate(
        k,
        name,
        x.dtype(),
        shape,
        block,
        Reducer.SUM,
        (i, r) -> {
          PrimExpr inside = IntImm.of(true);
          List<PrimExpr> window = new ArrayList<>();
          for (int axis = 0; axis < spatial; axis++) {
            long stride = windows.strides().get(axis);
            PrimExpr offset = Exprs.mul(r.get(axis), windows.dilations().get(axis));
            PrimExpr start =
                Exprs.sub(Exprs.add(i.get(2 + axis), windows.padding().get(axis)), offset);
            PrimExpr at = Exprs.floorDiv(start, stride);
            PrimExpr starts = Exprs.eq(Exprs.floorMod(start, stride), IntImm.of(0));
            PrimExpr exists = Arith.within(at, IntImm.of(0), counts.get(axis));
            inside = Exprs.and(inside, Exprs.and(starts, exists));
            window.add(at);
          }
          PrimExpr element = Exprs.rowMajorOffset(List.copyOf(r), block);
          PrimExpr value = x.at(i.get(0), i.get(1), element, Exprs.rowMajorOffset(window, counts));
          return Exprs.ifThenElse(inside, value, Arith.like(value, 0));
        });
  }
}
