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

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;

/** Arithmetic of integers of up to 32 bits; {@link IntLaneDivision} is apart. */
public final class IntLaneOps {
  private IntLaneOps() {}

  /** The sum, wrapped around. */
  public static IntVector add(IntVector a, IntVector b) {
    return a.add(b);
  }

  /** The difference, wrapped around. */
  public static IntVector sub(IntVector a, IntVector b) {
    return a.sub(b);
  }

  /** The product, wrapped around. */
  public static IntVector mul(IntVector a, IntVector b) {
    return a.mul(b);
  }

  /** The smaller one. */
  public static IntVector min(IntVector a, IntVector b) {
    return a.min(b);
  }

  /** The larger one. */
  public static IntVector max(IntVector a, IntVector b) {
    return a.max(b);
  }

  /** The smaller one, without signs. */
  public static IntVector minUnsigned(IntVector a, IntVector b) {
    return a.lanewise(UMIN, b);
  }

  /** The larger one, without signs. */
  public static IntVector maxUnsigned(IntVector a, IntVector b) {
    return a.lanewise(UMAX, b);
  }

  /** Whether they are equal. */
  public static VectorMask<Integer> eq(IntVector a, IntVector b) {
    return a.compare(EQ, b);
  }

  /** Whether they differ. */
  public static VectorMask<Integer> ne(IntVector a, IntVector b) {
    return a.compare(NE, b);
  }

  /** Whether {@code a} is less. */
  public static VectorMask<Integer> lt(IntVector a, IntVector b) {
    return a.compare(LT, b);
  }

  /** Whether {@code a} is not more. */
  public static VectorMask<Integer> le(IntVector a, IntVector b) {
    return a.compare(LE, b);
  }

  /** Whether {@code a} is more. */
  public static VectorMask<Integer> gt(IntVector a, IntVector b) {
    return a.compare(GT, b);
  }

  /** Whether {@code a} is not less. */
  public static VectorMask<Integer> ge(IntVector a, IntVector b) {
    return a.compare(GE, b);
  }

  /** Whether {@code a} is less, without signs. */
  public static VectorMask<Integer> ltUnsigned(IntVector a, IntVector b) {
    return a.compare(ULT, b);
  }

  /** Whether {@code a} is not more, without signs. */
  public static VectorMask<Integer> leUnsigned(IntVector a, IntVector b) {
    return a.compare(ULE, b);
  }

  /** Whether {@code a} is more, without signs. */
  public static VectorMask<Integer> gtUnsigned(IntVector a, IntVector b) {
    return a.compare(UGT, b);
  }

  /** Whether {@code a} is not less, without signs. */
  public static VectorMask<Integer> geUnsigned(IntVector a, IntVector b) {
    return a.compare(UGE, b);
  }

  /** {@code a} where {@code mask} holds, else {@code b}. */
  public static IntVector select(VectorMask<Integer> mask, IntVector a, IntVector b) {
    return b.blend(a, mask);
  }

  /** The number without its sign; the smallest is its own. */
  public static IntVector abs(IntVector a) {
    return a.lanewise(ABS);
  }

  /** The number itself, which has no sign. */
  public static IntVector absUnsigned(IntVector a) {
    return a;
  }

  /** The bits that both have. */
  public static IntVector bitwiseAnd(IntVector a, IntVector b) {
    return a.and(b);
  }

  /** The bits that one has. */
  public static IntVector bitwiseOr(IntVector a, IntVector b) {
    return a.or(b);
  }

  /** The bits that differ. */
  public static IntVector bitwiseXor(IntVector a, IntVector b) {
    return a.lanewise(XOR, b);
  }

  /** The other bits. */
  public static IntVector bitwiseNot(IntVector a) {
    return a.not();
  }

  /** Moves bits up; 0 for a count that is negative or not below the bits of the type. */
  public static IntVector shiftLeft(IntVector a, IntVector count, int bits) {
    return a.lanewise(LSHL, count).blend(0, count.compare(UGE, bits));
  }

  /**
   * Moves bits down and repeats the sign, wholly for a count that is negative or not below the bits
   * of the type.
   */
  public static IntVector shiftRight(IntVector a, IntVector count, int bits) {
    return a.lanewise(ASHR, count.lanewise(UMIN, bits - 1));
  }

  /** Moves bits down; 0 for a count that is negative or not below the bits of the type. */
  public static IntVector shiftRightUnsigned(IntVector a, IntVector count, int bits) {
    return a.lanewise(LSHR, count).blend(0, count.compare(UGE, bits));
  }

  /** Powers, wrapped around; of negative exponents 0, unless {@code a} is 1 or -1. */
  public static IntVector pow(IntVector a, IntVector b) {
    IntVector power = powUnsigned(a, b.max(0));
    VectorMask<Integer> negative = b.compare(LT, 0);
    return negative.anyTrue() ? power.blend(inverse(a, b), negative) : power;
  }

  /** Powers, wrapped around, of exponents without signs. */
  public static IntVector powUnsigned(IntVector a, IntVector b) {
    IntVector power = IntVector.broadcast(a.species(), 1);
    IntVector square = a;
    for (IntVector rest = b; rest.compare(NE, 0).anyTrue(); rest = rest.lanewise(LSHR, 1)) {
      power = power.blend(power.mul(square), rest.lanewise(AND, 1).compare(NE, 0));
      square = square.mul(square);
    }
    return power;
  }

  /** Powers of negative exponents. */
  private static IntVector inverse(IntVector a, IntVector b) {
    IntVector one = IntVector.broadcast(a.species(), 1);
    IntVector power = one.blend(a, b.lanewise(AND, 1).compare(NE, 0));
    return power.blend(0, a.lanewise(ABS).compare(NE, 1));
  }

  /** The int8 of the same low bits. */
  public static IntVector wrapInt8(IntVector a) {
    return a.lanewise(LSHL, 24).lanewise(ASHR, 24);
  }

  /** The uint8 of the same low bits. */
  public static IntVector wrapUint8(IntVector a) {
    return a.lanewise(AND, 0xFF);
  }

  /** The int16 of the same low bits. */
  public static IntVector wrapInt16(IntVector a) {
    return a.lanewise(LSHL, 16).lanewise(ASHR, 16);
  }

  /** The uint16 of the same low bits. */
  public static IntVector wrapUint16(IntVector a) {
    return a.lanewise(AND, 0xFFFF);
  }

  /** The sum of all, wrapped around. */
  public static int reduceAdd(IntVector a) {
    return a.reduceLanes(ADD);
  }

  /** The product of all, wrapped around. */
  public static int reduceMul(IntVector a) {
    return a.reduceLanes(MUL);
  }

  /** The smallest. */
  public static int reduceMin(IntVector a) {
    return a.reduceLanes(MIN);
  }

  /** The largest. */
  public static int reduceMax(IntVector a) {
    return a.reduceLanes(MAX);
  }

  /** The smallest, without signs. */
  public static int reduceMinUnsigned(IntVector a) {
    return a.lanewise(XOR, Integer.MIN_VALUE).reduceLanes(MIN) ^ Integer.MIN_VALUE;
  }

  /** The largest, without signs. */
  public static int reduceMaxUnsigned(IntVector a) {
    return a.lanewise(XOR, Integer.MIN_VALUE).reduceLanes(MAX) ^ Integer.MIN_VALUE;
  }
}
