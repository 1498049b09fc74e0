package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The vectors of the {@link VectorChoice}: constants, as the JIT compiler needs them. */
final class Species {
  static final VectorSpecies<Float> FLOAT =
      VectorSpecies.of(float.class, VectorShape.forBitSize(VectorChoice.get().bits()));
  static final VectorSpecies<Integer> INT = FLOAT.withLanes(int.class);

  private Species() {}

  static FloatVector of(float value) {
    return FloatVector.broadcast(FLOAT, value);
  }

  static IntVector of(int value) {
    return IntVector.broadcast(INT, value);
  }
}
