package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;

/**
 * Integers that fit 32 bits with their sign, and booleans as 0 and 1, in {@code int[]}: vectors
 * hold twice as many of them as of {@code long}.
 */
final class IntCodec extends Codec<int[]> {
  // Elements that are widened or narrowed at once.
  private static final int BLOCK = 128;

  /**
   * Beyond the bits that count. The JIT compiler makes vector code of a conversion between int and
   * smaller integers only where it sees one, which is by way of a long that it cannot leave out.
   */
  private static final long BEYOND = 1L << 40;

  private final int bytes;
  private final boolean signed;
  private final boolean truth;
  private final int mask;
  private final Lanes<int[]> lanes;

  private IntCodec(int bytes, boolean signed, boolean truth, Lanes<int[]> lanes) {
    this.lanes = lanes;
    this.bytes = bytes;
    this.signed = signed;
    this.truth = truth;
    this.mask = signed ? -1 : -1 >>> (Integer.SIZE - 8 * bytes);
  }

  /** Whether the elements of a dtype fit. */
  static boolean holds(DType dtype) {
    return switch (dtype.code()) {
      case INT -> dtype.bits() <= Integer.SIZE;
      case UINT -> dtype.bits() < Integer.SIZE;
      case BOOL -> true;
      default -> false;
    };
  }

  static IntCodec of(DType dtype, Lanes<int[]> lanes) {
    boolean truth = dtype.code() == TypeCode.BOOL;
    return new IntCodec(dtype.elementByteSize(), dtype.code() == TypeCode.INT, truth, lanes);
  }

  /** The bits of any elements of up to 32 bits. */
  static IntCodec ofBits(int bytes) {
    return new IntCodec(bytes, true, false, IntLanes.INSTANCE);
  }

  /** The smallest value. */
  int lowest() {
    return signed ? -1 << (8 * bytes - 1) : 0;
  }

  /** The largest value. */
  int highest() {
    return truth ? 1 : signed ? ~lowest() : mask;
  }

  /** Whether the elements are booleans. */
  boolean isTruth() {
    return truth;
  }

  @Override
  public Lanes<int[]> lanes() {
    return lanes;
  }

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public void load(MemorySegment memory, long at, long step, int[] into, int from, int to) {
    if (step == bytes) {
      loadCompact(memory, at, into, from, to);
    } else if (step == 0) {
      Arrays.fill(into, from, to, one(memory, at) & mask);
    } else {
      for (int i = from; i < to; i++) {
        into[i] = one(memory, at + (i - from) * step) & mask;
      }
    }
    if (truth) {
      for (int i = from; i < to; i++) {
        into[i] = (into[i] | -into[i]) >>> (Integer.SIZE - 1);
      }
    } else if (step == bytes && mask != -1) {
      for (int i = from; i < to; i++) {
        into[i] &= mask;
      }
    }
  }

  private int one(MemorySegment memory, long at) {
    return switch (bytes) {
      case 1 -> memory.get(JAVA_BYTE, at);
      case 2 -> memory.get(JAVA_SHORT_UNALIGNED, at);
      default -> memory.get(JAVA_INT_UNALIGNED, at);
    };
  }

  /** Reads with sign. */
  private void loadCompact(MemorySegment memory, long at, int[] into, int from, int to) {
    if (bytes == Integer.BYTES) {
      MemorySegment.copy(memory, JAVA_INT_UNALIGNED, at, into, from, to - from);
      return;
    }
    int most = Math.min(BLOCK, to - from);
    byte[] block1 = new byte[bytes == 1 ? most : 0];
    short[] block2 = new short[bytes == 1 ? 0 : most];
    for (int start = from; start < to; start += BLOCK) {
      int count = Math.min(BLOCK, to - start);
      long place = at + (long) (start - from) * bytes;
      if (bytes == 1) {
        MemorySegment.copy(memory, JAVA_BYTE, place, block1, 0, count);
        widen(block1, into, start, count);
      } else {
        MemorySegment.copy(memory, JAVA_SHORT_UNALIGNED, place, block2, 0, count);
        widen(block2, into, start, count);
      }
    }
  }

  private static void widen(byte[] from, int[] to, int start, int count) {
    for (int i = 0; i < count; i++) {
      to[start + i] = (int) (from[i] ^ BEYOND);
    }
  }

  private static void widen(short[] from, int[] to, int start, int count) {
    for (int i = 0; i < count; i++) {
      to[start + i] = (int) (from[i] ^ BEYOND);
    }
  }

  @Override
  public void store(int[] values, int from, int to, MemorySegment memory, long at, long step) {
    if (step == bytes) {
      storeCompact(values, from, to, memory, at);
      return;
    }
    for (int i = from; i < to; i++) {
      long place = at + (i - from) * step;
      switch (bytes) {
        case 1 -> memory.set(JAVA_BYTE, place, (byte) values[i]);
        case 2 -> memory.set(JAVA_SHORT_UNALIGNED, place, (short) values[i]);
        default -> memory.set(JAVA_INT_UNALIGNED, place, values[i]);
      }
    }
  }

  private void storeCompact(int[] values, int from, int to, MemorySegment memory, long at) {
    if (bytes == Integer.BYTES) {
      MemorySegment.copy(values, from, memory, JAVA_INT_UNALIGNED, at, to - from);
      return;
    }
    int most = Math.min(BLOCK, to - from);
    byte[] block1 = new byte[bytes == 1 ? most : 0];
    short[] block2 = new short[bytes == 1 ? 0 : most];
    for (int start = from; start < to; start += BLOCK) {
      int count = Math.min(BLOCK, to - start);
      long place = at + (long) (start - from) * bytes;
      if (bytes == 1) {
        narrow(values, start, block1, count);
        MemorySegment.copy(block1, 0, memory, JAVA_BYTE, place, count);
      } else {
        narrow(values, start, block2, count);
        MemorySegment.copy(block2, 0, memory, JAVA_SHORT_UNALIGNED, place, count);
      }
    }
  }

  private static void narrow(int[] from, int start, byte[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (byte) (from[start + i] ^ BEYOND);
    }
  }

  /** The low bits of integers. */
  static void narrow(int[] from, int start, short[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (short) (from[start + i] ^ BEYOND);
    }
  }

  @Override
  public void wrap(int[] values, int count) {
    int drop = Integer.SIZE - 8 * bytes;
    for (int i = 0; i < count; i++) {
      values[i] = signed ? values[i] << drop >> drop : values[i] & mask;
    }
  }

  @Override
  public void fillLowest(int[] into, int from, int to) {
    Arrays.fill(into, from, to, lowest());
  }

  @Override
  public void fillHighest(int[] into, int from, int to) {
    Arrays.fill(into, from, to, highest());
  }
}
