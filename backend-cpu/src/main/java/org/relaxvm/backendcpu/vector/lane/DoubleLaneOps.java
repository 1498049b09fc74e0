package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.MAX;
import static jdk.incubator.vector.VectorOperators.MIN;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.SQRT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import org.relaxvm.backendcpu.vector.VectorSum;

/** Arithmetic of float64. */
public final class DoubleLaneOps {
  // Numbers of this size are whole; adding it to a smaller one rounds that.
  private static final double WHOLE = 0x1p52;

  private DoubleLaneOps() {}

  /** The sum. */
  public static DoubleVector add(DoubleVector a, DoubleVector b) {
    return a.add(b);
  }

  /** The difference. */
  public static DoubleVector sub(DoubleVector a, DoubleVector b) {
    return a.sub(b);
  }

  /** The product. */
  public static DoubleVector mul(DoubleVector a, DoubleVector b) {
    return a.mul(b);
  }

  /** The quotient. */
  public static DoubleVector div(DoubleVector a, DoubleVector b) {
    return a.div(b);
  }

  /** The quotient, rounded down. */
  public static DoubleVector floorDiv(DoubleVector a, DoubleVector b) {
    return floor(a.div(b));
  }

  /** The smaller one, NaN when either is; -0 is smaller than 0. */
  public static DoubleVector min(DoubleVector a, DoubleVector b) {
    return a.min(b);
  }

  /** The larger one, NaN when either is; 0 is larger than -0. */
  public static DoubleVector max(DoubleVector a, DoubleVector b) {
    return a.max(b);
  }

  /** Whether they are equal. */
  public static VectorMask<Integer> eq(DoubleVector a, DoubleVector b) {
    return a.compare(EQ, b).cast(Lanes.HALF_INT);
  }

  /** Whether they differ; NaN does from all. */
  public static VectorMask<Integer> ne(DoubleVector a, DoubleVector b) {
    return a.compare(NE, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is less. */
  public static VectorMask<Integer> lt(DoubleVector a, DoubleVector b) {
    return a.compare(LT, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is not more. */
  public static VectorMask<Integer> le(DoubleVector a, DoubleVector b) {
    return a.compare(LE, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is more. */
  public static VectorMask<Integer> gt(DoubleVector a, DoubleVector b) {
    return a.compare(GT, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is not less. */
  public static VectorMask<Integer> ge(DoubleVector a, DoubleVector b) {
    return a.compare(GE, b).cast(Lanes.HALF_INT);
  }

  /** {@code a} where {@code mask} holds, else {@code b}. */
  public static DoubleVector select(VectorMask<Integer> mask, DoubleVector a, DoubleVector b) {
    return b.blend(a, mask.cast(b.species()));
  }

  /** The square root. */
  public static DoubleVector sqrt(DoubleVector a) {
    return a.lanewise(SQRT);
  }

  /** One divided by the square root. */
  public static DoubleVector rsqrt(DoubleVector a) {
    return DoubleVector.broadcast(a.species(), 1).div(a.lanewise(SQRT));
  }

  /** The number without its sign. */
  public static DoubleVector abs(DoubleVector a) {
    return a.lanewise(ABS);
  }

  /** The nearest whole number, ties to even. */
  public static DoubleVector nearbyint(DoubleVector a) {
    DoubleVector size = a.lanewise(ABS);
    DoubleVector near = signed(size.add(WHOLE).sub(WHOLE), a);
    return a.blend(near, size.compare(LT, WHOLE));
  }

  /** The largest whole number that is not larger. */
  public static DoubleVector floor(DoubleVector a) {
    DoubleVector near = nearbyint(a);
    return near.blend(near.sub(1), near.compare(GT, a));
  }

  /** The smallest whole number that is not smaller. */
  public static DoubleVector ceil(DoubleVector a) {
    DoubleVector near = nearbyint(a);
    return signed(near.blend(near.add(1), near.compare(LT, a)), a);
  }

  /** The number without its fraction. */
  public static DoubleVector trunc(DoubleVector a) {
    return signed(floor(a.lanewise(ABS)), a);
  }

  /** Whether it is NaN. */
  public static VectorMask<Integer> isnan(DoubleVector a) {
    return a.compare(NE, a).cast(Lanes.HALF_INT);
  }

  /** Whether it is infinite. */
  public static VectorMask<Integer> isinf(DoubleVector a) {
    return a.lanewise(ABS).compare(EQ, Double.POSITIVE_INFINITY).cast(Lanes.HALF_INT);
  }

  /** Whether it is neither infinite nor NaN. */
  public static VectorMask<Integer> isfinite(DoubleVector a) {
    return a.lanewise(ABS).compare(LT, Double.POSITIVE_INFINITY).cast(Lanes.HALF_INT);
  }

  /** The sum of all, always in the same order. */
  public static double reduceAdd(DoubleVector a) {
    return VectorSum.of(a);
  }

  /** The product of all, always in the same order. */
  public static double reduceMul(DoubleVector a) {
    return VectorSum.productOf(a);
  }

  /** The smallest, NaN when one is. */
  public static double reduceMin(DoubleVector a) {
    return a.reduceLanes(MIN);
  }

  /** The largest, NaN when one is. */
  public static double reduceMax(DoubleVector a) {
    return a.reduceLanes(MAX);
  }

  /** A number with the sign of another, which is its own, or was lost. */
  private static DoubleVector signed(DoubleVector size, DoubleVector a) {
    LongVector sign = a.reinterpretAsLongs().lanewise(AND, Long.MIN_VALUE);
    return size.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
  }
}
