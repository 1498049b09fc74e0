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
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import org.relaxvm.backendcpu.vector.VectorSum;

/** Arithmetic of float32, of full and half vectors. */
public final class FloatLaneOps {
  // Numbers of this size are whole; adding it to a smaller one rounds that.
  private static final float WHOLE = 0x1p23f;

  private FloatLaneOps() {}

  /** The sum. */
  public static FloatVector add(FloatVector a, FloatVector b) {
    return a.add(b);
  }

  /** The difference. */
  public static FloatVector sub(FloatVector a, FloatVector b) {
    return a.sub(b);
  }

  /** The product. */
  public static FloatVector mul(FloatVector a, FloatVector b) {
    return a.mul(b);
  }

  /** The quotient. */
  public static FloatVector div(FloatVector a, FloatVector b) {
    return a.div(b);
  }

  /** The quotient in float64, rounded down, then to float32. */
  public static FloatVector floorDiv(FloatVector a, FloatVector b) {
    if (a.length() < Lanes.FULL) {
      return Lanes.narrow(floorDiv(Lanes.first(a), Lanes.first(b)));
    }
    DoubleVector low = floorDiv(Lanes.first(a), Lanes.first(b));
    return Lanes.join(low, floorDiv(Lanes.second(a), Lanes.second(b)));
  }

  private static DoubleVector floorDiv(DoubleVector a, DoubleVector b) {
    return DoubleLaneOps.floor(a.div(b));
  }

  /** The smaller one, NaN when either is; -0 is smaller than 0. */
  public static FloatVector min(FloatVector a, FloatVector b) {
    return a.min(b);
  }

  /** The larger one, NaN when either is; 0 is larger than -0. */
  public static FloatVector max(FloatVector a, FloatVector b) {
    return a.max(b);
  }

  /** Whether they are equal. */
  public static VectorMask<Integer> eq(FloatVector a, FloatVector b) {
    return a.compare(EQ, b).cast(Lanes.ints(a.length()));
  }

  /** Whether they differ; NaN does from all. */
  public static VectorMask<Integer> ne(FloatVector a, FloatVector b) {
    return a.compare(NE, b).cast(Lanes.ints(a.length()));
  }

  /** Whether {@code a} is less. */
  public static VectorMask<Integer> lt(FloatVector a, FloatVector b) {
    return a.compare(LT, b).cast(Lanes.ints(a.length()));
  }

  /** Whether {@code a} is not more. */
  public static VectorMask<Integer> le(FloatVector a, FloatVector b) {
    return a.compare(LE, b).cast(Lanes.ints(a.length()));
  }

  /** Whether {@code a} is more. */
  public static VectorMask<Integer> gt(FloatVector a, FloatVector b) {
    return a.compare(GT, b).cast(Lanes.ints(a.length()));
  }

  /** Whether {@code a} is not less. */
  public static VectorMask<Integer> ge(FloatVector a, FloatVector b) {
    return a.compare(GE, b).cast(Lanes.ints(a.length()));
  }

  /** {@code a} where {@code mask} holds, else {@code b}. */
  public static FloatVector select(VectorMask<Integer> mask, FloatVector a, FloatVector b) {
    return b.blend(a, mask.cast(b.species()));
  }

  /** The square root. */
  public static FloatVector sqrt(FloatVector a) {
    return a.lanewise(SQRT);
  }

  /** One divided by the square root. */
  public static FloatVector rsqrt(FloatVector a) {
    return FloatVector.broadcast(a.species(), 1).div(a.lanewise(SQRT));
  }

  /** The number without its sign. */
  public static FloatVector abs(FloatVector a) {
    return a.lanewise(ABS);
  }

  /** The nearest whole number, ties to even. */
  public static FloatVector nearbyint(FloatVector a) {
    FloatVector size = a.lanewise(ABS);
    FloatVector near = signed(size.add(WHOLE).sub(WHOLE), a);
    return a.blend(near, size.compare(LT, WHOLE));
  }

  /** The largest whole number that is not larger. */
  public static FloatVector floor(FloatVector a) {
    FloatVector near = nearbyint(a);
    return near.blend(near.sub(1), near.compare(GT, a));
  }

  /** The smallest whole number that is not smaller. */
  public static FloatVector ceil(FloatVector a) {
    FloatVector near = nearbyint(a);
    return signed(near.blend(near.add(1), near.compare(LT, a)), a);
  }

  /** The number without its fraction. */
  public static FloatVector trunc(FloatVector a) {
    return signed(floor(a.lanewise(ABS)), a);
  }

  /** Whether it is NaN. */
  public static VectorMask<Integer> isnan(FloatVector a) {
    return a.compare(NE, a).cast(Lanes.ints(a.length()));
  }

  /** Whether it is infinite. */
  public static VectorMask<Integer> isinf(FloatVector a) {
    return a.lanewise(ABS).compare(EQ, Float.POSITIVE_INFINITY).cast(Lanes.ints(a.length()));
  }

  /** Whether it is neither infinite nor NaN. */
  public static VectorMask<Integer> isfinite(FloatVector a) {
    return a.lanewise(ABS).compare(LT, Float.POSITIVE_INFINITY).cast(Lanes.ints(a.length()));
  }

  /** The sum of all, always in the same order. */
  public static float reduceAdd(FloatVector a) {
    return VectorSum.of(a);
  }

  /** The product of all, always in the same order. */
  public static float reduceMul(FloatVector a) {
    return VectorSum.productOf(a);
  }

  /** The smallest, NaN when one is. */
  public static float reduceMin(FloatVector a) {
    return a.reduceLanes(MIN);
  }

  /** The largest, NaN when one is. */
  public static float reduceMax(FloatVector a) {
    return a.reduceLanes(MAX);
  }

  /** A number with the sign of another, which is its own, or was lost. */
  private static FloatVector signed(FloatVector size, FloatVector a) {
    IntVector sign = a.reinterpretAsInts().lanewise(AND, 0x8000_0000);
    return size.reinterpretAsInts().lanewise(OR, sign).reinterpretAsFloats();
  }
}
