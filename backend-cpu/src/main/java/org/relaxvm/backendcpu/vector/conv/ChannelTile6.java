package org.relaxvm.backendcpu.vector.conv;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Six positions of two vectors: 12 sums in registers, for machines with 16 of them. The code is
 * written out because sums in an array would be sums in memory.
 */
final class ChannelTile6 extends ChannelTile {
  private static final VectorSpecies<Float> SPECIES = Species.SHORT_FLOAT;
  private static final int LANES = SPECIES.length();
  private static final int WIDTH = 2 * LANES;

  ChannelTile6() {
    super(6, 0, WIDTH);
  }

  @Override
  void multiplyRuns(
      float[] w,
      int wAt,
      float[] b,
      int bAt,
      int bNext,
      int[] offsets,
      int depth,
      float[] start,
      float[] c,
      int cAt,
      int cNext) {
    throw new UnsupportedOperationException("sixteen registers hold no two runs");
  }

  @Override
  void multiply(
      float[] w,
      int wAt,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      int positions,
      float[] start,
      float[] c,
      int cAt) {
    if (positions <= 4) {
      four(w, wAt, b, bAt, offsets, depth, start, c, cAt);
    } else {
      six(w, wAt, b, bAt, offsets, depth, start, c, cAt);
    }
  }

  /** Six positions. */
  private static void six(
      float[] w,
      int wAt,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      float[] start,
      float[] c,
      int cAt) {
    FloatVector c00 = FloatVector.fromArray(SPECIES, start, 0);
    FloatVector c01 = FloatVector.fromArray(SPECIES, start, LANES);
    FloatVector c10 = c00;
    FloatVector c11 = c01;
    FloatVector c20 = c00;
    FloatVector c21 = c01;
    FloatVector c30 = c00;
    FloatVector c31 = c01;
    FloatVector c40 = c00;
    FloatVector c41 = c01;
    FloatVector c50 = c00;
    FloatVector c51 = c01;
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      FloatVector w0 = FloatVector.fromArray(SPECIES, w, wAt + p * WIDTH);
      FloatVector w1 = FloatVector.fromArray(SPECIES, w, wAt + p * WIDTH + LANES);
      FloatVector b0 = FloatVector.broadcast(SPECIES, b[at]);
      c00 = b0.fma(w0, c00);
      c01 = b0.fma(w1, c01);
      FloatVector b1 = FloatVector.broadcast(SPECIES, b[at + 1]);
      c10 = b1.fma(w0, c10);
      c11 = b1.fma(w1, c11);
      FloatVector b2 = FloatVector.broadcast(SPECIES, b[at + 2]);
      c20 = b2.fma(w0, c20);
      c21 = b2.fma(w1, c21);
      FloatVector b3 = FloatVector.broadcast(SPECIES, b[at + 3]);
      c30 = b3.fma(w0, c30);
      c31 = b3.fma(w1, c31);
      FloatVector b4 = FloatVector.broadcast(SPECIES, b[at + 4]);
      c40 = b4.fma(w0, c40);
      c41 = b4.fma(w1, c41);
      FloatVector b5 = FloatVector.broadcast(SPECIES, b[at + 5]);
      c50 = b5.fma(w0, c50);
      c51 = b5.fma(w1, c51);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c10.intoArray(c, cAt + WIDTH);
    c11.intoArray(c, cAt + WIDTH + LANES);
    c20.intoArray(c, cAt + 2 * WIDTH);
    c21.intoArray(c, cAt + 2 * WIDTH + LANES);
    c30.intoArray(c, cAt + 3 * WIDTH);
    c31.intoArray(c, cAt + 3 * WIDTH + LANES);
    c40.intoArray(c, cAt + 4 * WIDTH);
    c41.intoArray(c, cAt + 4 * WIDTH + LANES);
    c50.intoArray(c, cAt + 5 * WIDTH);
    c51.intoArray(c, cAt + 5 * WIDTH + LANES);
  }

  /** Four positions. */
  private static void four(
      float[] w,
      int wAt,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      float[] start,
      float[] c,
      int cAt) {
    FloatVector c00 = FloatVector.fromArray(SPECIES, start, 0);
    FloatVector c01 = FloatVector.fromArray(SPECIES, start, LANES);
    FloatVector c10 = c00;
    FloatVector c11 = c01;
    FloatVector c20 = c00;
    FloatVector c21 = c01;
    FloatVector c30 = c00;
    FloatVector c31 = c01;
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      FloatVector w0 = FloatVector.fromArray(SPECIES, w, wAt + p * WIDTH);
      FloatVector w1 = FloatVector.fromArray(SPECIES, w, wAt + p * WIDTH + LANES);
      FloatVector b0 = FloatVector.broadcast(SPECIES, b[at]);
      c00 = b0.fma(w0, c00);
      c01 = b0.fma(w1, c01);
      FloatVector b1 = FloatVector.broadcast(SPECIES, b[at + 1]);
      c10 = b1.fma(w0, c10);
      c11 = b1.fma(w1, c11);
      FloatVector b2 = FloatVector.broadcast(SPECIES, b[at + 2]);
      c20 = b2.fma(w0, c20);
      c21 = b2.fma(w1, c21);
      FloatVector b3 = FloatVector.broadcast(SPECIES, b[at + 3]);
      c30 = b3.fma(w0, c30);
      c31 = b3.fma(w1, c31);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c10.intoArray(c, cAt + WIDTH);
    c11.intoArray(c, cAt + WIDTH + LANES);
    c20.intoArray(c, cAt + 2 * WIDTH);
    c21.intoArray(c, cAt + 2 * WIDTH + LANES);
    c30.intoArray(c, cAt + 3 * WIDTH);
    c31.intoArray(c, cAt + 3 * WIDTH + LANES);
  }
}
