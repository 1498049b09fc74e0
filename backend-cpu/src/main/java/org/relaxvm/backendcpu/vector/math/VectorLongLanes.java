package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.LongLanes;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.VectorChoice;

/**
 * Arithmetic modulo 2^64 with powers in vector code, by squares. What the JIT compiler turns into
 * vector code by itself is inherited.
 */
public final class VectorLongLanes extends LongLanes {
  private static final VectorSpecies<Long> SPECIES = Species.INT.withLanes(long.class);
  private static final int LANES = SPECIES.length();

  // Elements that take as many rounds as the largest exponent among them has bits.
  private static final int BLOCK = 8 * LANES;

  private final long sign;

  /**
   * Creates the arithmetic, where {@link VectorChoice} fell on vectors.
   *
   * @param unsigned whether it is that of uint64
   */
  public VectorLongLanes(boolean unsigned) {
    super(unsigned);
    this.sign = unsigned ? 0 : Long.MIN_VALUE;
  }

  @Override
  public void binary(BinaryOp op, long[] a, long[] b, int from, int to) {
    if (op != BinaryOp.POWER) {
      super.binary(op, a, b, from, to);
      return;
    }
    int whole = from + SPECIES.loopBound(to - from);
    for (int start = from; start < whole; start += BLOCK) {
      int end = Math.min(whole, start + BLOCK);
      long bits = bits(b, start, end, sign);
      power(a, b, start, end, Long.SIZE - Long.numberOfLeadingZeros(bits), sign);
    }
    super.binary(op, a, b, whole, to);
  }

  /**
   * The bits that count in some exponent: of negative ones the lowest, the sign of a power of -1.
   */
  private static long bits(long[] b, int from, int to, long sign) {
    LongVector bits = LongVector.broadcast(SPECIES, 0);
    for (int i = from; i < to; i += LANES) {
      LongVector exponent = LongVector.fromArray(SPECIES, b, i);
      bits = bits.or(exponent.lanewise(AND, 1, exponent.and(sign).compare(NE, 0)));
    }
    return bits.reduceLanes(OR);
  }

  private static void power(long[] a, long[] b, int from, int to, int rounds, long sign) {
    for (int i = from; i < to; i += LANES) {
      LongVector square = LongVector.fromArray(SPECIES, a, i);
      LongVector left = LongVector.fromArray(SPECIES, b, i);
      VectorMask<Long> negative = left.and(sign).compare(NE, 0);
      VectorMask<Long> fraction = negative.and(square.compare(NE, 1)).and(square.compare(NE, -1));
      LongVector result = LongVector.broadcast(SPECIES, 1).blend(0, fraction);
      left = left.lanewise(AND, 1, negative);
      for (int round = 0; round < rounds; round++) {
        result = result.mul(square, left.and(1).compare(NE, 0));
        square = square.mul(square);
        left = left.lanewise(LSHR, 1);
      }
      result.intoArray(a, i);
    }
  }
}
