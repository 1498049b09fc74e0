package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The vectors of the {@link VectorChoice}: constants, as the JIT compiler needs them. */
public final class Species {
  private static final VectorShape CHOSEN = VectorShape.forBitSize(VectorChoice.get().bits());
  private static final VectorShape SHORT =
      VectorShape.forBitSize(Math.min(256, VectorChoice.get().bits()));

  /** float32. */
  public static final VectorSpecies<Float> FLOAT = VectorSpecies.of(float.class, CHOSEN);

  /** float64. */
  public static final VectorSpecies<Double> DOUBLE = VectorSpecies.of(double.class, CHOSEN);

  /** float32, at most 256 bits: for code that is made for 16 registers. */
  public static final VectorSpecies<Float> SHORT_FLOAT = VectorSpecies.of(float.class, SHORT);

  /** float64, at most 256 bits. */
  public static final VectorSpecies<Double> SHORT_DOUBLE = VectorSpecies.of(double.class, SHORT);

  /** int32, as many lanes as float32 has. */
  public static final VectorSpecies<Integer> INT = FLOAT.withLanes(int.class);

  private Species() {}

  /** A vector of equal numbers. */
  public static FloatVector of(float value) {
    return FloatVector.broadcast(FLOAT, value);
  }

  /** A vector of equal numbers. */
  public static IntVector of(int value) {
    return IntVector.broadcast(INT, value);
  }
}
