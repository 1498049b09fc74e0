package org.relaxvm.backendcpu.vector.conv;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Six rows of two vectors: 12 sums in registers, for machines with 16 of them. The code is written
 * out because sums in an array would be sums in memory.
 */
final class WindowTile6 extends WindowTile {
  private static final VectorSpecies<Float> SPECIES = Species.SHORT_FLOAT;
  private static final int LANES = SPECIES.length();

  WindowTile6() {
    super(6, 6, 2, LANES);
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
    if (rows == 1) {
      single(a, aAt, b, bAt, offsets, depth, c, cAt);
    } else if (rows <= LOW) {
      low(a, aAt, aRow, b, bAt, offsets, depth, c, cAt, cRow);
    } else if (columns <= LANES) {
      narrow(a, aAt, aRow, b, bAt, offsets, depth, c, cAt, cRow);
    } else {
      full(a, aAt, aRow, b, bAt, offsets, depth, c, cAt, cRow);
    }
  }

  /** All rows of two vectors. */
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
    }
    c00.intoArray(c, cAt);
    c10.intoArray(c, cAt + cRow);
    c20.intoArray(c, cAt + 2 * cRow);
    c30.intoArray(c, cAt + 3 * cRow);
    c40.intoArray(c, cAt + 4 * cRow);
    c50.intoArray(c, cAt + 5 * cRow);
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
