package org.relaxvm.backendcpu.vector.conv;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Eight rows of three vectors: 24 sums in registers, for machines with 32 of them. The code is
 * written out because sums in an array would be sums in memory.
 */
final class WindowTile8 extends WindowTile {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final int TALL = 12;

  WindowTile8() {
    super(8, TALL, 3, LANES);
  }

  @Override
  void multiply(
      float[] a,
      int aAt,
      int aRow,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      int rows,
      int columns,
      float[] c,
      int cAt,
      int cRow) {
    if (rows == TALL) {
      tall(a, aAt, aRow, b, bAt, offsets, depth, c, cAt, cRow);
    } else if (rows == 1) {
      single(a, aAt, b, bAt, offsets, depth, c, cAt);
    } else if (rows <= LOW) {
      low(a, aAt, aRow, b, bAt, offsets, depth, c, cAt, cRow);
    } else if (columns <= LANES) {
      narrow(a, aAt, aRow, b, bAt, offsets, depth, c, cAt, cRow);
    } else if (columns <= 2 * LANES) {
      wide(a, aAt, aRow, b, bAt, offsets, depth, c, cAt, cRow);
    } else {
      full(a, aAt, aRow, b, bAt, offsets, depth, c, cAt, cRow);
    }
  }

  /** All rows of three vectors. */
  private static void full(
      float[] a,
      int aAt,
      int aRow,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      float[] c,
      int cAt,
      int cRow) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero;
    FloatVector c01 = zero;
    FloatVector c02 = zero;
    FloatVector c10 = zero;
    FloatVector c11 = zero;
    FloatVector c12 = zero;
    FloatVector c20 = zero;
    FloatVector c21 = zero;
    FloatVector c22 = zero;
    FloatVector c30 = zero;
    FloatVector c31 = zero;
    FloatVector c32 = zero;
    FloatVector c40 = zero;
    FloatVector c41 = zero;
    FloatVector c42 = zero;
    FloatVector c50 = zero;
    FloatVector c51 = zero;
    FloatVector c52 = zero;
    FloatVector c60 = zero;
    FloatVector c61 = zero;
    FloatVector c62 = zero;
    FloatVector c70 = zero;
    FloatVector c71 = zero;
    FloatVector c72 = zero;
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, at);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, at + LANES);
      FloatVector b2 = FloatVector.fromArray(SPECIES, b, at + 2 * LANES);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      c02 = a0.fma(b2, c02);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[aAt + aRow + p]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      c12 = a1.fma(b2, c12);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[aAt + 2 * aRow + p]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      c22 = a2.fma(b2, c22);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[aAt + 3 * aRow + p]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      c32 = a3.fma(b2, c32);
      FloatVector a4 = FloatVector.broadcast(SPECIES, a[aAt + 4 * aRow + p]);
      c40 = a4.fma(b0, c40);
      c41 = a4.fma(b1, c41);
      c42 = a4.fma(b2, c42);
      FloatVector a5 = FloatVector.broadcast(SPECIES, a[aAt + 5 * aRow + p]);
      c50 = a5.fma(b0, c50);
      c51 = a5.fma(b1, c51);
      c52 = a5.fma(b2, c52);
      FloatVector a6 = FloatVector.broadcast(SPECIES, a[aAt + 6 * aRow + p]);
      c60 = a6.fma(b0, c60);
      c61 = a6.fma(b1, c61);
      c62 = a6.fma(b2, c62);
      FloatVector a7 = FloatVector.broadcast(SPECIES, a[aAt + 7 * aRow + p]);
      c70 = a7.fma(b0, c70);
      c71 = a7.fma(b1, c71);
      c72 = a7.fma(b2, c72);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c02.intoArray(c, cAt + 2 * LANES);
    c10.intoArray(c, cAt + cRow);
    c11.intoArray(c, cAt + cRow + LANES);
    c12.intoArray(c, cAt + cRow + 2 * LANES);
    c20.intoArray(c, cAt + 2 * cRow);
    c21.intoArray(c, cAt + 2 * cRow + LANES);
    c22.intoArray(c, cAt + 2 * cRow + 2 * LANES);
    c30.intoArray(c, cAt + 3 * cRow);
    c31.intoArray(c, cAt + 3 * cRow + LANES);
    c32.intoArray(c, cAt + 3 * cRow + 2 * LANES);
    c40.intoArray(c, cAt + 4 * cRow);
    c41.intoArray(c, cAt + 4 * cRow + LANES);
    c42.intoArray(c, cAt + 4 * cRow + 2 * LANES);
    c50.intoArray(c, cAt + 5 * cRow);
    c51.intoArray(c, cAt + 5 * cRow + LANES);
    c52.intoArray(c, cAt + 5 * cRow + 2 * LANES);
    c60.intoArray(c, cAt + 6 * cRow);
    c61.intoArray(c, cAt + 6 * cRow + LANES);
    c62.intoArray(c, cAt + 6 * cRow + 2 * LANES);
    c70.intoArray(c, cAt + 7 * cRow);
    c71.intoArray(c, cAt + 7 * cRow + LANES);
    c72.intoArray(c, cAt + 7 * cRow + 2 * LANES);
  }

  /** Twelve rows of two vectors. */
  private static void tall(
      float[] a,
      int aAt,
      int aRow,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      float[] c,
      int cAt,
      int cRow) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero;
    FloatVector c01 = zero;
    FloatVector c10 = zero;
    FloatVector c11 = zero;
    FloatVector c20 = zero;
    FloatVector c21 = zero;
    FloatVector c30 = zero;
    FloatVector c31 = zero;
    FloatVector c40 = zero;
    FloatVector c41 = zero;
    FloatVector c50 = zero;
    FloatVector c51 = zero;
    FloatVector c60 = zero;
    FloatVector c61 = zero;
    FloatVector c70 = zero;
    FloatVector c71 = zero;
    FloatVector c80 = zero;
    FloatVector c81 = zero;
    FloatVector c90 = zero;
    FloatVector c91 = zero;
    FloatVector ca0 = zero;
    FloatVector ca1 = zero;
    FloatVector cb0 = zero;
    FloatVector cb1 = zero;
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, at);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, at + LANES);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[aAt + aRow + p]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[aAt + 2 * aRow + p]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[aAt + 3 * aRow + p]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      FloatVector a4 = FloatVector.broadcast(SPECIES, a[aAt + 4 * aRow + p]);
      c40 = a4.fma(b0, c40);
      c41 = a4.fma(b1, c41);
      FloatVector a5 = FloatVector.broadcast(SPECIES, a[aAt + 5 * aRow + p]);
      c50 = a5.fma(b0, c50);
      c51 = a5.fma(b1, c51);
      FloatVector a6 = FloatVector.broadcast(SPECIES, a[aAt + 6 * aRow + p]);
      c60 = a6.fma(b0, c60);
      c61 = a6.fma(b1, c61);
      FloatVector a7 = FloatVector.broadcast(SPECIES, a[aAt + 7 * aRow + p]);
      c70 = a7.fma(b0, c70);
      c71 = a7.fma(b1, c71);
      FloatVector a8 = FloatVector.broadcast(SPECIES, a[aAt + 8 * aRow + p]);
      c80 = a8.fma(b0, c80);
      c81 = a8.fma(b1, c81);
      FloatVector a9 = FloatVector.broadcast(SPECIES, a[aAt + 9 * aRow + p]);
      c90 = a9.fma(b0, c90);
      c91 = a9.fma(b1, c91);
      FloatVector aa = FloatVector.broadcast(SPECIES, a[aAt + 10 * aRow + p]);
      ca0 = aa.fma(b0, ca0);
      ca1 = aa.fma(b1, ca1);
      FloatVector ab = FloatVector.broadcast(SPECIES, a[aAt + 11 * aRow + p]);
      cb0 = ab.fma(b0, cb0);
      cb1 = ab.fma(b1, cb1);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c10.intoArray(c, cAt + cRow);
    c11.intoArray(c, cAt + cRow + LANES);
    c20.intoArray(c, cAt + 2 * cRow);
    c21.intoArray(c, cAt + 2 * cRow + LANES);
    c30.intoArray(c, cAt + 3 * cRow);
    c31.intoArray(c, cAt + 3 * cRow + LANES);
    c40.intoArray(c, cAt + 4 * cRow);
    c41.intoArray(c, cAt + 4 * cRow + LANES);
    c50.intoArray(c, cAt + 5 * cRow);
    c51.intoArray(c, cAt + 5 * cRow + LANES);
    c60.intoArray(c, cAt + 6 * cRow);
    c61.intoArray(c, cAt + 6 * cRow + LANES);
    c70.intoArray(c, cAt + 7 * cRow);
    c71.intoArray(c, cAt + 7 * cRow + LANES);
    c80.intoArray(c, cAt + 8 * cRow);
    c81.intoArray(c, cAt + 8 * cRow + LANES);
    c90.intoArray(c, cAt + 9 * cRow);
    c91.intoArray(c, cAt + 9 * cRow + LANES);
    ca0.intoArray(c, cAt + 10 * cRow);
    ca1.intoArray(c, cAt + 10 * cRow + LANES);
    cb0.intoArray(c, cAt + 11 * cRow);
    cb1.intoArray(c, cAt + 11 * cRow + LANES);
  }

  /** All rows of two vectors, for the last positions. */
  private static void wide(
      float[] a,
      int aAt,
      int aRow,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      float[] c,
      int cAt,
      int cRow) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero;
    FloatVector c01 = zero;
    FloatVector c10 = zero;
    FloatVector c11 = zero;
    FloatVector c20 = zero;
    FloatVector c21 = zero;
    FloatVector c30 = zero;
    FloatVector c31 = zero;
    FloatVector c40 = zero;
    FloatVector c41 = zero;
    FloatVector c50 = zero;
    FloatVector c51 = zero;
    FloatVector c60 = zero;
    FloatVector c61 = zero;
    FloatVector c70 = zero;
    FloatVector c71 = zero;
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, at);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, at + LANES);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[aAt + aRow + p]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[aAt + 2 * aRow + p]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[aAt + 3 * aRow + p]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      FloatVector a4 = FloatVector.broadcast(SPECIES, a[aAt + 4 * aRow + p]);
      c40 = a4.fma(b0, c40);
      c41 = a4.fma(b1, c41);
      FloatVector a5 = FloatVector.broadcast(SPECIES, a[aAt + 5 * aRow + p]);
      c50 = a5.fma(b0, c50);
      c51 = a5.fma(b1, c51);
      FloatVector a6 = FloatVector.broadcast(SPECIES, a[aAt + 6 * aRow + p]);
      c60 = a6.fma(b0, c60);
      c61 = a6.fma(b1, c61);
      FloatVector a7 = FloatVector.broadcast(SPECIES, a[aAt + 7 * aRow + p]);
      c70 = a7.fma(b0, c70);
      c71 = a7.fma(b1, c71);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c10.intoArray(c, cAt + cRow);
    c11.intoArray(c, cAt + cRow + LANES);
    c20.intoArray(c, cAt + 2 * cRow);
    c21.intoArray(c, cAt + 2 * cRow + LANES);
    c30.intoArray(c, cAt + 3 * cRow);
    c31.intoArray(c, cAt + 3 * cRow + LANES);
    c40.intoArray(c, cAt + 4 * cRow);
    c41.intoArray(c, cAt + 4 * cRow + LANES);
    c50.intoArray(c, cAt + 5 * cRow);
    c51.intoArray(c, cAt + 5 * cRow + LANES);
    c60.intoArray(c, cAt + 6 * cRow);
    c61.intoArray(c, cAt + 6 * cRow + LANES);
    c70.intoArray(c, cAt + 7 * cRow);
    c71.intoArray(c, cAt + 7 * cRow + LANES);
  }

  /** All rows of one vector, for the last positions. */
  private static void narrow(
      float[] a,
      int aAt,
      int aRow,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      float[] c,
      int cAt,
      int cRow) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero;
    FloatVector c10 = zero;
    FloatVector c20 = zero;
    FloatVector c30 = zero;
    FloatVector c40 = zero;
    FloatVector c50 = zero;
    FloatVector c60 = zero;
    FloatVector c70 = zero;
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, at);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p]);
      c00 = a0.fma(b0, c00);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[aAt + aRow + p]);
      c10 = a1.fma(b0, c10);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[aAt + 2 * aRow + p]);
      c20 = a2.fma(b0, c20);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[aAt + 3 * aRow + p]);
      c30 = a3.fma(b0, c30);
      FloatVector a4 = FloatVector.broadcast(SPECIES, a[aAt + 4 * aRow + p]);
      c40 = a4.fma(b0, c40);
      FloatVector a5 = FloatVector.broadcast(SPECIES, a[aAt + 5 * aRow + p]);
      c50 = a5.fma(b0, c50);
      FloatVector a6 = FloatVector.broadcast(SPECIES, a[aAt + 6 * aRow + p]);
      c60 = a6.fma(b0, c60);
      FloatVector a7 = FloatVector.broadcast(SPECIES, a[aAt + 7 * aRow + p]);
      c70 = a7.fma(b0, c70);
    }
    c00.intoArray(c, cAt);
    c10.intoArray(c, cAt + cRow);
    c20.intoArray(c, cAt + 2 * cRow);
    c30.intoArray(c, cAt + 3 * cRow);
    c40.intoArray(c, cAt + 4 * cRow);
    c50.intoArray(c, cAt + 5 * cRow);
    c60.intoArray(c, cAt + 6 * cRow);
    c70.intoArray(c, cAt + 7 * cRow);
  }

  /** Four rows of two vectors, for the last rows. */
  private static void low(
      float[] a,
      int aAt,
      int aRow,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      float[] c,
      int cAt,
      int cRow) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero;
    FloatVector c01 = zero;
    FloatVector c10 = zero;
    FloatVector c11 = zero;
    FloatVector c20 = zero;
    FloatVector c21 = zero;
    FloatVector c30 = zero;
    FloatVector c31 = zero;
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, at);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, at + LANES);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[aAt + aRow + p]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[aAt + 2 * aRow + p]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[aAt + 3 * aRow + p]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c10.intoArray(c, cAt + cRow);
    c11.intoArray(c, cAt + cRow + LANES);
    c20.intoArray(c, cAt + 2 * cRow);
    c21.intoArray(c, cAt + 2 * cRow + LANES);
    c30.intoArray(c, cAt + 3 * cRow);
    c31.intoArray(c, cAt + 3 * cRow + LANES);
  }

  /** One row of eight vectors, for groups of one output. */
  private static void single(
      float[] a, int aAt, float[] b, int bAt, int[] offsets, int depth, float[] c, int cAt) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero;
    FloatVector c01 = zero;
    FloatVector c02 = zero;
    FloatVector c03 = zero;
    FloatVector c04 = zero;
    FloatVector c05 = zero;
    FloatVector c06 = zero;
    FloatVector c07 = zero;
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p]);
      c00 = a0.fma(FloatVector.fromArray(SPECIES, b, at), c00);
      c01 = a0.fma(FloatVector.fromArray(SPECIES, b, at + LANES), c01);
      c02 = a0.fma(FloatVector.fromArray(SPECIES, b, at + 2 * LANES), c02);
      c03 = a0.fma(FloatVector.fromArray(SPECIES, b, at + 3 * LANES), c03);
      c04 = a0.fma(FloatVector.fromArray(SPECIES, b, at + 4 * LANES), c04);
      c05 = a0.fma(FloatVector.fromArray(SPECIES, b, at + 5 * LANES), c05);
      c06 = a0.fma(FloatVector.fromArray(SPECIES, b, at + 6 * LANES), c06);
      c07 = a0.fma(FloatVector.fromArray(SPECIES, b, at + 7 * LANES), c07);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c02.intoArray(c, cAt + 2 * LANES);
    c03.intoArray(c, cAt + 3 * LANES);
    c04.intoArray(c, cAt + 4 * LANES);
    c05.intoArray(c, cAt + 5 * LANES);
    c06.intoArray(c, cAt + 6 * LANES);
    c07.intoArray(c, cAt + 7 * LANES);
  }
}
