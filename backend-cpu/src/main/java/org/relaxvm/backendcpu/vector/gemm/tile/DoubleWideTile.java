package org.relaxvm.backendcpu.vector.gemm.tile;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Six rows of four double vectors: 24 sums in registers, as many as in twelve rows of two, but
 * fewer elements of the left matrix to bring in. So those can be read where they lie.
 */
final class DoubleWideTile implements WideTile {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final long BYTES = SPECIES.vectorByteSize();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int ROWS = 6;
  private static final int LOW_ROWS = 4;

  private static final int COLUMNS = 4 * SPECIES.length();

  @Override
  public int columns() {
    return COLUMNS;
  }

  @Override
  public void multiply(
      MemorySegment a,
      long aAt,
      long aRow,
      long aStep,
      int rows,
      MemorySegment b,
      long bAt,
      long bRow,
      int depth,
      int columns,
      MemorySegment c,
      long cAt,
      long cRow) {
    int whole = rows / ROWS * ROWS;
    full(a, aAt, aRow, aStep, whole, b, bAt, bRow, depth, columns, c, cAt, cRow);
    if (rows - whole > LOW_ROWS && whole > 0) {
      int back = rows - ROWS;
      full(
          a,
          aAt + back * aRow,
          aRow,
          aStep,
          ROWS,
          b,
          bAt,
          bRow,
          depth,
          columns,
          c,
          cAt + back * cRow,
          cRow);
      return;
    }
    for (int row = whole; row < rows; row += LOW_ROWS) {
      int start = Math.min(row, rows - LOW_ROWS);
      low(
          a,
          aAt + start * aRow,
          aRow,
          aStep,
          b,
          bAt,
          bRow,
          depth,
          columns,
          c,
          cAt + start * cRow,
          cRow);
    }
  }

  private static void full(
      MemorySegment a,
      long aAt,
      long aRow,
      long aStep,
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
        DoubleVector c02 = zero;
        DoubleVector c03 = zero;
        DoubleVector c10 = zero;
        DoubleVector c11 = zero;
        DoubleVector c12 = zero;
        DoubleVector c13 = zero;
        DoubleVector c20 = zero;
        DoubleVector c21 = zero;
        DoubleVector c22 = zero;
        DoubleVector c23 = zero;
        DoubleVector c30 = zero;
        DoubleVector c31 = zero;
        DoubleVector c32 = zero;
        DoubleVector c33 = zero;
        DoubleVector c40 = zero;
        DoubleVector c41 = zero;
        DoubleVector c42 = zero;
        DoubleVector c43 = zero;
        DoubleVector c50 = zero;
        DoubleVector c51 = zero;
        DoubleVector c52 = zero;
        DoubleVector c53 = zero;
        for (int p = 0; p < depth; p++) {
          long bPlace = bAt + p * bRow;
          DoubleVector b0 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace, ORDER);
          DoubleVector b1 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace + BYTES, ORDER);
          DoubleVector b2 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace + 2 * BYTES, ORDER);
          DoubleVector b3 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace + 3 * BYTES, ORDER);
          long aPlace = aAt + p * aStep;
          DoubleVector a0 = DoubleVector.broadcast(SPECIES, a.get(JAVA_DOUBLE_UNALIGNED, aPlace));
          c00 = a0.fma(b0, c00);
          c01 = a0.fma(b1, c01);
          c02 = a0.fma(b2, c02);
          c03 = a0.fma(b3, c03);
          DoubleVector a1 =
              DoubleVector.broadcast(SPECIES, a.get(JAVA_DOUBLE_UNALIGNED, aPlace + aRow));
          c10 = a1.fma(b0, c10);
          c11 = a1.fma(b1, c11);
          c12 = a1.fma(b2, c12);
          c13 = a1.fma(b3, c13);
          DoubleVector a2 =
              DoubleVector.broadcast(SPECIES, a.get(JAVA_DOUBLE_UNALIGNED, aPlace + 2 * aRow));
          c20 = a2.fma(b0, c20);
          c21 = a2.fma(b1, c21);
          c22 = a2.fma(b2, c22);
          c23 = a2.fma(b3, c23);
          DoubleVector a3 =
              DoubleVector.broadcast(SPECIES, a.get(JAVA_DOUBLE_UNALIGNED, aPlace + 3 * aRow));
          c30 = a3.fma(b0, c30);
          c31 = a3.fma(b1, c31);
          c32 = a3.fma(b2, c32);
          c33 = a3.fma(b3, c33);
          DoubleVector a4 =
              DoubleVector.broadcast(SPECIES, a.get(JAVA_DOUBLE_UNALIGNED, aPlace + 4 * aRow));
          c40 = a4.fma(b0, c40);
          c41 = a4.fma(b1, c41);
          c42 = a4.fma(b2, c42);
          c43 = a4.fma(b3, c43);
          DoubleVector a5 =
              DoubleVector.broadcast(SPECIES, a.get(JAVA_DOUBLE_UNALIGNED, aPlace + 5 * aRow));
          c50 = a5.fma(b0, c50);
          c51 = a5.fma(b1, c51);
          c52 = a5.fma(b2, c52);
          c53 = a5.fma(b3, c53);
        }
        c00.intoMemorySegment(c, cAt, ORDER);
        c01.intoMemorySegment(c, cAt + BYTES, ORDER);
        c02.intoMemorySegment(c, cAt + 2 * BYTES, ORDER);
        c03.intoMemorySegment(c, cAt + 3 * BYTES, ORDER);
        c10.intoMemorySegment(c, cAt + cRow, ORDER);
        c11.intoMemorySegment(c, cAt + cRow + BYTES, ORDER);
        c12.intoMemorySegment(c, cAt + cRow + 2 * BYTES, ORDER);
        c13.intoMemorySegment(c, cAt + cRow + 3 * BYTES, ORDER);
        c20.intoMemorySegment(c, cAt + 2 * cRow, ORDER);
        c21.intoMemorySegment(c, cAt + 2 * cRow + BYTES, ORDER);
        c22.intoMemorySegment(c, cAt + 2 * cRow + 2 * BYTES, ORDER);
        c23.intoMemorySegment(c, cAt + 2 * cRow + 3 * BYTES, ORDER);
        c30.intoMemorySegment(c, cAt + 3 * cRow, ORDER);
        c31.intoMemorySegment(c, cAt + 3 * cRow + BYTES, ORDER);
        c32.intoMemorySegment(c, cAt + 3 * cRow + 2 * BYTES, ORDER);
        c33.intoMemorySegment(c, cAt + 3 * cRow + 3 * BYTES, ORDER);
        c40.intoMemorySegment(c, cAt + 4 * cRow, ORDER);
        c41.intoMemorySegment(c, cAt + 4 * cRow + BYTES, ORDER);
        c42.intoMemorySegment(c, cAt + 4 * cRow + 2 * BYTES, ORDER);
        c43.intoMemorySegment(c, cAt + 4 * cRow + 3 * BYTES, ORDER);
        c50.intoMemorySegment(c, cAt + 5 * cRow, ORDER);
        c51.intoMemorySegment(c, cAt + 5 * cRow + BYTES, ORDER);
        c52.intoMemorySegment(c, cAt + 5 * cRow + 2 * BYTES, ORDER);
        c53.intoMemorySegment(c, cAt + 5 * cRow + 3 * BYTES, ORDER);
        bAt += 4 * BYTES;
        cAt += 4 * BYTES;
      }
      long panels = columns / COLUMNS * (4 * BYTES);
      aAt += ROWS * aRow;
      bAt -= panels;
      cAt += ROWS * cRow - panels;
    }
  }

  private static void low(
      MemorySegment a,
      long aAt,
      long aRow,
      long aStep,
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
      DoubleVector c02 = zero;
      DoubleVector c03 = zero;
      DoubleVector c10 = zero;
      DoubleVector c11 = zero;
      DoubleVector c12 = zero;
      DoubleVector c13 = zero;
      DoubleVector c20 = zero;
      DoubleVector c21 = zero;
      DoubleVector c22 = zero;
      DoubleVector c23 = zero;
      DoubleVector c30 = zero;
      DoubleVector c31 = zero;
      DoubleVector c32 = zero;
      DoubleVector c33 = zero;
      for (int p = 0; p < depth; p++) {
        long bPlace = bAt + p * bRow;
        DoubleVector b0 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace, ORDER);
        DoubleVector b1 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace + BYTES, ORDER);
        DoubleVector b2 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace + 2 * BYTES, ORDER);
        DoubleVector b3 = DoubleVector.fromMemorySegment(SPECIES, b, bPlace + 3 * BYTES, ORDER);
        long aPlace = aAt + p * aStep;
        DoubleVector a0 = DoubleVector.broadcast(SPECIES, a.get(JAVA_DOUBLE_UNALIGNED, aPlace));
        c00 = a0.fma(b0, c00);
        c01 = a0.fma(b1, c01);
        c02 = a0.fma(b2, c02);
        c03 = a0.fma(b3, c03);
        DoubleVector a1 =
            DoubleVector.broadcast(SPECIES, a.get(JAVA_DOUBLE_UNALIGNED, aPlace + aRow));
        c10 = a1.fma(b0, c10);
        c11 = a1.fma(b1, c11);
        c12 = a1.fma(b2, c12);
        c13 = a1.fma(b3, c13);
        DoubleVector a2 =
            DoubleVector.broadcast(SPECIES, a.get(JAVA_DOUBLE_UNALIGNED, aPlace + 2 * aRow));
        c20 = a2.fma(b0, c20);
        c21 = a2.fma(b1, c21);
        c22 = a2.fma(b2, c22);
        c23 = a2.fma(b3, c23);
        DoubleVector a3 =
            DoubleVector.broadcast(SPECIES, a.get(JAVA_DOUBLE_UNALIGNED, aPlace + 3 * aRow));
        c30 = a3.fma(b0, c30);
        c31 = a3.fma(b1, c31);
        c32 = a3.fma(b2, c32);
        c33 = a3.fma(b3, c33);
      }
      c00.intoMemorySegment(c, cAt, ORDER);
      c01.intoMemorySegment(c, cAt + BYTES, ORDER);
      c02.intoMemorySegment(c, cAt + 2 * BYTES, ORDER);
      c03.intoMemorySegment(c, cAt + 3 * BYTES, ORDER);
      c10.intoMemorySegment(c, cAt + cRow, ORDER);
      c11.intoMemorySegment(c, cAt + cRow + BYTES, ORDER);
      c12.intoMemorySegment(c, cAt + cRow + 2 * BYTES, ORDER);
      c13.intoMemorySegment(c, cAt + cRow + 3 * BYTES, ORDER);
      c20.intoMemorySegment(c, cAt + 2 * cRow, ORDER);
      c21.intoMemorySegment(c, cAt + 2 * cRow + BYTES, ORDER);
      c22.intoMemorySegment(c, cAt + 2 * cRow + 2 * BYTES, ORDER);
      c23.intoMemorySegment(c, cAt + 2 * cRow + 3 * BYTES, ORDER);
      c30.intoMemorySegment(c, cAt + 3 * cRow, ORDER);
      c31.intoMemorySegment(c, cAt + 3 * cRow + BYTES, ORDER);
      c32.intoMemorySegment(c, cAt + 3 * cRow + 2 * BYTES, ORDER);
      c33.intoMemorySegment(c, cAt + 3 * cRow + 3 * BYTES, ORDER);
      bAt += 4 * BYTES;
      cAt += 4 * BYTES;
    }
  }
}
