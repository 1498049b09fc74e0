package org.relaxvm.backendcpu.vector.gemm.tile;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Six rows of two float vectors: 12 sums in registers, for machines with 16 of them. The code is
 * written out because sums in an array would be sums in memory.
 */
public final class FloatTile6 extends FloatTile {
  private static final VectorSpecies<Float> SPECIES = Species.SHORT_FLOAT;
  private static final int ROWS = 6;
  private static final int LANES = SPECIES.length();
  private static final int COLUMNS = 2 * LANES;
  private static final long BYTES = SPECIES.vectorByteSize();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** The only one that is needed. */
  public FloatTile6() {
    super(ROWS, ROWS, SPECIES);
  }

  @Override
  public void multiply(
      float[] a, int aAt, float[] b, int bAt, int depth, int rows, int columns, float[] sums) {

    if (columns <= LANES) {
      narrow(a, aAt, b, bAt, depth, sums);
    } else {
      full(a, aAt, b, bAt, depth, sums);
    }
  }

  private static void full(float[] a, int aAt, float[] b, int bAt, int depth, float[] c) {
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
      int at = aAt + p;
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, bAt + p * COLUMNS);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, bAt + p * COLUMNS + LANES);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[at]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[at + ROW_STEP]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[at + 2 * ROW_STEP]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[at + 3 * ROW_STEP]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      FloatVector a4 = FloatVector.broadcast(SPECIES, a[at + 4 * ROW_STEP]);
      c40 = a4.fma(b0, c40);
      c41 = a4.fma(b1, c41);
      FloatVector a5 = FloatVector.broadcast(SPECIES, a[at + 5 * ROW_STEP]);
      c50 = a5.fma(b0, c50);
      c51 = a5.fma(b1, c51);
    }
    c00.intoArray(c, 0);
    c01.intoArray(c, LANES);
    c10.intoArray(c, COLUMNS);
    c11.intoArray(c, COLUMNS + LANES);
    c20.intoArray(c, 2 * COLUMNS);
    c21.intoArray(c, 2 * COLUMNS + LANES);
    c30.intoArray(c, 3 * COLUMNS);
    c31.intoArray(c, 3 * COLUMNS + LANES);
    c40.intoArray(c, 4 * COLUMNS);
    c41.intoArray(c, 4 * COLUMNS + LANES);
    c50.intoArray(c, 5 * COLUMNS);
    c51.intoArray(c, 5 * COLUMNS + LANES);
  }

  /** One vector of columns, for the last ones of a matrix. */
  private static void narrow(float[] a, int aAt, float[] b, int bAt, int depth, float[] c) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero;
    FloatVector c10 = zero;
    FloatVector c20 = zero;
    FloatVector c30 = zero;
    FloatVector c40 = zero;
    FloatVector c50 = zero;
    for (int p = 0; p < depth; p++) {
      int at = aAt + p;
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, bAt + p * COLUMNS);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[at]);
      c00 = a0.fma(b0, c00);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[at + ROW_STEP]);
      c10 = a1.fma(b0, c10);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[at + 2 * ROW_STEP]);
      c20 = a2.fma(b0, c20);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[at + 3 * ROW_STEP]);
      c30 = a3.fma(b0, c30);
      FloatVector a4 = FloatVector.broadcast(SPECIES, a[at + 4 * ROW_STEP]);
      c40 = a4.fma(b0, c40);
      FloatVector a5 = FloatVector.broadcast(SPECIES, a[at + 5 * ROW_STEP]);
      c50 = a5.fma(b0, c50);
    }
    c00.intoArray(c, 0);
    c10.intoArray(c, COLUMNS);
    c20.intoArray(c, 2 * COLUMNS);
    c30.intoArray(c, 3 * COLUMNS);
    c40.intoArray(c, 4 * COLUMNS);
    c50.intoArray(c, 5 * COLUMNS);
  }

  @Override
  public void direct(
      float[] a,
      int aAt,
      int rows,
      MemorySegment b,
      long bAt,
      long bRow,
      int depth,
      int columns,
      MemorySegment c,
      long cAt,
      long cRow) {
    if (columns == LANES) {
      directNarrow(a, aAt, b, bAt, bRow, depth, c, cAt, cRow);
    } else {
      directFull(a, aAt, rows, b, bAt, bRow, depth, columns, c, cAt, cRow);
    }
  }

  private static void directFull(
      float[] a,
      int aAt,
      int rows,
      MemorySegment b,
      long bAt,
      long bRow,
      int depth,
      int columns,
      MemorySegment c,
      long cAt,
      long cRow) {
    for (int i = 0; i < rows; i += ROWS) {
      for (int j = 0; j < columns; j += COLUMNS) {
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
          int at = aAt + p;
          long bPlace = bAt + p * bRow;
          FloatVector b0 = FloatVector.fromMemorySegment(SPECIES, b, bPlace, ORDER);
          FloatVector b1 = FloatVector.fromMemorySegment(SPECIES, b, bPlace + BYTES, ORDER);
          FloatVector a0 = FloatVector.broadcast(SPECIES, a[at]);
          c00 = a0.fma(b0, c00);
          c01 = a0.fma(b1, c01);
          FloatVector a1 = FloatVector.broadcast(SPECIES, a[at + ROW_STEP]);
          c10 = a1.fma(b0, c10);
          c11 = a1.fma(b1, c11);
          FloatVector a2 = FloatVector.broadcast(SPECIES, a[at + 2 * ROW_STEP]);
          c20 = a2.fma(b0, c20);
          c21 = a2.fma(b1, c21);
          FloatVector a3 = FloatVector.broadcast(SPECIES, a[at + 3 * ROW_STEP]);
          c30 = a3.fma(b0, c30);
          c31 = a3.fma(b1, c31);
          FloatVector a4 = FloatVector.broadcast(SPECIES, a[at + 4 * ROW_STEP]);
          c40 = a4.fma(b0, c40);
          c41 = a4.fma(b1, c41);
          FloatVector a5 = FloatVector.broadcast(SPECIES, a[at + 5 * ROW_STEP]);
          c50 = a5.fma(b0, c50);
          c51 = a5.fma(b1, c51);
        }
        c00.intoMemorySegment(c, cAt, ORDER);
        c01.intoMemorySegment(c, cAt + BYTES, ORDER);
        c10.intoMemorySegment(c, cAt + cRow, ORDER);
        c11.intoMemorySegment(c, cAt + cRow + BYTES, ORDER);
        c20.intoMemorySegment(c, cAt + 2 * cRow, ORDER);
        c21.intoMemorySegment(c, cAt + 2 * cRow + BYTES, ORDER);
        c30.intoMemorySegment(c, cAt + 3 * cRow, ORDER);
        c31.intoMemorySegment(c, cAt + 3 * cRow + BYTES, ORDER);
        c40.intoMemorySegment(c, cAt + 4 * cRow, ORDER);
        c41.intoMemorySegment(c, cAt + 4 * cRow + BYTES, ORDER);
        c50.intoMemorySegment(c, cAt + 5 * cRow, ORDER);
        c51.intoMemorySegment(c, cAt + 5 * cRow + BYTES, ORDER);
        bAt += 2 * BYTES;
        cAt += 2 * BYTES;
      }
      aAt += ROWS * ROW_STEP;
      bAt -= columns / LANES * BYTES;
      cAt += ROWS * cRow - columns / LANES * BYTES;
    }
  }

  private static void directNarrow(
      float[] a,
      int aAt,
      MemorySegment b,
      long bAt,
      long bRow,
      int depth,
      MemorySegment c,
      long cAt,
      long cRow) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero;
    FloatVector c10 = zero;
    FloatVector c20 = zero;
    FloatVector c30 = zero;
    FloatVector c40 = zero;
    FloatVector c50 = zero;
    for (int p = 0; p < depth; p++) {
      int at = aAt + p;
      long bPlace = bAt + p * bRow;
      FloatVector b0 = FloatVector.fromMemorySegment(SPECIES, b, bPlace, ORDER);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[at]);
      c00 = a0.fma(b0, c00);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[at + ROW_STEP]);
      c10 = a1.fma(b0, c10);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[at + 2 * ROW_STEP]);
      c20 = a2.fma(b0, c20);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[at + 3 * ROW_STEP]);
      c30 = a3.fma(b0, c30);
      FloatVector a4 = FloatVector.broadcast(SPECIES, a[at + 4 * ROW_STEP]);
      c40 = a4.fma(b0, c40);
      FloatVector a5 = FloatVector.broadcast(SPECIES, a[at + 5 * ROW_STEP]);
      c50 = a5.fma(b0, c50);
    }
    c00.intoMemorySegment(c, cAt, ORDER);
    c10.intoMemorySegment(c, cAt + cRow, ORDER);
    c20.intoMemorySegment(c, cAt + 2 * cRow, ORDER);
    c30.intoMemorySegment(c, cAt + 3 * cRow, ORDER);
    c40.intoMemorySegment(c, cAt + 4 * cRow, ORDER);
    c50.intoMemorySegment(c, cAt + 5 * cRow, ORDER);
  }
}
