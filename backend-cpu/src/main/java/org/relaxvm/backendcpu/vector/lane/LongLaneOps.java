package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.ADD;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.MAX;
import static jdk.incubator.vector.VectorOperators.MIN;
import static jdk.incubator.vector.VectorOperators.MUL;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.UGE;
import static jdk.incubator.vector.VectorOperators.UGT;
import static jdk.incubator.vector.VectorOperators.ULE;
import static jdk.incubator.vector.VectorOperators.ULT;
import static jdk.incubator.vector.VectorOperators.UMAX;
import static jdk.incubator.vector.VectorOperators.UMIN;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;

/** Arithmetic of int64 and uint64. */
public final class LongLaneOps {
  private LongLaneOps() {}

  /** The sum, wrapped around. */
  public static LongVector add(LongVector a, LongVector b) {
    return a.add(b);
  }

  /** The difference, wrapped around. */
  public static LongVector sub(LongVector a, LongVector b) {
    return a.sub(b);
  }

  /** The product, wrapped around. */
  public static LongVector mul(LongVector a, LongVector b) {
    return a.mul(b);
  }

  /** The smaller one. */
  public static LongVector min(LongVector a, LongVector b) {
    return a.min(b);
  }

  /** The larger one. */
  public static LongVector max(LongVector a, LongVector b) {
    return a.max(b);
  }

  /** The smaller one, without signs. */
  public static LongVector minUnsigned(LongVector a, LongVector b) {
    return a.lanewise(UMIN, b);
  }

  /** The larger one, without signs. */
  public static LongVector maxUnsigned(LongVector a, LongVector b) {
    return a.lanewise(UMAX, b);
  }

  /** Whether they are equal. */
  public static VectorMask<Integer> eq(LongVector a, LongVector b) {
    return a.compare(EQ, b).cast(Lanes.HALF_INT);
  }

  /** Whether they differ. */
  public static VectorMask<Integer> ne(LongVector a, LongVector b) {
    return a.compare(NE, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is less. */
  public static VectorMask<Integer> lt(LongVector a, LongVector b) {
    return a.compare(LT, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is not more. */
  public static VectorMask<Integer> le(LongVector a, LongVector b) {
    return a.compare(LE, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is more. */
  public static VectorMask<Integer> gt(LongVector a, LongVector b) {
    return a.compare(GT, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is not less. */
  public static VectorMask<Integer> ge(LongVector a, LongVector b) {
    return a.compare(GE, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is less, without signs. */
  public static VectorMask<Integer> ltUnsigned(LongVector a, LongVector b) {
    return a.compare(ULT, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is not more, without signs. */
  public static VectorMask<Integer> leUnsigned(LongVector a, LongVector b) {
    return a.compare(ULE, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is more, without signs. */
  public static VectorMask<Integer> gtUnsigned(LongVector a, LongVector b) {
    return a.compare(UGT, b).cast(Lanes.HALF_INT);
  }

  /** Whether {@code a} is not less, without signs. */
  public static VectorMask<Integer> geUnsigned(LongVector a, LongVector b) {
    return a.compare(UGE, b).cast(Lanes.HALF_INT);
  }

  /** {@code a} where {@code mask} holds, else {@code b}. */
  public static LongVector select(VectorMask<Integer> mask, LongVector a, LongVector b) {
    return b.blend(a, mask.cast(Lanes.LONG));
  }

  /** The number without its sign; the smallest is its own. */
  public static LongVector abs(LongVector a) {
    return a.lanewise(ABS);
  }

  /** The number itself, which has no sign. */
  public static LongVector absUnsigned(LongVector a) {
    return a;
  }

  /** The bits that both have. */
  public static LongVector bitwiseAnd(LongVector a, LongVector b) {
    return a.and(b);
  }

  /** The bits that one has. */
  public static LongVector bitwiseOr(LongVector a, LongVector b) {
    return a.or(b);
  }

  /** The bits that differ. */
  public static LongVector bitwiseXor(LongVector a, LongVector b) {
    return a.lanewise(XOR, b);
  }

  /** The other bits. */
  public static LongVector bitwiseNot(LongVector a) {
    return a.not();
  }

  /** Moves bits up; 0 for a count that is negative or not below the bits of the type. */
  public static LongVector shiftLeft(LongVector a, LongVector count, int bits) {
    return a.lanewise(LSHL, count).blend(0, count.compare(UGE, bits));
  }

  /**
   * Moves bits down and repeats the sign, wholly for a count that is negative or not below the bits
   * of the type.
   */
  public static LongVector shiftRight(LongVector a, LongVector count, int bits) {
    return a.lanewise(ASHR, count.lanewise(UMIN, bits - 1));
  }

  /** Moves bits down; 0 for a count that is negative or not below the bits of the type. */
  public static LongVector shiftRightUnsigned(LongVector a, LongVector count, int bits) {
    return a.lanewise(LSHR, count).blend(0, count.compare(UGE, bits));
  }

  /** Powers, wrapped around; of negative exponents 0, unless {@code a} is 1 or -1. */
  public static LongVector pow(LongVector a, LongVector b) {
    LongVector power = powUnsigned(a, b.max(0));
    VectorMask<Long> negative = b.compare(LT, 0);
    return negative.anyTrue() ? power.blend(inverse(a, b), negative) : power;
  }

  /** Powers, wrapped around, of exponents without signs. */
  public static LongVector powUnsigned(LongVector a, LongVector b) {
    LongVector power = LongVector.broadcast(a.species(), 1);
    LongVector square = a;
    for (LongVector rest = b; rest.compare(NE, 0).anyTrue(); rest = rest.lanewise(LSHR, 1)) {
      power = power.blend(power.mul(square), rest.lanewise(AND, 1).compare(NE, 0));
      square = square.mul(square);
    }
    return power;
  }

  /** Powers of negative exponents. */
  private static LongVector inverse(LongVector a, LongVector b) {
    LongVector one = LongVector.broadcast(a.species(), 1);
    LongVector power = one.blend(a, b.lanewise(AND, 1).compare(NE, 0));
    return power.blend(0, a.lanewise(ABS).compare(NE, 1));
  }

  /** The sum of all, wrapped around. */
  public static long reduceAdd(LongVector a) {
    return a.reduceLanes(ADD);
  }

  /** The product of all, wrapped around. */
  public static long reduceMul(LongVector a) {
    return a.reduceLanes(MUL);
  }

  /** The smallest. */
  public static long reduceMin(LongVector a) {
    return a.reduceLanes(MIN);
  }

  /** The largest. */
  public static long reduceMax(LongVector a) {
    return a.reduceLanes(MAX);
  }

  /** The smallest, without signs. */
  public static long reduceMinUnsigned(LongVector a) {
    return a.lanewise(XOR, Long.MIN_VALUE).reduceLanes(MIN) ^ Long.MIN_VALUE;
  }

  /** The largest, without signs. */
  public static long reduceMaxUnsigned(LongVector a) {
    return a.lanewise(XOR, Long.MIN_VALUE).reduceLanes(MAX) ^ Long.MIN_VALUE;
  }
}
