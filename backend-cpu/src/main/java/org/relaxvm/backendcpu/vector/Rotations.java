package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Rotations of the lanes of a vector towards the first one, by a power of two below their number.
 * All are constants: of those the JIT compiler makes one instruction.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "How are the lanes of a vector summed?"
 */
final class Rotations {
  private static final VectorShuffle<Float> FLOATS_16_BY_8 = of(FloatVector.SPECIES_512, 8);
  private static final VectorShuffle<Float> FLOATS_16_BY_4 = of(FloatVector.SPECIES_512, 4);
  private static final VectorShuffle<Float> FLOATS_16_BY_2 = of(FloatVector.SPECIES_512, 2);
  private static final VectorShuffle<Float> FLOATS_16_BY_1 = of(FloatVector.SPECIES_512, 1);
  private static final VectorShuffle<Float> FLOATS_8_BY_4 = of(FloatVector.SPECIES_256, 4);
  private static final VectorShuffle<Float> FLOATS_8_BY_2 = of(FloatVector.SPECIES_256, 2);
  private static final VectorShuffle<Float> FLOATS_8_BY_1 = of(FloatVector.SPECIES_256, 1);
  private static final VectorShuffle<Float> FLOATS_4_BY_2 = of(FloatVector.SPECIES_128, 2);
  private static final VectorShuffle<Float> FLOATS_4_BY_1 = of(FloatVector.SPECIES_128, 1);
  private static final VectorShuffle<Float> FLOATS_2_BY_1 = of(FloatVector.SPECIES_64, 1);
  private static final VectorShuffle<Double> DOUBLES_8_BY_4 = of(DoubleVector.SPECIES_512, 4);
  private static final VectorShuffle<Double> DOUBLES_8_BY_2 = of(DoubleVector.SPECIES_512, 2);
  private static final VectorShuffle<Double> DOUBLES_8_BY_1 = of(DoubleVector.SPECIES_512, 1);
  private static final VectorShuffle<Double> DOUBLES_4_BY_2 = of(DoubleVector.SPECIES_256, 2);
  private static final VectorShuffle<Double> DOUBLES_4_BY_1 = of(DoubleVector.SPECIES_256, 1);
  private static final VectorShuffle<Double> DOUBLES_2_BY_1 = of(DoubleVector.SPECIES_128, 1);

  private Rotations() {}

  static VectorShuffle<Float> floats(FloatVector x, int distance) {
    return switch (x.length()) {
      case 16 ->
          switch (distance) {
            case 8 -> FLOATS_16_BY_8;
            case 4 -> FLOATS_16_BY_4;
            case 2 -> FLOATS_16_BY_2;
            default -> FLOATS_16_BY_1;
          };
      case 8 ->
          switch (distance) {
            case 4 -> FLOATS_8_BY_4;
            case 2 -> FLOATS_8_BY_2;
            default -> FLOATS_8_BY_1;
          };
      case 4 -> distance == 2 ? FLOATS_4_BY_2 : FLOATS_4_BY_1;
      default -> FLOATS_2_BY_1;
    };
  }

  static VectorShuffle<Double> doubles(DoubleVector x, int distance) {
    return switch (x.length()) {
      case 8 ->
          switch (distance) {
            case 4 -> DOUBLES_8_BY_4;
            case 2 -> DOUBLES_8_BY_2;
            default -> DOUBLES_8_BY_1;
          };
      case 4 -> distance == 2 ? DOUBLES_4_BY_2 : DOUBLES_4_BY_1;
      default -> DOUBLES_2_BY_1;
    };
  }

  private static <E> VectorShuffle<E> of(VectorSpecies<E> species, int distance) {
    return VectorShuffle.iota(species, distance, 1, true);
  }
}
