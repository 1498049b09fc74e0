package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Windows whose elements lie at positions that a tensor gives. */
public final class DeformOps {
  private DeformOps() {}

  /**
   * What the elements of windows are at their positions, between elements by linear interpolation,
   * 0 outside: {@code [n, c, taps, out...]}, with {@code taps} the number of elements of a window
   * in row-major order. A matrix product with weights {@code [o, c * taps]} makes a deformable
   * convolution of it.
   *
   * @param x floats {@code [n, c, in...]}
   * @param offset {@code [n, groups * taps * axes, out...]}: how far each element of a window lies
   *     from its position, along each spatial axis
   * @param mask {@code [n, groups * taps, out...]}: factors; null for 1
   * @param groups of channels that have offsets of their own
   */
  public static TensorExpr columns(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr offset,
      @Nullable TensorExpr mask,
      PoolAttrs attrs,
      int groups) {
    String op = "deformable_columns";
    int spatial = attrs.spatial();
    Check.floats(op, x);
    Check.rank(op, x, 2 + spatial);
    Check.sameDType(op, x, offset);
    Check.rank(op, offset, 2 + spatial);
    long taps = attrs.window().stream().reduce(1L, (a, b) -> a * b);
    Dims.requireSame(
        op,
        offset.shape().get(1),
        IntImm.of(groups * taps * spatial),
        "the channels of " + offset.name() + " and offsets of all groups");
    if (mask != null) {
      Check.sameDType(op, x, mask);
      Check.rank(op, mask, 2 + spatial);
      Dims.requireSame(
          op,
          mask.shape().get(1),
          IntImm.of(groups * taps),
          "the channels of " + mask.name() + " and factors of all groups");
    }
    PrimExpr channels = x.shape().get(1);
    List<PrimExpr> shape =
        AxisLists.joined(
            List.of(x.shape().get(0), channels, IntImm.of(taps)),
            offset.shape().subList(2, 2 + spatial));
    PrimExpr perGroup = Dims.simplify(Exprs.floorDiv(channels, groups));
    Windows windows = new Windows(offset, mask, attrs, taps, perGroup);
    return k.compute(
        name,
        shape,
        i -> {
          List<PrimExpr> positions = windows.positions(i);
          PrimExpr value = between(x, i.subList(0, 2), positions);
          PrimExpr factor = windows.factor(i);
          return Exprs.cast(x.dtype(), factor == null ? value : Exprs.mul(value, factor));
        });
  }

  /**
   * Where elements of windows are.
   *
   * @param channels of a group
   */
  private record Windows(
      TensorExpr offset, @Nullable TensorExpr mask, PoolAttrs attrs, long taps, PrimExpr channels) {

    /** The number of an element among those of all groups. */
    private PrimExpr number(List<PrimExpr> i) {
      return Exprs.add(Exprs.mul(Exprs.floorDiv(i.get(1), channels), taps), i.get(2));
    }

    private static List<PrimExpr> out(List<PrimExpr> i) {
      return i.subList(3, i.size());
    }

    List<PrimExpr> positions(List<PrimExpr> i) {
      int spatial = attrs.spatial();
      DType wide = Arith.wide(offset.dtype());
      List<PrimExpr> tap = Exprs.rowMajorIndex(i.get(2), Dims.of(attrs.window()));
      List<PrimExpr> positions = new ArrayList<>();
      for (int axis = 0; axis < spatial; axis++) {
        PrimExpr start = Exprs.mul(out(i).get(axis), attrs.strides().get(axis));
        PrimExpr step = Exprs.mul(tap.get(axis), attrs.dilation().get(axis));
        PrimExpr place = Exprs.sub(Exprs.add(start, step), attrs.padding().get(axis));
        PrimExpr channel = Exprs.add(Exprs.mul(number(i), spatial), axis);
        List<PrimExpr> at = AxisLists.joined(List.of(i.getFirst(), channel), out(i));
        positions.add(Exprs.add(Exprs.cast(wide, place), Exprs.cast(wide, offset.at(at))));
      }
      return positions;
    }

    @Nullable PrimExpr factor(List<PrimExpr> i) {
      return mask == null
          ? null
          : Arith.widened(mask.at(AxisLists.joined(List.of(i.getFirst(), number(i)), out(i))));
    }
  }

  /** The value between elements, in the dtype of the positions; those outside are 0. */
  private static PrimExpr between(TensorExpr x, List<PrimExpr> leading, List<PrimExpr> positions) {
    DType wide = positions.getFirst().dtype();
    PrimExpr sum = Arith.of(wide, 0);
    for (int corner = 0; corner < 1 << positions.size(); corner++) {
      List<PrimExpr> at = new ArrayList<>(leading);
      PrimExpr inside = IntImm.of(true);
      PrimExpr weight = Arith.of(wide, 1);
      for (int axis = 0; axis < positions.size(); axis++) {
        PrimExpr floor = Exprs.call(Intrinsic.FLOOR, positions.get(axis));
        PrimExpr part = Exprs.sub(positions.get(axis), floor);
        boolean isAfter = (corner >> axis & 1) == 1;
        PrimExpr index = Exprs.add(Arith.index(floor), isAfter ? 1 : 0);
        inside =
            Exprs.and(
                inside, Arith.within(index, IntImm.of(0), x.shape().get(leading.size() + axis)));
        weight = Exprs.mul(weight, isAfter ? part : Exprs.sub(Arith.of(wide, 1), part));
        at.add(index);
      }
      PrimExpr element = Exprs.cast(wide, x.at(at));
      sum = Exprs.add(sum, Exprs.ifThenElse(inside, Exprs.mul(weight, element), Arith.of(wide, 0)));
    }
    return sum;
  }
}
