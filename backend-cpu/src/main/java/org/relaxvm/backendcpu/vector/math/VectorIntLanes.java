package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.IntLanes;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.VectorChoice;

/**
 * Arithmetic modulo 2^32 with powers in vector code, by squares. What the JIT compiler turns into
 * vector code by itself is inherited.
 */
public final class VectorIntLanes extends IntLanes {
  private static final VectorSpecies<Integer> SPECIES = Species.INT;
  private static final int LANES = SPECIES.length();

  // Elements that take as many rounds as the largest exponent among them has bits.
  private static final int BLOCK = 8 * LANES;

  /** Creates the arithmetic, where {@link VectorChoice} fell on vectors. */
  public VectorIntLanes() {}

  @Override
  public void binary(BinaryOp op, int[] a, int[] b, int from, int to) {
    if (op != BinaryOp.POWER) {
      super.binary(op, a, b, from, to);
      return;
    }
    int whole = from + SPECIES.loopBound(to - from);
    for (int start = from; start < whole; start += BLOCK) {
      int end = Math.min(whole, start + BLOCK);
      int bits = bits(b, start, end);
      power(a, b, start, end, Integer.SIZE - Integer.numberOfLeadingZeros(bits));
    }
    super.binary(op, a, b, whole, to);
  }

  /**
   * The bits that count in some exponent: of negative ones the lowest, the sign of a power of -1.
   */
  private static int bits(int[] b, int from, int to) {
    IntVector bits = IntVector.broadcast(SPECIES, 0);
    for (int i = from; i < to; i += LANES) {
      IntVector exponent = IntVector.fromArray(SPECIES, b, i);
      bits = bits.or(exponent.lanewise(AND, 1, exponent.and(Integer.MIN_VALUE).compare(NE, 0)));
    }
    return bits.reduceLanes(OR);
  }

  private static void power(int[] a, int[] b, int from, int to, int rounds) {
    for (int i = from; i < to; i += LANES) {
      IntVector square = IntVector.fromArray(SPECIES, a, i);
      IntVector left = IntVector.fromArray(SPECIES, b, i);
      VectorMask<Integer> negative = left.and(Integer.MIN_VALUE).compare(NE, 0);
      VectorMask<Integer> fraction =
          negative.and(square.compare(NE, 1)).and(square.compare(NE, -1));
      IntVector result = IntVector.broadcast(SPECIES, 1).blend(0, fraction);
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
