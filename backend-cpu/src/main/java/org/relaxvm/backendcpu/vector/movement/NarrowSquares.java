package org.relaxvm.backendcpu.vector.movement;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.NativeMemory;

/**
 * Transposes square tiles of elements of 1 and 2 bytes, as {@link Squares} those of larger ones, in
 * vectors of 128 bits whatever the choice: a square of longer rows would need more registers than
 * there are.
 */
final class NarrowSquares implements SquareMoves {
  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_128;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Eight bytes in order of memory from the lowest on. */
  private static final ValueLayout.OfLong ROW =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final ByteVector LOW = zip(1, 0);
  private static final ByteVector HIGH = zip(1, LANES / 2);
  private static final ByteVector LOW_PAIRS = zip(2, 0);
  private static final ByteVector HIGH_PAIRS = zip(2, LANES / 2);

  private final int side;

  /**
   * Squares of one size.
   *
   * @param side as {@link #side} gave it
   */
  NarrowSquares(int side) {
    this.side = side;
  }

  @Override
  public void turn(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep) {
    if (bytes > 1) {
      turnPairs(from, fromAt, fromStep, to, toAt, toStep);
    } else if (side == 8) {
      turnFewBytes(from, fromAt, fromStep, to, toAt, toStep);
    } else {
      turnBytes(from, fromAt, fromStep, to, toAt, toStep);
    }
  }

  /** Which lanes of two vectors make one: groups of lanes of each in turn, from a lane on. */
  private static ByteVector zip(int group, int first) {
    byte[] lanes = new byte[LANES];
    for (int i = 0; i < LANES; i++) {
      int vector = i / group % 2;
      lanes[i] = (byte) (vector * LANES + first + i / (2 * group) * group + i % group);
    }
    return ByteVector.fromArray(SPECIES, lanes, 0);
  }

  /** The largest side of squares that fit a matrix; 0 where none does. */
  static int side(int bytes, long shortestSide) {
    return shortestSide < 8 ? 0 : bytes > 1 || shortestSide < LANES ? 8 : LANES;
  }

  /** Turns 16 rows of 16 bytes. */
  private static void turnBytes(
      MemorySegment from, long fromAt, long fromStep, MemorySegment to, long toAt, long toStep) {
    NativeMemory.require(from, to);
    ByteVector low = LOW;
    ByteVector high = HIGH;
    ByteVector a0 = ByteVector.fromMemorySegment(SPECIES, from, fromAt, ORDER);
    ByteVector a1 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + fromStep, ORDER);
    ByteVector a2 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 2 * fromStep, ORDER);
    ByteVector a3 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 3 * fromStep, ORDER);
    ByteVector a4 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 4 * fromStep, ORDER);
    ByteVector a5 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 5 * fromStep, ORDER);
    ByteVector a6 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 6 * fromStep, ORDER);
    ByteVector a7 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 7 * fromStep, ORDER);
    ByteVector a8 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 8 * fromStep, ORDER);
    ByteVector a9 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 9 * fromStep, ORDER);
    ByteVector a10 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 10 * fromStep, ORDER);
    ByteVector a11 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 11 * fromStep, ORDER);
    ByteVector a12 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 12 * fromStep, ORDER);
    ByteVector a13 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 13 * fromStep, ORDER);
    ByteVector a14 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 14 * fromStep, ORDER);
    ByteVector a15 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 15 * fromStep, ORDER);
    ByteVector b0 = low.selectFrom(a0, a8);
    ByteVector b1 = high.selectFrom(a0, a8);
    ByteVector b2 = low.selectFrom(a1, a9);
    ByteVector b3 = high.selectFrom(a1, a9);
    ByteVector b4 = low.selectFrom(a2, a10);
    ByteVector b5 = high.selectFrom(a2, a10);
    ByteVector b6 = low.selectFrom(a3, a11);
    ByteVector b7 = high.selectFrom(a3, a11);
    ByteVector b8 = low.selectFrom(a4, a12);
    ByteVector b9 = high.selectFrom(a4, a12);
    ByteVector b10 = low.selectFrom(a5, a13);
    ByteVector b11 = high.selectFrom(a5, a13);
    ByteVector b12 = low.selectFrom(a6, a14);
    ByteVector b13 = high.selectFrom(a6, a14);
    ByteVector b14 = low.selectFrom(a7, a15);
    ByteVector b15 = high.selectFrom(a7, a15);
    ByteVector c0 = low.selectFrom(b0, b8);
    ByteVector c1 = high.selectFrom(b0, b8);
    ByteVector c2 = low.selectFrom(b1, b9);
    ByteVector c3 = high.selectFrom(b1, b9);
    ByteVector c4 = low.selectFrom(b2, b10);
    ByteVector c5 = high.selectFrom(b2, b10);
    ByteVector c6 = low.selectFrom(b3, b11);
    ByteVector c7 = high.selectFrom(b3, b11);
    ByteVector c8 = low.selectFrom(b4, b12);
    ByteVector c9 = high.selectFrom(b4, b12);
    ByteVector c10 = low.selectFrom(b5, b13);
    ByteVector c11 = high.selectFrom(b5, b13);
    ByteVector c12 = low.selectFrom(b6, b14);
    ByteVector c13 = high.selectFrom(b6, b14);
    ByteVector c14 = low.selectFrom(b7, b15);
    ByteVector c15 = high.selectFrom(b7, b15);
    ByteVector d0 = low.selectFrom(c0, c8);
    ByteVector d1 = high.selectFrom(c0, c8);
    ByteVector d2 = low.selectFrom(c1, c9);
    ByteVector d3 = high.selectFrom(c1, c9);
    ByteVector d4 = low.selectFrom(c2, c10);
    ByteVector d5 = high.selectFrom(c2, c10);
    ByteVector d6 = low.selectFrom(c3, c11);
    ByteVector d7 = high.selectFrom(c3, c11);
    ByteVector d8 = low.selectFrom(c4, c12);
    ByteVector d9 = high.selectFrom(c4, c12);
    ByteVector d10 = low.selectFrom(c5, c13);
    ByteVector d11 = high.selectFrom(c5, c13);
    ByteVector d12 = low.selectFrom(c6, c14);
    ByteVector d13 = high.selectFrom(c6, c14);
    ByteVector d14 = low.selectFrom(c7, c15);
    ByteVector d15 = high.selectFrom(c7, c15);
    ByteVector e0 = low.selectFrom(d0, d8);
    ByteVector e1 = high.selectFrom(d0, d8);
    ByteVector e2 = low.selectFrom(d1, d9);
    ByteVector e3 = high.selectFrom(d1, d9);
    ByteVector e4 = low.selectFrom(d2, d10);
    ByteVector e5 = high.selectFrom(d2, d10);
    ByteVector e6 = low.selectFrom(d3, d11);
    ByteVector e7 = high.selectFrom(d3, d11);
    ByteVector e8 = low.selectFrom(d4, d12);
    ByteVector e9 = high.selectFrom(d4, d12);
    ByteVector e10 = low.selectFrom(d5, d13);
    ByteVector e11 = high.selectFrom(d5, d13);
    ByteVector e12 = low.selectFrom(d6, d14);
    ByteVector e13 = high.selectFrom(d6, d14);
    ByteVector e14 = low.selectFrom(d7, d15);
    ByteVector e15 = high.selectFrom(d7, d15);
    e0.intoMemorySegment(to, toAt, ORDER);
    e1.intoMemorySegment(to, toAt + toStep, ORDER);
    e2.intoMemorySegment(to, toAt + 2 * toStep, ORDER);
    e3.intoMemorySegment(to, toAt + 3 * toStep, ORDER);
    e4.intoMemorySegment(to, toAt + 4 * toStep, ORDER);
    e5.intoMemorySegment(to, toAt + 5 * toStep, ORDER);
    e6.intoMemorySegment(to, toAt + 6 * toStep, ORDER);
    e7.intoMemorySegment(to, toAt + 7 * toStep, ORDER);
    e8.intoMemorySegment(to, toAt + 8 * toStep, ORDER);
    e9.intoMemorySegment(to, toAt + 9 * toStep, ORDER);
    e10.intoMemorySegment(to, toAt + 10 * toStep, ORDER);
    e11.intoMemorySegment(to, toAt + 11 * toStep, ORDER);
    e12.intoMemorySegment(to, toAt + 12 * toStep, ORDER);
    e13.intoMemorySegment(to, toAt + 13 * toStep, ORDER);
    e14.intoMemorySegment(to, toAt + 14 * toStep, ORDER);
    e15.intoMemorySegment(to, toAt + 15 * toStep, ORDER);
  }

  /** Turns 8 rows of 8 elements of 2 bytes. */
  private static void turnPairs(
      MemorySegment from, long fromAt, long fromStep, MemorySegment to, long toAt, long toStep) {
    NativeMemory.require(from, to);
    ByteVector low = LOW_PAIRS;
    ByteVector high = HIGH_PAIRS;
    ByteVector a0 = ByteVector.fromMemorySegment(SPECIES, from, fromAt, ORDER);
    ByteVector a1 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + fromStep, ORDER);
    ByteVector a2 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 2 * fromStep, ORDER);
    ByteVector a3 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 3 * fromStep, ORDER);
    ByteVector a4 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 4 * fromStep, ORDER);
    ByteVector a5 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 5 * fromStep, ORDER);
    ByteVector a6 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 6 * fromStep, ORDER);
    ByteVector a7 = ByteVector.fromMemorySegment(SPECIES, from, fromAt + 7 * fromStep, ORDER);
    ByteVector b0 = low.selectFrom(a0, a4);
    ByteVector b1 = high.selectFrom(a0, a4);
    ByteVector b2 = low.selectFrom(a1, a5);
    ByteVector b3 = high.selectFrom(a1, a5);
    ByteVector b4 = low.selectFrom(a2, a6);
    ByteVector b5 = high.selectFrom(a2, a6);
    ByteVector b6 = low.selectFrom(a3, a7);
    ByteVector b7 = high.selectFrom(a3, a7);
    ByteVector c0 = low.selectFrom(b0, b4);
    ByteVector c1 = high.selectFrom(b0, b4);
    ByteVector c2 = low.selectFrom(b1, b5);
    ByteVector c3 = high.selectFrom(b1, b5);
    ByteVector c4 = low.selectFrom(b2, b6);
    ByteVector c5 = high.selectFrom(b2, b6);
    ByteVector c6 = low.selectFrom(b3, b7);
    ByteVector c7 = high.selectFrom(b3, b7);
    ByteVector d0 = low.selectFrom(c0, c4);
    ByteVector d1 = high.selectFrom(c0, c4);
    ByteVector d2 = low.selectFrom(c1, c5);
    ByteVector d3 = high.selectFrom(c1, c5);
    ByteVector d4 = low.selectFrom(c2, c6);
    ByteVector d5 = high.selectFrom(c2, c6);
    ByteVector d6 = low.selectFrom(c3, c7);
    ByteVector d7 = high.selectFrom(c3, c7);
    d0.intoMemorySegment(to, toAt, ORDER);
    d1.intoMemorySegment(to, toAt + toStep, ORDER);
    d2.intoMemorySegment(to, toAt + 2 * toStep, ORDER);
    d3.intoMemorySegment(to, toAt + 3 * toStep, ORDER);
    d4.intoMemorySegment(to, toAt + 4 * toStep, ORDER);
    d5.intoMemorySegment(to, toAt + 5 * toStep, ORDER);
    d6.intoMemorySegment(to, toAt + 6 * toStep, ORDER);
    d7.intoMemorySegment(to, toAt + 7 * toStep, ORDER);
  }

  /**
   * Turns 8 rows of 8 bytes: rows are numbers that swap every other part, half as long each time.
   */
  private static void turnFewBytes(
      MemorySegment from, long fromAt, long fromStep, MemorySegment to, long toAt, long toStep) {
    NativeMemory.require(from, to);
    long a0 = from.get(ROW, fromAt);
    long a1 = from.get(ROW, fromAt + fromStep);
    long a2 = from.get(ROW, fromAt + 2 * fromStep);
    long a3 = from.get(ROW, fromAt + 3 * fromStep);
    long a4 = from.get(ROW, fromAt + 4 * fromStep);
    long a5 = from.get(ROW, fromAt + 5 * fromStep);
    long a6 = from.get(ROW, fromAt + 6 * fromStep);
    long a7 = from.get(ROW, fromAt + 7 * fromStep);
    long odd;
    odd = ((a0 >>> 32) ^ a4) & 0x0000_0000_FFFF_FFFFL;
    a4 ^= odd;
    a0 ^= odd << 32;
    odd = ((a1 >>> 32) ^ a5) & 0x0000_0000_FFFF_FFFFL;
    a5 ^= odd;
    a1 ^= odd << 32;
    odd = ((a2 >>> 32) ^ a6) & 0x0000_0000_FFFF_FFFFL;
    a6 ^= odd;
    a2 ^= odd << 32;
    odd = ((a3 >>> 32) ^ a7) & 0x0000_0000_FFFF_FFFFL;
    a7 ^= odd;
    a3 ^= odd << 32;
    odd = ((a0 >>> 16) ^ a2) & 0x0000_FFFF_0000_FFFFL;
    a2 ^= odd;
    a0 ^= odd << 16;
    odd = ((a1 >>> 16) ^ a3) & 0x0000_FFFF_0000_FFFFL;
    a3 ^= odd;
    a1 ^= odd << 16;
    odd = ((a4 >>> 16) ^ a6) & 0x0000_FFFF_0000_FFFFL;
    a6 ^= odd;
    a4 ^= odd << 16;
    odd = ((a5 >>> 16) ^ a7) & 0x0000_FFFF_0000_FFFFL;
    a7 ^= odd;
    a5 ^= odd << 16;
    odd = ((a0 >>> 8) ^ a1) & 0x00FF_00FF_00FF_00FFL;
    a1 ^= odd;
    a0 ^= odd << 8;
    odd = ((a2 >>> 8) ^ a3) & 0x00FF_00FF_00FF_00FFL;
    a3 ^= odd;
    a2 ^= odd << 8;
    odd = ((a4 >>> 8) ^ a5) & 0x00FF_00FF_00FF_00FFL;
    a5 ^= odd;
    a4 ^= odd << 8;
    odd = ((a6 >>> 8) ^ a7) & 0x00FF_00FF_00FF_00FFL;
    a7 ^= odd;
    a6 ^= odd << 8;
    to.set(ROW, toAt, a0);
    to.set(ROW, toAt + toStep, a1);
    to.set(ROW, toAt + 2 * toStep, a2);
    to.set(ROW, toAt + 3 * toStep, a3);
    to.set(ROW, toAt + 4 * toStep, a4);
    to.set(ROW, toAt + 5 * toStep, a5);
    to.set(ROW, toAt + 6 * toStep, a6);
    to.set(ROW, toAt + 7 * toStep, a7);
  }
}
