package org.relaxvm.backendcpu.vector.gemm.tile;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Twelve rows of two double vectors: 24 sums in registers, for machines with 32 of them. The code
 * is written out because sums in an array would be sums in memory.
 */
public final class DoubleTile12 extends DoubleTile {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int ROWS = 12;
  private static final int LANES = SPECIES.length();
  private static final int COLUMNS = 2 * LANES;
  private static final long BYTES = SPECIES.vectorByteSize();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int LOW_ROWS = 4;

  private final WideTile wide = new DoubleWideTile();

  /** The only one that is needed. */
  public DoubleTile12() {
    super(ROWS, LOW_ROWS, SPECIES);
  }

  @Override
  public WideTile wide() {
    return wide;
  }

  @Override
  public void multiply(
      double[] a, int aAt, double[] b, int bAt, int depth, int rows, int columns, double[] sums) {

    if (rows <= LOW_ROWS) {
      low(a, aAt, b, bAt, depth, sums);
    } else if (columns <= LANES) {
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
    DoubleVector c60 = zero;
    DoubleVector c61 = zero;
    DoubleVector c70 = zero;
    DoubleVector c71 = zero;
    DoubleVector c80 = zero;
    DoubleVector c81 = zero;
    DoubleVector c90 = zero;
    DoubleVector c91 = zero;
    DoubleVector ca0 = zero;
    DoubleVector ca1 = zero;
    DoubleVector cb0 = zero;
    DoubleVector cb1 = zero;
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
      DoubleVector a6 = DoubleVector.broadcast(SPECIES, a[at + 6 * ROW_STEP]);
      c60 = a6.fma(b0, c60);
      c61 = a6.fma(b1, c61);
      DoubleVector a7 = DoubleVector.broadcast(SPECIES, a[at + 7 * ROW_STEP]);
      c70 = a7.fma(b0, c70);
      c71 = a7.fma(b1, c71);
      DoubleVector a8 = DoubleVector.broadcast(SPECIES, a[at + 8 * ROW_STEP]);
      c80 = a8.fma(b0, c80);
      c81 = a8.fma(b1, c81);
      DoubleVector a9 = DoubleVector.broadcast(SPECIES, a[at + 9 * ROW_STEP]);
      c90 = a9.fma(b0, c90);
      c91 = a9.fma(b1, c91);
      DoubleVector aa = DoubleVector.broadcast(SPECIES, a[at + 10 * ROW_STEP]);
      ca0 = aa.fma(b0, ca0);
      ca1 = aa.fma(b1, ca1);
      DoubleVector ab = DoubleVector.broadcast(SPECIES, a[at + 11 * ROW_STEP]);
      cb0 = ab.fma(b0, cb0);
      cb1 = ab.fma(b1, cb1);
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
    c60.intoArray(c, 6 * COLUMNS);
    c61.intoArray(c, 6 * COLUMNS + LANES);
    c70.intoArray(c, 7 * COLUMNS);
    c71.intoArray(c, 7 * COLUMNS + LANES);
    c80.intoArray(c, 8 * COLUMNS);
    c81.intoArray(c, 8 * COLUMNS + LANES);
    c90.intoArray(c, 9 * COLUMNS);
    c91.intoArray(c, 9 * COLUMNS + LANES);
    ca0.intoArray(c, 10 * COLUMNS);
    ca1.intoArray(c, 10 * COLUMNS + LANES);
    cb0.intoArray(c, 11 * COLUMNS);
    cb1.intoArray(c, 11 * COLUMNS + LANES);
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
    DoubleVector c60 = zero;
    DoubleVector c70 = zero;
    DoubleVector c80 = zero;
    DoubleVector c90 = zero;
    DoubleVector ca0 = zero;
    DoubleVector cb0 = zero;
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
      DoubleVector a6 = DoubleVector.broadcast(SPECIES, a[at + 6 * ROW_STEP]);
      c60 = a6.fma(b0, c60);
      DoubleVector a7 = DoubleVector.broadcast(SPECIES, a[at + 7 * ROW_STEP]);
      c70 = a7.fma(b0, c70);
      DoubleVector a8 = DoubleVector.broadcast(SPECIES, a[at + 8 * ROW_STEP]);
      c80 = a8.fma(b0, c80);
      DoubleVector a9 = DoubleVector.broadcast(SPECIES, a[at + 9 * ROW_STEP]);
      c90 = a9.fma(b0, c90);
      DoubleVector aa = DoubleVector.broadcast(SPECIES, a[at + 10 * ROW_STEP]);
      ca0 = aa.fma(b0, ca0);
      DoubleVector ab = DoubleVector.broadcast(SPECIES, a[at + 11 * ROW_STEP]);
      cb0 = ab.fma(b0, cb0);
    }
    c00.intoArray(c, 0);
    c10.intoArray(c, COLUMNS);
    c20.intoArray(c, 2 * COLUMNS);
    c30.intoArray(c, 3 * COLUMNS);
    c40.intoArray(c, 4 * COLUMNS);
    c50.intoArray(c, 5 * COLUMNS);
    c60.intoArray(c, 6 * COLUMNS);
    c70.intoArray(c, 7 * COLUMNS);
    c80.intoArray(c, 8 * COLUMNS);
    c90.intoArray(c, 9 * COLUMNS);
    ca0.intoArray(c, 10 * COLUMNS);
    cb0.intoArray(c, 11 * COLUMNS);
  }

  /** Four rows, for the last ones of a matrix. */
  private static void low(double[] a, int aAt, double[] b, int bAt, int depth, double[] c) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector c00 = zero;
    DoubleVector c01 = zero;
    DoubleVector c10 = zero;
    DoubleVector c11 = zero;
    DoubleVector c20 = zero;
    DoubleVector c21 = zero;
    DoubleVector c30 = zero;
    DoubleVector c31 = zero;
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
    }
    c00.intoArray(c, 0);
    c01.intoArray(c, LANES);
    c10.intoArray(c, COLUMNS);
    c11.intoArray(c, COLUMNS + LANES);
    c20.intoArray(c, 2 * COLUMNS);
    c21.intoArray(c, 2 * COLUMNS + LANES);
    c30.intoArray(c, 3 * COLUMNS);
    c31.intoArray(c, 3 * COLUMNS + LANES);
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
    } else if (rows == LOW_ROWS) {
      directLow(a, aAt, b, bAt, bRow, depth, columns, c, cAt, cRow);
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
        DoubleVector c60 = zero;
        DoubleVector c61 = zero;
        DoubleVector c70 = zero;
        DoubleVector c71 = zero;
        DoubleVector c80 = zero;
        DoubleVector c81 = zero;
        DoubleVector c90 = zero;
        DoubleVector c91 = zero;
        DoubleVector ca0 = zero;
        DoubleVector ca1 = zero;
        DoubleVector cb0 = zero;
        DoubleVector cb1 = zero;
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
          DoubleVector a6 = DoubleVector.broadcast(SPECIES, a[at + 6 * ROW_STEP]);
          c60 = a6.fma(b0, c60);
          c61 = a6.fma(b1, c61);
          DoubleVector a7 = DoubleVector.broadcast(SPECIES, a[at + 7 * ROW_STEP]);
          c70 = a7.fma(b0, c70);
          c71 = a7.fma(b1, c71);
          DoubleVector a8 = DoubleVector.broadcast(SPECIES, a[at + 8 * ROW_STEP]);
          c80 = a8.fma(b0, c80);
          c81 = a8.fma(b1, c81);
          DoubleVector a9 = DoubleVector.broadcast(SPECIES, a[at + 9 * ROW_STEP]);
          c90 = a9.fma(b0, c90);
          c91 = a9.fma(b1, c91);
          DoubleVector aa = DoubleVector.broadcast(SPECIES, a[at + 10 * ROW_STEP]);
          ca0 = aa.fma(b0, ca0);
          ca1 = aa.fma(b1, ca1);
          DoubleVector ab = DoubleVector.broadcast(SPECIES, a[at + 11 * ROW_STEP]);
          cb0 = ab.fma(b0, cb0);
          cb1 = ab.fma(b1, cb1);
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
        c60.intoMemorySegment(c, cAt + 6 * cRow, ORDER);
        c61.intoMemorySegment(c, cAt + 6 * cRow + BYTES, ORDER);
        c70.intoMemorySegment(c, cAt + 7 * cRow, ORDER);
        c71.intoMemorySegment(c, cAt + 7 * cRow + BYTES, ORDER);
        c80.intoMemorySegment(c, cAt + 8 * cRow, ORDER);
        c81.intoMemorySegment(c, cAt + 8 * cRow + BYTES, ORDER);
        c90.intoMemorySegment(c, cAt + 9 * cRow, ORDER);
        c91.intoMemorySegment(c, cAt + 9 * cRow + BYTES, ORDER);
        ca0.intoMemorySegment(c, cAt + 10 * cRow, ORDER);
        ca1.intoMemorySegment(c, cAt + 10 * cRow + BYTES, ORDER);
        cb0.intoMemorySegment(c, cAt + 11 * cRow, ORDER);
        cb1.intoMemorySegment(c, cAt + 11 * cRow + BYTES, ORDER);
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
    DoubleVector c60 = zero;
    DoubleVector c70 = zero;
    DoubleVector c80 = zero;
    DoubleVector c90 = zero;
    DoubleVector ca0 = zero;
    DoubleVector cb0 = zero;
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
      DoubleVector a6 = DoubleVector.broadcast(SPECIES, a[at + 6 * ROW_STEP]);
      c60 = a6.fma(b0, c60);
      DoubleVector a7 = DoubleVector.broadcast(SPECIES, a[at + 7 * ROW_STEP]);
      c70 = a7.fma(b0, c70);
      DoubleVector a8 = DoubleVector.broadcast(SPECIES, a[at + 8 * ROW_STEP]);
      c80 = a8.fma(b0, c80);
      DoubleVector a9 = DoubleVector.broadcast(SPECIES, a[at + 9 * ROW_STEP]);
      c90 = a9.fma(b0, c90);
      DoubleVector aa = DoubleVector.broadcast(SPECIES, a[at + 10 * ROW_STEP]);
      ca0 = aa.fma(b0, ca0);
      DoubleVector ab = DoubleVector.broadcast(SPECIES, a[at + 11 * ROW_STEP]);
      cb0 = ab.fma(b0, cb0);
    }
    c00.intoMemorySegment(c, cAt, ORDER);
    c10.intoMemorySegment(c, cAt + cRow, ORDER);
    c20.intoMemorySegment(c, cAt + 2 * cRow, ORDER);
    c30.intoMemorySegment(c, cAt + 3 * cRow, ORDER);
    c40.intoMemorySegment(c, cAt + 4 * cRow, ORDER);
    c50.intoMemorySegment(c, cAt + 5 * cRow, ORDER);
    c60.intoMemorySegment(c, cAt + 6 * cRow, ORDER);
    c70.intoMemorySegment(c, cAt + 7 * cRow, ORDER);
    c80.intoMemorySegment(c, cAt + 8 * cRow, ORDER);
    c90.intoMemorySegment(c, cAt + 9 * cRow, ORDER);
    ca0.intoMemorySegment(c, cAt + 10 * cRow, ORDER);
    cb0.intoMemorySegment(c, cAt + 11 * cRow, ORDER);
  }

  private static void directLow(
      double[] a,
      int aAt,
      MemorySegment b,
      long bAt,
      long bRow,
      int depth,
      int columns,
      MemorySegment c,
      long cAt,
      long cRow) {
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
      }
      c00.intoMemorySegment(c, cAt, ORDER);
      c01.intoMemorySegment(c, cAt + BYTES, ORDER);
      c10.intoMemorySegment(c, cAt + cRow, ORDER);
      c11.intoMemorySegment(c, cAt + cRow + BYTES, ORDER);
      c20.intoMemorySegment(c, cAt + 2 * cRow, ORDER);
      c21.intoMemorySegment(c, cAt + 2 * cRow + BYTES, ORDER);
      c30.intoMemorySegment(c, cAt + 3 * cRow, ORDER);
      c31.intoMemorySegment(c, cAt + 3 * cRow + BYTES, ORDER);
      bAt += 2 * BYTES;
      cAt += 2 * BYTES;
    }
  }
}
