package org.relaxvm.backendcpu.ordering;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;

/**
 * Reads elements as longs that are in the same order, or in the opposite one: equal for equal
 * elements. One thread's; it has a buffer.
 */
final class Keys {
  private static final int RUN = 1024;

  private final Codec<long[]> integers;
  private final Codec<double[]> floats;
  private final boolean isFloat;
  private final double[] buffer;
  private final boolean unsigned;
  private final boolean descending;
  private final long nan;

  /**
   * A reader.
   *
   * @param descending whether the largest element has the smallest key
   * @param nanFirst whether NaN has the smallest key of all, else the largest
   */
  Keys(DType dtype, boolean descending, boolean nanFirst) {
    this.isFloat = dtype.isFloat();
    this.floats = Codecs.wideFloat(isFloat ? dtype : DType.FLOAT64);
    this.integers = Codecs.integer(isFloat ? DType.INT64 : dtype);
    this.buffer = new double[isFloat ? RUN : 0];
    this.unsigned = dtype.code() == TypeCode.UINT && dtype.bits() == Long.SIZE;
    this.descending = descending;
    this.nan = nanFirst ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /** Reads elements that lie {@code step} bytes apart into keys from {@code from} on. */
  void read(MemorySegment memory, long at, long step, long[] keys, int from, int to) {
    if (!isFloat) {
      integers.load(memory, at, step, keys, from, to);
      long flip = (unsigned ? Long.MIN_VALUE : 0) ^ (descending ? -1 : 0);
      for (int i = from; i < to; i++) {
        keys[i] ^= flip;
      }
      return;
    }
    for (int first = from; first < to; first += RUN) {
      int count = Math.min(RUN, to - first);
      floats.load(memory, at + (first - from) * step, step, buffer, 0, count);
      for (int i = 0; i < count; i++) {
        keys[first + i] = key(buffer[i]);
      }
    }
  }

  private long key(double value) {
    if (Double.isNaN(value)) {
      return nan;
    }
    // Adding 0 makes -0 a 0. Negative numbers have their bits in the opposite order.
    long bits = Double.doubleToRawLongBits(value + 0.0);
    long key = bits ^ (bits >> 63 & Long.MAX_VALUE);
    return descending ? ~key : key;
  }
}
