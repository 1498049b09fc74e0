package org.relaxvm.benchmarks;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Reads memory once and does as little as possible with it: the sum of its floats. */
final class PlainRead {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private PlainRead() {}

  /** The sum of the floats from one place to another, which are whole groups of four vectors. */
  static float sum(MemorySegment memory, long from, long to) {
    int step = SPECIES.vectorByteSize();
    FloatVector a = FloatVector.zero(SPECIES);
    FloatVector b = a;
    FloatVector c = a;
    FloatVector d = a;
    for (long at = from; at < to; at += 4L * step) {
      a = a.add(FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER));
      b = b.add(FloatVector.fromMemorySegment(SPECIES, memory, at + step, ORDER));
      c = c.add(FloatVector.fromMemorySegment(SPECIES, memory, at + 2L * step, ORDER));
      d = d.add(FloatVector.fromMemorySegment(SPECIES, memory, at + 3L * step, ORDER));
    }
    return a.add(b).add(c.add(d)).reduceLanes(VectorOperators.ADD);
  }
}
