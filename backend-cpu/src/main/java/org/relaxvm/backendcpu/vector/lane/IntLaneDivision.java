package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.UGE;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;

/**
 * Division of integers of up to 32 bits, by quotients in float64: those have digits enough that
 * rounding takes none to the next integer. The quotient of the smallest integer and -1 wraps
 * around.
 *
 * <p>A divisor of 0 throws an {@code ArithmeticException}.
 */
public final class IntLaneDivision {
  private IntLaneDivision() {}

  /** The quotient, rounded toward 0. */
  public static IntVector div(IntVector a, IntVector b) {
    requireDivisors(b.compare(EQ, 0));
    return quotient(a, b);
  }

  /** The quotient, rounded toward 0, where only the lanes of {@code active} count. */
  public static IntVector div(IntVector a, IntVector b, VectorMask<Integer> active) {
    requireDivisors(b.compare(EQ, 0).and(active));
    return quotient(a, b);
  }

  /** The rest of the quotient that is rounded toward 0. */
  public static IntVector mod(IntVector a, IntVector b) {
    requireDivisors(b.compare(EQ, 0));
    return a.sub(quotient(a, b).mul(b));
  }

  /**
   * The rest of the quotient that is rounded toward 0, where only the lanes of {@code active}
   * count.
   */
  public static IntVector mod(IntVector a, IntVector b, VectorMask<Integer> active) {
    requireDivisors(b.compare(EQ, 0).and(active));
    return a.sub(quotient(a, b).mul(b));
  }

  /** The quotient, rounded down. */
  public static IntVector floorDiv(IntVector a, IntVector b) {
    requireDivisors(b.compare(EQ, 0));
    return floorQuotient(a, b);
  }

  /** The quotient, rounded down, where only the lanes of {@code active} count. */
  public static IntVector floorDiv(IntVector a, IntVector b, VectorMask<Integer> active) {
    requireDivisors(b.compare(EQ, 0).and(active));
    return floorQuotient(a, b);
  }

  /** The rest of the quotient that is rounded down. */
  public static IntVector floorMod(IntVector a, IntVector b) {
    requireDivisors(b.compare(EQ, 0));
    return a.sub(floorQuotient(a, b).mul(b));
  }

  /**
   * The rest of the quotient that is rounded down, where only the lanes of {@code active} count.
   */
  public static IntVector floorMod(IntVector a, IntVector b, VectorMask<Integer> active) {
    requireDivisors(b.compare(EQ, 0).and(active));
    return a.sub(floorQuotient(a, b).mul(b));
  }

  /** The quotient without signs. */
  public static IntVector divUnsigned(IntVector a, IntVector b) {
    requireDivisors(b.compare(EQ, 0));
    return unsignedQuotient(a, b);
  }

  /** The quotient without signs, where only the lanes of {@code active} count. */
  public static IntVector divUnsigned(IntVector a, IntVector b, VectorMask<Integer> active) {
    requireDivisors(b.compare(EQ, 0).and(active));
    return unsignedQuotient(a, b);
  }

  /** The rest without signs. */
  public static IntVector modUnsigned(IntVector a, IntVector b) {
    requireDivisors(b.compare(EQ, 0));
    return a.sub(unsignedQuotient(a, b).mul(b));
  }

  /** The rest without signs, where only the lanes of {@code active} count. */
  public static IntVector modUnsigned(IntVector a, IntVector b, VectorMask<Integer> active) {
    requireDivisors(b.compare(EQ, 0).and(active));
    return a.sub(unsignedQuotient(a, b).mul(b));
  }

  /** The quotient without signs. */
  public static IntVector floorDivUnsigned(IntVector a, IntVector b) {
    requireDivisors(b.compare(EQ, 0));
    return unsignedQuotient(a, b);
  }

  /** The quotient without signs, where only the lanes of {@code active} count. */
  public static IntVector floorDivUnsigned(IntVector a, IntVector b, VectorMask<Integer> active) {
    requireDivisors(b.compare(EQ, 0).and(active));
    return unsignedQuotient(a, b);
  }

  /** The rest without signs. */
  public static IntVector floorModUnsigned(IntVector a, IntVector b) {
    requireDivisors(b.compare(EQ, 0));
    return a.sub(unsignedQuotient(a, b).mul(b));
  }

  /** The rest without signs, where only the lanes of {@code active} count. */
  public static IntVector floorModUnsigned(IntVector a, IntVector b, VectorMask<Integer> active) {
    requireDivisors(b.compare(EQ, 0).and(active));
    return a.sub(unsignedQuotient(a, b).mul(b));
  }

  private static void requireDivisors(VectorMask<Integer> zeros) {
    if (zeros.anyTrue()) {
      throw new ArithmeticException("/ by zero");
    }
  }

  /** Rounded toward 0; the one quotient that is out of range wraps around. */
  private static IntVector quotient(IntVector a, IntVector b) {
    return inDoubles(a, b).blend(a.neg(), b.compare(EQ, -1));
  }

  private static IntVector inDoubles(IntVector a, IntVector b) {
    DoubleVector low = Lanes.first(a).div(Lanes.first(b));
    if (a.length() < Lanes.FULL) {
      return Lanes.narrowInts(low);
    }
    return Lanes.joinInts(low, Lanes.second(a).div(Lanes.second(b)));
  }

  /** One less where there is a rest whose sign is not that of {@code b}. */
  private static IntVector floorQuotient(IntVector a, IntVector b) {
    IntVector q = quotient(a, b);
    IntVector rest = a.sub(q.mul(b));
    VectorMask<Integer> differ = rest.lanewise(XOR, b).compare(LT, 0);
    return q.blend(q.sub(1), differ.and(rest.compare(NE, 0)));
  }

  /** Twice the quotient of the half, and one more where the rest is as large as {@code b}. */
  private static IntVector unsignedQuotient(IntVector a, IntVector b) {
    IntVector q = inDoubles(a.lanewise(LSHR, 1), b).lanewise(LSHL, 1);
    IntVector rest = a.sub(q.mul(b));
    q = q.blend(q.add(1), rest.compare(UGE, b));
    return q.blend(largeQuotient(a, b), b.compare(LT, 0));
  }

  /** The quotient by 2^31 or more is 1 or 0. */
  private static IntVector largeQuotient(IntVector a, IntVector b) {
    return IntVector.zero(a.species()).blend(1, a.compare(UGE, b));
  }
}
