package org.relaxvm.backendcpu.vector.movement;

import java.io.IOException;
import java.io.InputStream;
import java.lang.constant.ConstantDescs;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.ProcessMemory;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Transposes square tiles of elements of 4 and 8 bytes in registers: upper and lower half are put
 * together like the teeth of a zip, row by row, as often as the side can be halved. Written out,
 * since vectors in an array would be in memory.
 *
 * <p>There are two of this class: as it is loaded, each access is checked; in the copy that {@link
 * #byAddress} makes, places are addresses. The fewer instructions there are, the more squares the
 * CPU waits for at once where matrices are large.
 */
final class Squares implements SquareMoves {
  /** Steps by address are below. */
  static final long LONGEST_STEP = 1L << 40;

  private static final long STEPS = LONGEST_STEP - 1;

  /** What places are in: all memory of the process in the copy; null where callers say. */
  private static final @Nullable MemorySegment PROCESS = processMemory();

  private static final VectorSpecies<Integer> SPECIES = Species.INT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final IntVector LOW = zip(1, 0);
  private static final IntVector HIGH = zip(1, LANES / 2);
  private static final IntVector LOW_PAIRS = zip(2, 0);
  private static final IntVector HIGH_PAIRS = zip(2, LANES / 2);

  /** Squares that check each access. */
  Squares() {}

  /**
   * Squares whose places are addresses, of memory that {@link ProcessMemory} may reach; steps are
   * from 0 to below {@link #LONGEST_STEP}. Nothing is checked.
   */
  static SquareMoves byAddress() {
    String name = Squares.class.getSimpleName() + ".class";
    try (InputStream code = Squares.class.getResourceAsStream(name)) {
      if (code == null) {
        throw new IllegalStateException("cannot read the code of " + Squares.class + " again");
      }
      return MethodHandles.lookup()
          .defineHiddenClassWithClassData(code.readAllBytes(), ProcessMemory.ALL, true)
          .lookupClass()
          .asSubclass(SquareMoves.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException("cannot load the code of " + Squares.class + " again", e);
    }
  }

  private static @Nullable MemorySegment processMemory() {
    try {
      return MethodHandles.classData(
          MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, MemorySegment.class);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MemorySegment memory(MemorySegment given) {
    return PROCESS == null ? given : PROCESS;
  }

  /** The place, which the JIT compiler knows to be an address. */
  private static long place(long given) {
    return PROCESS == null ? given : ProcessMemory.known(given);
  }

  /** The step, of which the JIT compiler knows that it leads from an address to an address. */
  private static long step(long given) {
    return PROCESS == null ? given : given & STEPS;
  }

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

  @Override
  public void turn(
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
    MemorySegment source = memory(from);
    MemorySegment target = memory(to);
    NativeMemory.require(source, target);
    long first = place(fromAt);
    long down = step(fromStep);
    long start = place(toAt);
    long below = step(toStep);
    IntVector a0 = IntVector.fromMemorySegment(SPECIES, source, first, ORDER);
    IntVector a1 = IntVector.fromMemorySegment(SPECIES, source, first + down, ORDER);
    IntVector a2 = IntVector.fromMemorySegment(SPECIES, source, first + 2 * down, ORDER);
    IntVector a3 = IntVector.fromMemorySegment(SPECIES, source, first + 3 * down, ORDER);
    IntVector b0 = low.selectFrom(a0, a2);
    IntVector b1 = high.selectFrom(a0, a2);
    IntVector b2 = low.selectFrom(a1, a3);
    IntVector b3 = high.selectFrom(a1, a3);
    IntVector c0 = low.selectFrom(b0, b2);
    IntVector c1 = high.selectFrom(b0, b2);
    IntVector c2 = low.selectFrom(b1, b3);
    IntVector c3 = high.selectFrom(b1, b3);
    c0.intoMemorySegment(target, start, ORDER);
    c1.intoMemorySegment(target, start + below, ORDER);
    c2.intoMemorySegment(target, start + 2 * below, ORDER);
    c3.intoMemorySegment(target, start + 3 * below, ORDER);
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
    MemorySegment source = memory(from);
    MemorySegment target = memory(to);
    NativeMemory.require(source, target);
    long first = place(fromAt);
    long down = step(fromStep);
    long start = place(toAt);
    long below = step(toStep);
    IntVector a0 = IntVector.fromMemorySegment(SPECIES, source, first, ORDER);
    IntVector a1 = IntVector.fromMemorySegment(SPECIES, source, first + down, ORDER);
    IntVector a2 = IntVector.fromMemorySegment(SPECIES, source, first + 2 * down, ORDER);
    IntVector a3 = IntVector.fromMemorySegment(SPECIES, source, first + 3 * down, ORDER);
    IntVector a4 = IntVector.fromMemorySegment(SPECIES, source, first + 4 * down, ORDER);
    IntVector a5 = IntVector.fromMemorySegment(SPECIES, source, first + 5 * down, ORDER);
    IntVector a6 = IntVector.fromMemorySegment(SPECIES, source, first + 6 * down, ORDER);
    IntVector a7 = IntVector.fromMemorySegment(SPECIES, source, first + 7 * down, ORDER);
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
    d0.intoMemorySegment(target, start, ORDER);
    d1.intoMemorySegment(target, start + below, ORDER);
    d2.intoMemorySegment(target, start + 2 * below, ORDER);
    d3.intoMemorySegment(target, start + 3 * below, ORDER);
    d4.intoMemorySegment(target, start + 4 * below, ORDER);
    d5.intoMemorySegment(target, start + 5 * below, ORDER);
    d6.intoMemorySegment(target, start + 6 * below, ORDER);
    d7.intoMemorySegment(target, start + 7 * below, ORDER);
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
    MemorySegment source = memory(from);
    MemorySegment target = memory(to);
    NativeMemory.require(source, target);
    long first = place(fromAt);
    long down = step(fromStep);
    long start = place(toAt);
    long below = step(toStep);
    IntVector a0 = IntVector.fromMemorySegment(SPECIES, source, first, ORDER);
    IntVector a1 = IntVector.fromMemorySegment(SPECIES, source, first + down, ORDER);
    IntVector a2 = IntVector.fromMemorySegment(SPECIES, source, first + 2 * down, ORDER);
    IntVector a3 = IntVector.fromMemorySegment(SPECIES, source, first + 3 * down, ORDER);
    IntVector a4 = IntVector.fromMemorySegment(SPECIES, source, first + 4 * down, ORDER);
    IntVector a5 = IntVector.fromMemorySegment(SPECIES, source, first + 5 * down, ORDER);
    IntVector a6 = IntVector.fromMemorySegment(SPECIES, source, first + 6 * down, ORDER);
    IntVector a7 = IntVector.fromMemorySegment(SPECIES, source, first + 7 * down, ORDER);
    IntVector a8 = IntVector.fromMemorySegment(SPECIES, source, first + 8 * down, ORDER);
    IntVector a9 = IntVector.fromMemorySegment(SPECIES, source, first + 9 * down, ORDER);
    IntVector a10 = IntVector.fromMemorySegment(SPECIES, source, first + 10 * down, ORDER);
    IntVector a11 = IntVector.fromMemorySegment(SPECIES, source, first + 11 * down, ORDER);
    IntVector a12 = IntVector.fromMemorySegment(SPECIES, source, first + 12 * down, ORDER);
    IntVector a13 = IntVector.fromMemorySegment(SPECIES, source, first + 13 * down, ORDER);
    IntVector a14 = IntVector.fromMemorySegment(SPECIES, source, first + 14 * down, ORDER);
    IntVector a15 = IntVector.fromMemorySegment(SPECIES, source, first + 15 * down, ORDER);
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
    e0.intoMemorySegment(target, start, ORDER);
    e1.intoMemorySegment(target, start + below, ORDER);
    e2.intoMemorySegment(target, start + 2 * below, ORDER);
    e3.intoMemorySegment(target, start + 3 * below, ORDER);
    e4.intoMemorySegment(target, start + 4 * below, ORDER);
    e5.intoMemorySegment(target, start + 5 * below, ORDER);
    e6.intoMemorySegment(target, start + 6 * below, ORDER);
    e7.intoMemorySegment(target, start + 7 * below, ORDER);
    e8.intoMemorySegment(target, start + 8 * below, ORDER);
    e9.intoMemorySegment(target, start + 9 * below, ORDER);
    e10.intoMemorySegment(target, start + 10 * below, ORDER);
    e11.intoMemorySegment(target, start + 11 * below, ORDER);
    e12.intoMemorySegment(target, start + 12 * below, ORDER);
    e13.intoMemorySegment(target, start + 13 * below, ORDER);
    e14.intoMemorySegment(target, start + 14 * below, ORDER);
    e15.intoMemorySegment(target, start + 15 * below, ORDER);
  }
}
