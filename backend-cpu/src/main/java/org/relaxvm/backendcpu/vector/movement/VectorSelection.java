package org.relaxvm.backendcpu.vector.movement;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static jdk.incubator.vector.VectorOperators.B2S;
import static jdk.incubator.vector.VectorOperators.NE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.kernel.Selection;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Chooses between vectors. The conditions are brought to the width of the elements in an array:
 * there is no vector of bytes that has as few lanes as a short vector of large elements.
 */
public final class VectorSelection implements Selection {
  private static final VectorSpecies<Integer> INTS = Species.INT;
  private static final VectorSpecies<Long> LONGS = INTS.withLanes(long.class);
  private static final VectorSpecies<Short> SHORTS = INTS.withLanes(short.class);
  private static final VectorSpecies<Byte> BYTES = INTS.withLanes(byte.class);
  private static final VectorSpecies<Byte> HALF_BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(INTS.vectorBitSize() / 2));
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /**
   * Creates the selection, where {@link org.relaxvm.backendcpu.vector.VectorChoice} fell on
   * vectors.
   */
  public VectorSelection() {}

  @Override
  public boolean fit(MemorySegment a, MemorySegment b, MemorySegment out) {
    return NativeMemory.holds(a) && NativeMemory.holds(b) && NativeMemory.holds(out);
  }

  @Override
  public Run run(int bytes, int length) {
    return switch (bytes) {
      case 1 -> bytes(length);
      case 2 -> shorts(length);
      case 4 -> ints(length);
      default -> longs(length);
    };
  }

  private static Run bytes(int length) {
    byte[] holds = new byte[length];
    return (condition, at, step, a, aAt, b, bAt, out, outAt, count) -> {
      load(condition, at, step, holds, count);
      int whole = BYTES.loopBound(count);
      choose(holds, a, aAt, b, bAt, out, outAt, whole);
      return whole;
    };
  }

  private static Run shorts(int length) {
    byte[] holds = new byte[length];
    return (condition, at, step, a, aAt, b, bAt, out, outAt, count) -> {
      load(condition, at, step, holds, count);
      int whole = SHORTS.loopBound(count);
      choosePairs(holds, a, aAt, b, bAt, out, outAt, whole);
      return whole;
    };
  }

  private static Run ints(int length) {
    int[] holds = new int[length];
    Codec<int[]> bytes = Codecs.ints(DType.INT8);
    return (condition, at, step, a, aAt, b, bAt, out, outAt, count) -> {
      bytes.load(condition, at, step, holds, 0, count);
      int whole = INTS.loopBound(count);
      choose(holds, a, aAt, b, bAt, out, outAt, whole);
      return whole;
    };
  }

  private static Run longs(int length) {
    long[] holds = new long[length];
    Codec<long[]> bytes = Codecs.integer(DType.INT8);
    return (condition, at, step, a, aAt, b, bAt, out, outAt, count) -> {
      bytes.load(condition, at, step, holds, 0, count);
      int whole = LONGS.loopBound(count);
      choose(holds, a, aAt, b, bAt, out, outAt, whole);
      return whole;
    };
  }

  private static void load(MemorySegment memory, long at, long step, byte[] into, int count) {
    if (step == 1) {
      MemorySegment.copy(memory, JAVA_BYTE, at, into, 0, count);
    } else {
      for (int i = 0; i < count; i++) {
        into[i] = memory.get(JAVA_BYTE, at + i * step);
      }
    }
  }

  private static void choose(
      byte[] holds,
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int whole) {
    NativeMemory.require(a, b, out);
    for (int i = 0; i < whole; i += BYTES.length()) {
      ByteVector x = ByteVector.fromMemorySegment(BYTES, a, aAt + i, ORDER);
      ByteVector y = ByteVector.fromMemorySegment(BYTES, b, bAt + i, ORDER);
      y.blend(x, ByteVector.fromArray(BYTES, holds, i).compare(NE, 0))
          .intoMemorySegment(out, outAt + i, ORDER);
    }
  }

  private static void choosePairs(
      byte[] holds,
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int whole) {
    NativeMemory.require(a, b, out);
    for (int i = 0; i < whole; i += SHORTS.length()) {
      ShortVector x = ShortVector.fromMemorySegment(SHORTS, a, aAt + 2L * i, ORDER);
      ShortVector y = ShortVector.fromMemorySegment(SHORTS, b, bAt + 2L * i, ORDER);
      y.blend(
              x,
              ByteVector.fromArray(HALF_BYTES, holds, i)
                  .convertShape(B2S, SHORTS, 0)
                  .compare(NE, 0))
          .intoMemorySegment(out, outAt + 2L * i, ORDER);
    }
  }

  private static void choose(
      int[] holds,
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int whole) {
    NativeMemory.require(a, b, out);
    for (int i = 0; i < whole; i += INTS.length()) {
      IntVector x = IntVector.fromMemorySegment(INTS, a, aAt + 4L * i, ORDER);
      IntVector y = IntVector.fromMemorySegment(INTS, b, bAt + 4L * i, ORDER);
      y.blend(x, IntVector.fromArray(INTS, holds, i).compare(NE, 0))
          .intoMemorySegment(out, outAt + 4L * i, ORDER);
    }
  }

  private static void choose(
      long[] holds,
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int whole) {
    NativeMemory.require(a, b, out);
    for (int i = 0; i < whole; i += LONGS.length()) {
      LongVector x = LongVector.fromMemorySegment(LONGS, a, aAt + 8L * i, ORDER);
      LongVector y = LongVector.fromMemorySegment(LONGS, b, bAt + 8L * i, ORDER);
      y.blend(x, LongVector.fromArray(LONGS, holds, i).compare(NE, 0))
          .intoMemorySegment(out, outAt + 8L * i, ORDER);
    }
  }
}
