package org.relaxvm.backendcpu.vector.movement;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.BlockMoves;
import org.relaxvm.backendcpu.kernel.TurnedMatrix;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/** Moves vectors. */
public final class VectorBlockMoves implements BlockMoves {
  private static final VectorSpecies<Byte> BYTES = Species.INT.withLanes(byte.class);
  private static final int VECTOR = BYTES.length();
  private static final VectorSpecies<Byte> SHORT_BYTES = ByteVector.SPECIES_128;
  private static final int SHORT_VECTOR = SHORT_BYTES.length();
  private static final int SHORTEST = 3;
  private static final SquareMoves CHECKED = new Squares();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /**
   * Creates the moves, where {@link org.relaxvm.backendcpu.vector.VectorChoice} fell on vectors.
   */
  public VectorBlockMoves() {}

  @Override
  public boolean fit(MemorySegment from, MemorySegment to) {
    return NativeMemory.holds(from) && NativeMemory.holds(to);
  }

  @Override
  public int side(int bytes, long shortestSide) {
    if (bytes < Integer.BYTES) {
      return NarrowSquares.side(bytes, shortestSide);
    }
    int side = Squares.side(bytes);
    return shortestSide < side ? 0 : side;
  }

  @Override
  public int shortestRow() {
    return SHORTEST;
  }

  @Override
  public void turnAll(int side, TurnedMatrix matrix) {
    if (matrix.bytes() < Integer.BYTES) {
      new NarrowSquares(side).turnAll(side, matrix);
    } else if (ByAddress.fits(matrix)) {
      ByAddress.turnAll(side, matrix);
    } else {
      CHECKED.turnAll(side, matrix);
    }
  }

  @Override
  public void rows(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      int rows) {
    if (bytes >= VECTOR) {
      vectors(bytes, from, fromAt, fromStep, to, toAt, toStep, rows);
    } else if (bytes >= SHORT_VECTOR) {
      shortVectors(bytes, from, fromAt, fromStep, to, toAt, toStep, rows);
    } else if (bytes >= Long.BYTES) {
      longs(bytes, from, fromAt, fromStep, to, toAt, toStep, rows);
    } else if (bytes >= Integer.BYTES) {
      ints(bytes, from, fromAt, fromStep, to, toAt, toStep, rows);
    } else {
      shorts(bytes, from, fromAt, fromStep, to, toAt, toStep, rows);
    }
  }

  private static void vectors(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      int rows) {
    NativeMemory.require(from, to);
    int whole = bytes - VECTOR;
    for (int row = 0; row < rows; row++) {
      long source = fromAt + row * fromStep;
      long target = toAt + row * toStep;
      for (int i = 0; i < whole; i += VECTOR) {
        ByteVector.fromMemorySegment(BYTES, from, source + i, ORDER)
            .intoMemorySegment(to, target + i, ORDER);
      }
      // The last vector ends with the row and may repeat some of the one before.
      ByteVector.fromMemorySegment(BYTES, from, source + whole, ORDER)
          .intoMemorySegment(to, target + whole, ORDER);
    }
  }

  private static void shortVectors(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      int rows) {
    NativeMemory.require(from, to);
    int whole = bytes - SHORT_VECTOR;
    for (int row = 0; row < rows; row++) {
      long source = fromAt + row * fromStep;
      long target = toAt + row * toStep;
      for (int i = 0; i < whole; i += SHORT_VECTOR) {
        ByteVector.fromMemorySegment(SHORT_BYTES, from, source + i, ORDER)
            .intoMemorySegment(to, target + i, ORDER);
      }
      ByteVector.fromMemorySegment(SHORT_BYTES, from, source + whole, ORDER)
          .intoMemorySegment(to, target + whole, ORDER);
    }
  }

  /** Two numbers that may overlap make a row. */
  private static void longs(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      int rows) {
    NativeMemory.require(from, to);
    int second = bytes - Long.BYTES;
    for (int row = 0; row < rows; row++) {
      long source = fromAt + row * fromStep;
      long target = toAt + row * toStep;
      long start = from.get(JAVA_LONG_UNALIGNED, source);
      long end = from.get(JAVA_LONG_UNALIGNED, source + second);
      to.set(JAVA_LONG_UNALIGNED, target, start);
      to.set(JAVA_LONG_UNALIGNED, target + second, end);
    }
  }

  private static void ints(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      int rows) {
    NativeMemory.require(from, to);
    int second = bytes - Integer.BYTES;
    for (int row = 0; row < rows; row++) {
      long source = fromAt + row * fromStep;
      long target = toAt + row * toStep;
      int start = from.get(JAVA_INT_UNALIGNED, source);
      int end = from.get(JAVA_INT_UNALIGNED, source + second);
      to.set(JAVA_INT_UNALIGNED, target, start);
      to.set(JAVA_INT_UNALIGNED, target + second, end);
    }
  }

  private static void shorts(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      int rows) {
    NativeMemory.require(from, to);
    int second = bytes - Short.BYTES;
    for (int row = 0; row < rows; row++) {
      long source = fromAt + row * fromStep;
      long target = toAt + row * toStep;
      short start = from.get(JAVA_SHORT_UNALIGNED, source);
      short end = from.get(JAVA_SHORT_UNALIGNED, source + second);
      to.set(JAVA_SHORT_UNALIGNED, target, start);
      to.set(JAVA_SHORT_UNALIGNED, target + second, end);
    }
  }
}
