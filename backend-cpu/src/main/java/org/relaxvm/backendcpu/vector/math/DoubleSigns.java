package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.AND;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import org.relaxvm.backendcpu.vector.Species;

/** Signs of numbers in float64. */
final class DoubleSigns {
  private static final LongVector SIGN =
      LongVector.broadcast(Species.DOUBLE.withLanes(long.class), Long.MIN_VALUE);

  private DoubleSigns() {}

  /** The sign bits, to put them onto results that are not negative. */
  static LongVector of(DoubleVector x) {
    return x.reinterpretAsLongs().lanewise(AND, SIGN);
  }
}
