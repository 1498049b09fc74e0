package org.relaxvm.backendcpu.vector.conv;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Eight positions of two vectors, 16 sums in registers, or two runs of seven, 28 sums, for machines
 * with 32 registers. The code is written out because sums in an array would be sums in memory.
 */
final class ChannelTile8 extends ChannelTile {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final int WIDTH = 2 * LANES;

  ChannelTile8() {
    super(8, 7, WIDTH);
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
    runs(w, wAt, b, bAt, bNext, offsets, depth, start, c, cAt, cNext);
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
    } else if (positions <= 7) {
      seven(w, wAt, b, bAt, offsets, depth, start, c, cAt);
    } else {
      eight(w, wAt, b, bAt, offsets, depth, start, c, cAt);
    }
  }

  /** Eight positions. */
  private static void eight(
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
    FloatVector c60 = c00;
    FloatVector c61 = c01;
    FloatVector c70 = c00;
    FloatVector c71 = c01;
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
      FloatVector b6 = FloatVector.broadcast(SPECIES, b[at + 6]);
      c60 = b6.fma(w0, c60);
      c61 = b6.fma(w1, c61);
      FloatVector b7 = FloatVector.broadcast(SPECIES, b[at + 7]);
      c70 = b7.fma(w0, c70);
      c71 = b7.fma(w1, c71);
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
    c60.intoArray(c, cAt + 6 * WIDTH);
    c61.intoArray(c, cAt + 6 * WIDTH + LANES);
    c70.intoArray(c, cAt + 7 * WIDTH);
    c71.intoArray(c, cAt + 7 * WIDTH + LANES);
  }

  /** Seven positions. */
  private static void seven(
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
    FloatVector c60 = c00;
    FloatVector c61 = c01;
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
      FloatVector b6 = FloatVector.broadcast(SPECIES, b[at + 6]);
      c60 = b6.fma(w0, c60);
      c61 = b6.fma(w1, c61);
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
    c60.intoArray(c, cAt + 6 * WIDTH);
    c61.intoArray(c, cAt + 6 * WIDTH + LANES);
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

  /** Two runs of seven positions. */
  private static void runs(
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
    FloatVector c60 = c00;
    FloatVector c61 = c01;
    FloatVector c70 = c00;
    FloatVector c71 = c01;
    FloatVector c80 = c00;
    FloatVector c81 = c01;
    FloatVector c90 = c00;
    FloatVector c91 = c01;
    FloatVector ca0 = c00;
    FloatVector ca1 = c01;
    FloatVector cb0 = c00;
    FloatVector cb1 = c01;
    FloatVector cc0 = c00;
    FloatVector cc1 = c01;
    FloatVector cd0 = c00;
    FloatVector cd1 = c01;
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      int next = at + bNext;
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
      FloatVector b6 = FloatVector.broadcast(SPECIES, b[at + 6]);
      c60 = b6.fma(w0, c60);
      c61 = b6.fma(w1, c61);
      FloatVector b7 = FloatVector.broadcast(SPECIES, b[next]);
      c70 = b7.fma(w0, c70);
      c71 = b7.fma(w1, c71);
      FloatVector b8 = FloatVector.broadcast(SPECIES, b[next + 1]);
      c80 = b8.fma(w0, c80);
      c81 = b8.fma(w1, c81);
      FloatVector b9 = FloatVector.broadcast(SPECIES, b[next + 2]);
      c90 = b9.fma(w0, c90);
      c91 = b9.fma(w1, c91);
      FloatVector ba = FloatVector.broadcast(SPECIES, b[next + 3]);
      ca0 = ba.fma(w0, ca0);
      ca1 = ba.fma(w1, ca1);
      FloatVector bb = FloatVector.broadcast(SPECIES, b[next + 4]);
      cb0 = bb.fma(w0, cb0);
      cb1 = bb.fma(w1, cb1);
      FloatVector bc = FloatVector.broadcast(SPECIES, b[next + 5]);
      cc0 = bc.fma(w0, cc0);
      cc1 = bc.fma(w1, cc1);
      FloatVector bd = FloatVector.broadcast(SPECIES, b[next + 6]);
      cd0 = bd.fma(w0, cd0);
      cd1 = bd.fma(w1, cd1);
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
    c60.intoArray(c, cAt + 6 * WIDTH);
    c61.intoArray(c, cAt + 6 * WIDTH + LANES);
    c70.intoArray(c, cNext);
    c71.intoArray(c, cNext + LANES);
    c80.intoArray(c, cNext + WIDTH);
    c81.intoArray(c, cNext + WIDTH + LANES);
    c90.intoArray(c, cNext + 2 * WIDTH);
    c91.intoArray(c, cNext + 2 * WIDTH + LANES);
    ca0.intoArray(c, cNext + 3 * WIDTH);
    ca1.intoArray(c, cNext + 3 * WIDTH + LANES);
    cb0.intoArray(c, cNext + 4 * WIDTH);
    cb1.intoArray(c, cNext + 4 * WIDTH + LANES);
    cc0.intoArray(c, cNext + 5 * WIDTH);
    cc1.intoArray(c, cNext + 5 * WIDTH + LANES);
    cd0.intoArray(c, cNext + 6 * WIDTH);
    cd1.intoArray(c, cNext + 6 * WIDTH + LANES);
  }
}
