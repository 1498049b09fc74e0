package org.relaxvm.backendcpu.vector.lane;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/** The vectors of both widths, and vectors of one as halves of the other. */
final class Lanes {
  static final VectorSpecies<Float> FLOAT = Species.FLOAT;
  static final VectorSpecies<Integer> INT = Species.INT;
  static final VectorSpecies<Double> DOUBLE = Species.DOUBLE;
  static final VectorSpecies<Long> LONG = DOUBLE.withLanes(long.class);
  static final VectorSpecies<Float> HALF_FLOAT =
      VectorSpecies.of(float.class, shape(Float.SIZE * DOUBLE.length()));
  static final VectorSpecies<Integer> HALF_INT = HALF_FLOAT.withLanes(int.class);
  static final int FULL = FLOAT.length();

  /** The lanes of the second half. */
  private static final VectorMask<Float> UPPER = VectorMask.fromLong(FLOAT, -1L << DOUBLE.length());

  private static final VectorMask<Integer> UPPER_INTS = UPPER.cast(INT);

  private Lanes() {}

  /** The shape of so many bits; of 64 where there is none so small. */
  static VectorShape shape(int bits) {
    return VectorShape.forBitSize(Math.max(bits, 64));
  }

  /** Integers at the width of so many lanes. */
  static VectorSpecies<Integer> ints(int lanes) {
    return lanes == FULL ? INT : HALF_INT;
  }

  /** float32 at the width of so many lanes. */
  static VectorSpecies<Float> floats(int lanes) {
    return lanes == FULL ? FLOAT : HALF_FLOAT;
  }

  /** The first half of a full vector, or all of a half one. */
  static DoubleVector first(FloatVector x) {
    return (DoubleVector) x.castShape(DOUBLE, 0);
  }

  /** The second half of a full vector. */
  static DoubleVector second(FloatVector x) {
    return (DoubleVector) x.castShape(DOUBLE, 1);
  }

  /** The first half of a full vector, or all of a half one. */
  static DoubleVector first(IntVector x) {
    return (DoubleVector) x.castShape(DOUBLE, 0);
  }

  /** The second half of a full vector. */
  static DoubleVector second(IntVector x) {
    return (DoubleVector) x.castShape(DOUBLE, 1);
  }

  /** A full vector of the numbers nearest to those of its halves. */
  static FloatVector join(DoubleVector first, DoubleVector second) {
    FloatVector low = (FloatVector) first.castShape(FLOAT, 0);
    return low.blend(second.castShape(FLOAT, -1), UPPER);
  }

  /** A full vector of its halves without their fractions. */
  static IntVector joinInts(DoubleVector first, DoubleVector second) {
    IntVector low = (IntVector) first.castShape(INT, 0);
    return low.blend(second.castShape(INT, -1), UPPER_INTS);
  }

  /** A half vector of the nearest numbers. */
  static FloatVector narrow(DoubleVector x) {
    return (FloatVector) x.castShape(HALF_FLOAT, 0);
  }

  /** A half vector without fractions. */
  static IntVector narrowInts(DoubleVector x) {
    return (IntVector) x.castShape(HALF_INT, 0);
  }
}
