package org.relaxvm.tir.op.layout;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Layouts. */
public final class LayoutOps {
  static final String OP = "layout_transform";

  private LayoutOps() {}

  /**
   * The elements at the positions of an index map. {@code (i // 4, i % 4)} makes {@code [4, 4]} of
   * {@code [14]}, with two holes.
   *
   * <p>Positions are sums of parts of indices, each with a weight: {@code i // 4 * 8 + i % 4},
   * {@code i * m + j}. The parts must neither overlap nor leave anything of an index out. Divisors
   * are constants. Each extent of the result is one more than the largest values of the parts
   * together.
   *
   * @param x any dtype
   * @param pad what holes become, converted to the dtype; null where there surely are none
   */
  public static TensorExpr layoutTransform(
      KernelBuilder k, String name, TensorExpr x, IndexMap map, @Nullable PrimExpr pad) {
    Check.rank(OP, x, map.axes().size());
    Inversion inversion = new Inversion(map, x.shape());
    List<PrimExpr> shape = inversion.shape();
    if (isEmpty(x.shape())) {
      Check.that(pad != null || isEmpty(shape), OP, missingPad(x));
      return k.compute(
          name, shape, i -> pad == null ? Arith.of(x.dtype(), 0) : Exprs.cast(x.dtype(), pad));
    }
    return k.compute(
        name,
        shape,
        i -> {
          PrimExpr element = x.at(inversion.index(i));
          List<PrimExpr> conditions = inversion.conditions(i);
          if (conditions.isEmpty()) {
            return element;
          }
          if (pad == null) {
            throw Check.wrong(OP, missingPad(x));
          }
          PrimExpr inside = IntImm.of(true);
          for (PrimExpr condition : conditions) {
            inside = Exprs.and(inside, condition);
          }
          return Exprs.ifThenElse(inside, element, Exprs.cast(x.dtype(), pad));
        });
  }

  private static boolean isEmpty(List<PrimExpr> shape) {
    return shape.stream().anyMatch(extent -> Dims.known(extent).orElse(1) == 0);
  }

  private static String missingPad(TensorExpr x) {
    return "expected a value for positions without an element of "
        + x.name()
        + ", which there are or may be, but got none";
  }
}
