package org.relaxvm.backendcpu.vector.gemm.tile;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Six rows of two double vectors: 12 sums in registers, for machines with 16 of them. The code is
 * written out because sums in an array would be sums in memory.
 */
public final class DoubleTile6 extends DoubleTile {
  private static final VectorSpecies<Double> SPECIES = Species.SHORT_DOUBLE;
  private static final int ROWS = 6;
  private static final int LANES = SPECIES.length();
  private static final int COLUMNS = 2 * LANES;
  private static final long BYTES = SPECIES.vectorByteSize();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** The only one that is needed. */
  public DoubleTile6() {
    super(ROWS, ROWS, SPECIES);
  }

  @Override
  public void multiply(
      double[] a, int aAt, double[] b, int bAt, int depth, int rows, int columns, double[] sums) {

    if (columns <= LANES) {
      narrow(a, aAt, b, bAt, depth, sums);
    } else {
      full(a, aAt, b, bAt, depth, sums);
    }
  }

  private static void full(double[] a, int aAt, double[] b, int bAt, int depth, double[] c) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector c00 = zero;
    DoubleVector c01 = zero;
    DoubleVector c10 = zero;
    DoubleVector c11 = zero;
    DoubleVector c20 = zero;
    DoubleVector c21 = zero;
    DoubleVector c30 = zero;
    DoubleVector c31 = zero;
    DoubleVector c40 = zero;
    DoubleVector c41 = zero;
    DoubleVector c50 = zero;
    DoubleVector c51 = zero;
    for (int p = 0; p < depth; p++) {
      int at = aAt + p;
      DoubleVector b0 = DoubleVector.fromArray(SPECIES, b, bAt + p * COLUMNS);
      DoubleVector b1 = DoubleVector.fromArray(SPECIES, b, bAt + p * COLUMNS + LANES);
      DoubleVector a0 = DoubleVector.broadcast(SPECIES, a[at]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      DoubleVector a1 = DoubleVector.broadcast(SPECIES, a[at + ROW_STEP]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      DoubleVector a2 = DoubleVector.broadcast(SPECIES, a[at + 2 * ROW_STEP]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      DoubleVector a3 = DoubleVector.broadcast(SPECIES, a[at + 3 * ROW_STEP]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      DoubleVector a4 = DoubleVector.broadcast(SPECIES, a[at + 4 * ROW_STEP]);
      c40 = a4.fma(b0, c40);
      c41 = a4.fma(b1, c41);
      DoubleVector a5 = DoubleVector.broadcast(SPECIES, a[at + 5 * ROW_STEP]);
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
  private static void narrow(double[] a, int aAt, double[] b, int bAt, int depth, double[] c) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector c00 = zero;
    DoubleVector c10 = zero;
    DoubleVector c20 = zero;
    DoubleVector c30 = zero;
    DoubleVector c40 = zero;
    DoubleVector c50 = zero;
    for (int p = 0; p < depth; p++) {
      int at = aAt + p;
      DoubleVector b0 = DoubleVector.fromArray(SPECIES, b, bAt + p * COLUMNS);
      DoubleVector a0 = DoubleVector.broadcast(SPECIES, a[at]);
      c00 = a0.fma(b0, c00);
      DoubleVector a1 = DoubleVector.broadcast(SPECIES, a[at + ROW_STEP]);
      c10 = a1.fma(b0, c10);
      DoubleVector a2 = DoubleVector.broadcast(SPECIES, a[at + 2 * ROW_STEP]);
      c20 = a2.fma(b0, c20);
      DoubleVector a3 = DoubleVector.broadcast(SPECIES, a[at + 3 * ROW_STEP]);
      c30 = a3.fma(b0, c30);
      DoubleVector a4 = DoubleVector.broadcast(SPECIES, a[at + 4 * ROW_STEP]);
      c40 = a4.fma(b0, c40);
      DoubleVector a5 = DoubleVector.broadcast(SPECIES, a[at + 5 * ROW_STEP]);
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
      double[] a,
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
      double[] a,
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
        DoubleVector zero = DoubleVector.zero(SPECIES);
        DoubleVector c00 = zero;
        DoubleVector c01 = zero;
        DoubleVector c10 = zero;
        DoubleVector c11 = zero;
        DoubleVector c20 = zero;
        DoubleVector c21 = zero;
        DoubleVector c30 = zero;
        DoubleVector c31 = zero;
        DoubleVector c40 = zero;
        DoubleVector c41 = zero;
        DoubleVector c50 = zero;
        DoubleVector c51 = zero;
        for (int p = 0; p < depth; p++) {
          int at = aAt + p;
          long bPlace = bAt + p * bRow;
          DoubleVector b0 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace, ORDER);
          DoubleVector b1 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace + BYTES, ORDER);
          DoubleVector a0 = DoubleVector.broadcast(SPECIES, a[at]);
          c00 = a0.fma(b0, c00);
          c01 = a0.fma(b1, c01);
          DoubleVector a1 = DoubleVector.broadcast(SPECIES, a[at + ROW_STEP]);
          c10 = a1.fma(b0, c10);
          c11 = a1.fma(b1, c11);
          DoubleVector a2 = DoubleVector.broadcast(SPECIES, a[at + 2 * ROW_STEP]);
          c20 = a2.fma(b0, c20);
          c21 = a2.fma(b1, c21);
          DoubleVector a3 = DoubleVector.broadcast(SPECIES, a[at + 3 * ROW_STEP]);
          c30 = a3.fma(b0, c30);
          c31 = a3.fma(b1, c31);
          DoubleVector a4 = DoubleVector.broadcast(SPECIES, a[at + 4 * ROW_STEP]);
          c40 = a4.fma(b0, c40);
          c41 = a4.fma(b1, c41);
          DoubleVector a5 = DoubleVector.broadcast(SPECIES, a[at + 5 * ROW_STEP]);
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
      double[] a,
      int aAt,
      MemorySegment b,
      long bAt,
      long bRow,
      int depth,
      MemorySegment c,
      long cAt,
      long cRow) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector c00 = zero;
    DoubleVector c10 = zero;
    DoubleVector c20 = zero;
    DoubleVector c30 = zero;
    DoubleVector c40 = zero;
    DoubleVector c50 = zero;
    for (int p = 0; p < depth; p++) {
      int at = aAt + p;
      long bPlace = bAt + p * bRow;
      DoubleVector b0 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace, ORDER);
      DoubleVector a0 = DoubleVector.broadcast(SPECIES, a[at]);
      c00 = a0.fma(b0, c00);
      DoubleVector a1 = DoubleVector.broadcast(SPECIES, a[at + ROW_STEP]);
      c10 = a1.fma(b0, c10);
      DoubleVector a2 = DoubleVector.broadcast(SPECIES, a[at + 2 * ROW_STEP]);
      c20 = a2.fma(b0, c20);
      DoubleVector a3 = DoubleVector.broadcast(SPECIES, a[at + 3 * ROW_STEP]);
      c30 = a3.fma(b0, c30);
      DoubleVector a4 = DoubleVector.broadcast(SPECIES, a[at + 4 * ROW_STEP]);
      c40 = a4.fma(b0, c40);
      DoubleVector a5 = DoubleVector.broadcast(SPECIES, a[at + 5 * ROW_STEP]);
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
