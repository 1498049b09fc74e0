package org.relaxvm.backendcpu.micro;

import java.util.EnumSet;
import java.util.Set;
import org.relaxvm.machine.x64.Feature;

/**
 * The vectors of a processor: how wide, and how many registers. Tiles are as large as the registers
 * allow: accumulators, one row of vectors of the right matrix, and elements of the left one.
 *
 * @param features that code may use
 * @param bits of a vector: 256 (AVX2 with FMA), or 512 (AVX-512)
 */
record VectorUnit(Set<Feature> features, int bits) {
  private static final Set<Feature> WIDE =
      EnumSet.of(Feature.AVX512F, Feature.AVX512VL, Feature.AVX512BW, Feature.AVX512DQ);

  /** Accumulators of one row: with more, rows of the right matrix are read in too wide steps. */
  private static final int MOST_VECTORS = 6;

  /**
   * The vectors of a processor.
   *
   * @throws IllegalArgumentException if it has no AVX2 with FMA
   */
  static VectorUnit of(Set<Feature> features) {
    if (!features.containsAll(Feature.x86V3())) {
      throw new IllegalArgumentException(
          "GEMM needs the features %s, but got %s".formatted(Feature.x86V3(), features));
    }
    return new VectorUnit(features, features.containsAll(WIDE) ? 512 : 256);
  }

  boolean isWide() {
    return bits == 512;
  }

  int registers() {
    return isWide() ? 32 : 16;
  }

  int bytes() {
    return bits / 8;
  }

  int lanes(Element element) {
    return bytes() / element.bytes();
  }

  /** Rows of the tile with {@link #panelVectors} vectors. */
  int mostRows() {
    return isWide() ? 14 : 6;
  }

  /** Vectors in a row of a packed panel. */
  int panelVectors() {
    return 2;
  }

  /** The most vectors of a tile with so many rows. */
  int mostVectors(int rows) {
    int free = registers() - 2;
    return Math.max(1, Math.min(isWide() ? MOST_VECTORS : 4, free / (rows + 1)));
  }
}
