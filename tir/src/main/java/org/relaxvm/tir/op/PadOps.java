package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Elements around a tensor, and channels moved to spatial positions. Any dtype. */
public final class PadOps {
  /** What lies around a tensor. */
  public enum Mode {
    /** Its mirror image without the edge, shorter than the tensor. */
    REFLECT,
    /** Its edge. */
    REPLICATE,
    /** Its other end, at most the whole. */
    CIRCULAR
  }

  private PadOps() {}

  /**
   * A value around a tensor.
   *
   * @param widths before and after the first axis, then the second, and so on; negative ones cut
   *     off
   */
  public static TensorExpr constant(
      KernelBuilder k, String name, TensorExpr x, List<Long> widths, PrimExpr value) {
    List<PrimExpr> shape = shape(x, widths);
    return k.compute(
        name,
        shape,
        i -> {
          PrimExpr inside = IntImm.of(true);
          List<PrimExpr> at = new ArrayList<>();
          for (int axis = 0; axis < i.size(); axis++) {
            long before = widths.get(2 * axis);
            PrimExpr index = Exprs.sub(i.get(axis), before);
            if (before > 0) {
              inside = Exprs.and(inside, Exprs.le(IntImm.of(0), index));
            }
            if (widths.get(2 * axis + 1) > 0) {
              inside = Exprs.and(inside, Exprs.lt(index, x.shape().get(axis)));
            }
            at.add(index);
          }
          return Exprs.ifThenElse(inside, x.at(at), Exprs.cast(x.dtype(), value));
        });
  }

  /** The tensor itself around it; widths are as for {@link #constant}, at least 0. */
  public static TensorExpr pad(
      KernelBuilder k, String name, TensorExpr x, List<Long> widths, Mode mode) {
    Check.atLeast("pad", "widths", widths, 0);
    List<PrimExpr> shape = shape(x, widths);
    for (int axis = 0; axis < shape.size() && mode != Mode.REPLICATE; axis++) {
      long most = Math.max(widths.get(2 * axis), widths.get(2 * axis + 1));
      long limit = Dims.known(x.shape().get(axis)).orElse(Long.MAX_VALUE);
      Check.that(
          most == 0 || (mode == Mode.REFLECT ? most < limit : most <= limit),
          "pad",
          "the width " + most + " is too large for the extent " + limit + " of axis " + axis);
    }
    return k.compute(
        name,
        shape,
        i -> {
          List<PrimExpr> at = new ArrayList<>();
          for (int axis = 0; axis < i.size(); axis++) {
            boolean none = widths.get(2 * axis) == 0 && widths.get(2 * axis + 1) == 0;
            PrimExpr index = Exprs.sub(i.get(axis), widths.get(2 * axis));
            at.add(none ? index : source(index, x.shape().get(axis), mode));
          }
          return x.at(at);
        });
  }

  /**
   * A value around a tensor, or what is cut off where a width is negative.
   *
   * @param before a width for each axis, int64
   * @param after likewise
   * @param value of rank 0 and of the dtype of {@code x}
   */
  public static TensorExpr constantBy(
      KernelBuilder k,
      String name,
      TensorExpr x,
      List<PrimExpr> before,
      List<PrimExpr> after,
      TensorExpr value) {
    Check.rank("pad", value, 0);
    Check.sameDType("pad", x, value);
    return k.compute(
        name,
        paddedShape(x, before, after),
        i -> {
          PrimExpr inside = IntImm.of(true);
          List<PrimExpr> at = new ArrayList<>();
          for (int axis = 0; axis < i.size(); axis++) {
            PrimExpr index = Exprs.sub(i.get(axis), before.get(axis));
            if (!isAtMostZero(before.get(axis))) {
              inside = Exprs.and(inside, Exprs.le(IntImm.of(0), index));
            }
            if (!isAtMostZero(after.get(axis))) {
              inside = Exprs.and(inside, Exprs.lt(index, x.shape().get(axis)));
            }
            at.add(index);
          }
          return Exprs.ifThenElse(inside, x.at(at), value.at(List.of()));
        });
  }

  private static boolean isAtMostZero(PrimExpr width) {
    return width instanceof IntImm known && known.value() <= 0;
  }

  /**
   * The tensor itself around it, again and again where a width is larger than the tensor. What
   * negative widths cut off is cut off first.
   *
   * @param before a width for each axis, int64
   * @param after likewise
   */
  public static TensorExpr padBy(
      KernelBuilder k,
      String name,
      TensorExpr x,
      List<PrimExpr> before,
      List<PrimExpr> after,
      Mode mode) {
    PrimExpr zero = IntImm.of(0);
    return k.compute(
        name,
        paddedShape(x, before, after),
        i -> {
          List<PrimExpr> at = new ArrayList<>();
          for (int axis = 0; axis < i.size(); axis++) {
            PrimExpr first = Exprs.max(Exprs.sub(zero, before.get(axis)), zero);
            PrimExpr cut = Exprs.max(Exprs.sub(zero, after.get(axis)), zero);
            PrimExpr extent = Exprs.sub(Exprs.sub(x.shape().get(axis), first), cut);
            PrimExpr index = Exprs.sub(i.get(axis), Exprs.max(before.get(axis), zero));
            boolean none = isAtMostZero(before.get(axis)) && isAtMostZero(after.get(axis));
            PrimExpr source = none ? index : repeated(index, Dims.simplify(extent), mode);
            at.add(Exprs.add(source, first));
          }
          return x.at(at);
        });
  }

  private static PrimExpr repeated(PrimExpr index, PrimExpr extent, Mode mode) {
    if (mode != Mode.REFLECT) {
      return source(index, extent, mode);
    }
    PrimExpr twice = Exprs.mul(Exprs.sub(extent, 1), 2);
    PrimExpr within = Exprs.floorMod(index, Dims.simplify(Exprs.max(twice, IntImm.of(1))));
    return Exprs.min(within, Exprs.sub(twice, within));
  }

  private static List<PrimExpr> paddedShape(
      TensorExpr x, List<PrimExpr> before, List<PrimExpr> after) {
    int rank = x.shape().size();
    Check.count("pad", "widths before the axes", before, rank);
    Check.count("pad", "widths after the axes", after, rank);
    List<PrimExpr> shape = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      shape.add(paddedExtent(x.shape().get(axis), before.get(axis), after.get(axis)));
    }
    return shape;
  }

  /** An extent with widths that may be negative; it is at least 0. */
  public static PrimExpr paddedExtent(PrimExpr extent, PrimExpr before, PrimExpr after) {
    PrimExpr padded = Dims.simplify(Exprs.add(Exprs.add(extent, before), after));
    boolean grows =
        before instanceof IntImm b && after instanceof IntImm a && b.value() + a.value() >= 0;
    return grows ? padded : Exprs.max(padded, IntImm.of(0));
  }

  private static PrimExpr source(PrimExpr index, PrimExpr extent, Mode mode) {
    PrimExpr last = Exprs.sub(extent, 1);
    return switch (mode) {
      case REPLICATE -> Arith.clamp(index, IntImm.of(0), last);
      case CIRCULAR -> Exprs.floorMod(index, extent);
      case REFLECT -> {
        PrimExpr low = Exprs.max(index, Exprs.sub(IntImm.of(0), index));
        yield Exprs.min(low, Exprs.sub(Exprs.mul(last, 2), low));
      }
    };
  }

  private static List<PrimExpr> shape(TensorExpr x, List<Long> widths) {
    Check.count("pad", "widths", widths, 2 * x.shape().size());
    List<PrimExpr> shape = new ArrayList<>();
    for (int axis = 0; axis < x.shape().size(); axis++) {
      long more = widths.get(2 * axis) + widths.get(2 * axis + 1);
      PrimExpr extent = Dims.simplify(Exprs.add(x.shape().get(axis), more));
      shape.add(more < 0 ? Exprs.max(extent, IntImm.of(0)) : extent);
    }
    return shape;
  }

  /** {@code [..., c * r * r, h, w]} as {@code [..., c, h * r, w * r]}. */
  public static TensorExpr pixelShuffle(KernelBuilder k, String name, TensorExpr x, long factor) {
    String op = "pixel_shuffle";
    Check.rankAtLeast(op, x, 3);
    Check.atLeast(op, "a factor", List.of(factor), 1);
    int last = x.shape().size() - 1;
    PrimExpr channels = x.shape().get(last - 2);
    long square = factor * factor;
    Check.that(
        Dims.known(channels).stream().allMatch(known -> known % square == 0),
        op,
        Dims.text(channels) + " channels cannot be divided by " + square);
    List<PrimExpr> shape = new ArrayList<>(x.shape());
    shape.set(last - 2, Dims.simplify(Exprs.floorDiv(channels, square)));
    shape.set(last - 1, Exprs.mul(x.shape().get(last - 1), factor));
    shape.set(last, Exprs.mul(x.shape().get(last), factor));
    return k.compute(
        name,
        shape,
        i -> {
          List<PrimExpr> at = new ArrayList<>(i);
          PrimExpr row = Exprs.mul(Exprs.floorMod(i.get(last - 1), factor), factor);
          PrimExpr column = Exprs.floorMod(i.get(last), factor);
          PrimExpr first = Exprs.mul(i.get(last - 2), square);
          at.set(last - 2, Exprs.add(Exprs.add(first, row), column));
          at.set(last - 1, Exprs.floorDiv(i.get(last - 1), factor));
          at.set(last, Exprs.floorDiv(i.get(last), factor));
          return x.at(at);
        });
  }
}
