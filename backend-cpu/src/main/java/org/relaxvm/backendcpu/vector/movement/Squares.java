package org.relaxvm.backendcpu.vector.movement;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Turns squares of elements of 4 and 8 bytes in registers: upper and lower half are put together
 * like the teeth of a zip, row by row, as often as the side can be halved. Written out, since
 * vectors in an array would be in memory.
 */
final class Squares {
  private static final VectorSpecies<Integer> SPECIES = Species.INT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final IntVector LOW = zip(1, 0);
  private static final IntVector HIGH = zip(1, LANES / 2);
  private static final IntVector LOW_PAIRS = zip(2, 0);
  private static final IntVector HIGH_PAIRS = zip(2, LANES / 2);

  private Squares() {}

  /** Which lanes of two vectors make one: groups of lanes of each in turn, from a lane on. */
  private static IntVector zip(int group, int first) {
    int[] lanes = new int[LANES];
    for (int i = 0; i < LANES; i++) {
      int vector = i / group % 2;
      lanes[i] = vector * LANES + first + i / (2 * group) * group + i % group;
    }
    return IntVector.fromArray(SPECIES, lanes, 0);
  }

  /** The side of squares of elements of 4 or 8 bytes; 0 where there is no code for it. */
  static int side(int bytes) {
    int side = LANES * Integer.BYTES / bytes;
    return side < 4 ? 0 : side;
  }

  static void turn(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep) {
    boolean pairs = bytes == Long.BYTES;
    IntVector low = pairs ? LOW_PAIRS : LOW;
    IntVector high = pairs ? HIGH_PAIRS : HIGH;
    switch (side(bytes)) {
      case 16 -> turnSixteen(from, fromAt, fromStep, to, toAt, toStep, low, high);
      case 8 -> turnEight(from, fromAt, fromStep, to, toAt, toStep, low, high);
      default -> turnFour(from, fromAt, fromStep, to, toAt, toStep, low, high);
    }
  }

  private static void turnFour(
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      IntVector low,
      IntVector high) {
    NativeMemory.require(from, to);
    IntVector a0 = IntVector.fromMemorySegment(SPECIES, from, fromAt, ORDER);
    IntVector a1 = IntVector.fromMemorySegment(SPECIES, from, fromAt + fromStep, ORDER);
    IntVector a2 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 2 * fromStep, ORDER);
    IntVector a3 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 3 * fromStep, ORDER);
    IntVector b0 = low.selectFrom(a0, a2);
    IntVector b1 = high.selectFrom(a0, a2);
    IntVector b2 = low.selectFrom(a1, a3);
    IntVector b3 = high.selectFrom(a1, a3);
    IntVector c0 = low.selectFrom(b0, b2);
    IntVector c1 = high.selectFrom(b0, b2);
    IntVector c2 = low.selectFrom(b1, b3);
    IntVector c3 = high.selectFrom(b1, b3);
    c0.intoMemorySegment(to, toAt, ORDER);
    c1.intoMemorySegment(to, toAt + toStep, ORDER);
    c2.intoMemorySegment(to, toAt + 2 * toStep, ORDER);
    c3.intoMemorySegment(to, toAt + 3 * toStep, ORDER);
  }

  private static void turnEight(
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      IntVector low,
      IntVector high) {
    NativeMemory.require(from, to);
    IntVector a0 = IntVector.fromMemorySegment(SPECIES, from, fromAt, ORDER);
    IntVector a1 = IntVector.fromMemorySegment(SPECIES, from, fromAt + fromStep, ORDER);
    IntVector a2 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 2 * fromStep, ORDER);
    IntVector a3 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 3 * fromStep, ORDER);
    IntVector a4 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 4 * fromStep, ORDER);
    IntVector a5 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 5 * fromStep, ORDER);
    IntVector a6 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 6 * fromStep, ORDER);
    IntVector a7 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 7 * fromStep, ORDER);
    IntVector b0 = low.selectFrom(a0, a4);
    IntVector b1 = high.selectFrom(a0, a4);
    IntVector b2 = low.selectFrom(a1, a5);
    IntVector b3 = high.selectFrom(a1, a5);
    IntVector b4 = low.selectFrom(a2, a6);
    IntVector b5 = high.selectFrom(a2, a6);
    IntVector b6 = low.selectFrom(a3, a7);
    IntVector b7 = high.selectFrom(a3, a7);
    IntVector c0 = low.selectFrom(b0, b4);
    IntVector c1 = high.selectFrom(b0, b4);
    IntVector c2 = low.selectFrom(b1, b5);
    IntVector c3 = high.selectFrom(b1, b5);
    IntVector c4 = low.selectFrom(b2, b6);
    IntVector c5 = high.selectFrom(b2, b6);
    IntVector c6 = low.selectFrom(b3, b7);
    IntVector c7 = high.selectFrom(b3, b7);
    IntVector d0 = low.selectFrom(c0, c4);
    IntVector d1 = high.selectFrom(c0, c4);
    IntVector d2 = low.selectFrom(c1, c5);
    IntVector d3 = high.selectFrom(c1, c5);
    IntVector d4 = low.selectFrom(c2, c6);
    IntVector d5 = high.selectFrom(c2, c6);
    IntVector d6 = low.selectFrom(c3, c7);
    IntVector d7 = high.selectFrom(c3, c7);
    d0.intoMemorySegment(to, toAt, ORDER);
    d1.intoMemorySegment(to, toAt + toStep, ORDER);
    d2.intoMemorySegment(to, toAt + 2 * toStep, ORDER);
    d3.intoMemorySegment(to, toAt + 3 * toStep, ORDER);
    d4.intoMemorySegment(to, toAt + 4 * toStep, ORDER);
    d5.intoMemorySegment(to, toAt + 5 * toStep, ORDER);
    d6.intoMemorySegment(to, toAt + 6 * toStep, ORDER);
    d7.intoMemorySegment(to, toAt + 7 * toStep, ORDER);
  }

  private static void turnSixteen(
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      IntVector low,
      IntVector high) {
    NativeMemory.require(from, to);
    IntVector a0 = IntVector.fromMemorySegment(SPECIES, from, fromAt, ORDER);
    IntVector a1 = IntVector.fromMemorySegment(SPECIES, from, fromAt + fromStep, ORDER);
    IntVector a2 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 2 * fromStep, ORDER);
    IntVector a3 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 3 * fromStep, ORDER);
    IntVector a4 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 4 * fromStep, ORDER);
    IntVector a5 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 5 * fromStep, ORDER);
    IntVector a6 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 6 * fromStep, ORDER);
    IntVector a7 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 7 * fromStep, ORDER);
    IntVector a8 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 8 * fromStep, ORDER);
    IntVector a9 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 9 * fromStep, ORDER);
    IntVector a10 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 10 * fromStep, ORDER);
    IntVector a11 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 11 * fromStep, ORDER);
    IntVector a12 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 12 * fromStep, ORDER);
    IntVector a13 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 13 * fromStep, ORDER);
    IntVector a14 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 14 * fromStep, ORDER);
    IntVector a15 = IntVector.fromMemorySegment(SPECIES, from, fromAt + 15 * fromStep, ORDER);
    IntVector b0 = low.selectFrom(a0, a8);
    IntVector b1 = high.selectFrom(a0, a8);
    IntVector b2 = low.selectFrom(a1, a9);
    IntVector b3 = high.selectFrom(a1, a9);
    IntVector b4 = low.selectFrom(a2, a10);
    IntVector b5 = high.selectFrom(a2, a10);
    IntVector b6 = low.selectFrom(a3, a11);
    IntVector b7 = high.selectFrom(a3, a11);
    IntVector b8 = low.selectFrom(a4, a12);
    IntVector b9 = high.selectFrom(a4, a12);
    IntVector b10 = low.selectFrom(a5, a13);
    IntVector b11 = high.selectFrom(a5, a13);
    IntVector b12 = low.selectFrom(a6, a14);
    IntVector b13 = high.selectFrom(a6, a14);
    IntVector b14 = low.selectFrom(a7, a15);
    IntVector b15 = high.selectFrom(a7, a15);
    IntVector c0 = low.selectFrom(b0, b8);
    IntVector c1 = high.selectFrom(b0, b8);
    IntVector c2 = low.selectFrom(b1, b9);
    IntVector c3 = high.selectFrom(b1, b9);
    IntVector c4 = low.selectFrom(b2, b10);
    IntVector c5 = high.selectFrom(b2, b10);
    IntVector c6 = low.selectFrom(b3, b11);
    IntVector c7 = high.selectFrom(b3, b11);
    IntVector c8 = low.selectFrom(b4, b12);
    IntVector c9 = high.selectFrom(b4, b12);
    IntVector c10 = low.selectFrom(b5, b13);
    IntVector c11 = high.selectFrom(b5, b13);
    IntVector c12 = low.selectFrom(b6, b14);
    IntVector c13 = high.selectFrom(b6, b14);
    IntVector c14 = low.selectFrom(b7, b15);
    IntVector c15 = high.selectFrom(b7, b15);
    IntVector d0 = low.selectFrom(c0, c8);
    IntVector d1 = high.selectFrom(c0, c8);
    IntVector d2 = low.selectFrom(c1, c9);
    IntVector d3 = high.selectFrom(c1, c9);
    IntVector d4 = low.selectFrom(c2, c10);
    IntVector d5 = high.selectFrom(c2, c10);
    IntVector d6 = low.selectFrom(c3, c11);
    IntVector d7 = high.selectFrom(c3, c11);
    IntVector d8 = low.selectFrom(c4, c12);
    IntVector d9 = high.selectFrom(c4, c12);
    IntVector d10 = low.selectFrom(c5, c13);
    IntVector d11 = high.selectFrom(c5, c13);
    IntVector d12 = low.selectFrom(c6, c14);
    IntVector d13 = high.selectFrom(c6, c14);
    IntVector d14 = low.selectFrom(c7, c15);
    IntVector d15 = high.selectFrom(c7, c15);
    IntVector e0 = low.selectFrom(d0, d8);
    IntVector e1 = high.selectFrom(d0, d8);
    IntVector e2 = low.selectFrom(d1, d9);
    IntVector e3 = high.selectFrom(d1, d9);
    IntVector e4 = low.selectFrom(d2, d10);
    IntVector e5 = high.selectFrom(d2, d10);
    IntVector e6 = low.selectFrom(d3, d11);
    IntVector e7 = high.selectFrom(d3, d11);
    IntVector e8 = low.selectFrom(d4, d12);
    IntVector e9 = high.selectFrom(d4, d12);
    IntVector e10 = low.selectFrom(d5, d13);
    IntVector e11 = high.selectFrom(d5, d13);
    IntVector e12 = low.selectFrom(d6, d14);
    IntVector e13 = high.selectFrom(d6, d14);
    IntVector e14 = low.selectFrom(d7, d15);
    IntVector e15 = high.selectFrom(d7, d15);
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
}
