package org.relaxvm.backendcpu.ordering;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.FloatLanes;

/**
 * Reads elements as longs that are in the same order, or in the opposite one: equal for equal
 * elements. One thread's; it has a buffer.
 */
final class Keys {
  private static final int RUN = 1024;

  private final Codec<long[]> integers;
  private final Codec<double[]> wide;
  private final Codec<float[]> narrow;
  private final boolean isFloat;
  private final boolean isWide;
  private final double[] wideBuffer;
  private final float[] narrowBuffer;
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
    this.isWide = isFloat && dtype.bits() == Double.SIZE;
    this.wide = Codecs.wideFloat(DType.FLOAT64);
    this.narrow = Codecs.narrowFloat(isFloat && !isWide ? dtype : DType.FLOAT32, new FloatLanes());
    this.integers = Codecs.integer(isFloat ? DType.INT64 : dtype);
    this.wideBuffer = new double[isWide ? RUN : 0];
    this.narrowBuffer = new float[isFloat && !isWide ? RUN : 0];
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
      long place = at + (first - from) * step;
      if (isWide) {
        wide.load(memory, place, step, wideBuffer, 0, count);
        wideKeys(keys, first, count);
      } else {
        narrow.load(memory, place, step, narrowBuffer, 0, count);
        narrowKeys(keys, first, count);
      }
    }
  }

  // Adding 0 makes -0 a 0. Negative numbers have their bits in the opposite order.

  private void wideKeys(long[] keys, int first, int count) {
    long flip = descending ? -1 : 0;
    for (int i = 0; i < count; i++) {
      double value = wideBuffer[i];
      long bits = Double.doubleToRawLongBits(value + 0.0);
      long key = bits ^ (bits >> 63 & Long.MAX_VALUE) ^ flip;
      keys[first + i] = Double.isNaN(value) ? nan : key;
    }
  }

  private void narrowKeys(long[] keys, int first, int count) {
    int flip = descending ? -1 : 0;
    for (int i = 0; i < count; i++) {
      float value = narrowBuffer[i];
      int bits = Float.floatToRawIntBits(value + 0.0f);
      int key = bits ^ (bits >> 31 & Integer.MAX_VALUE) ^ flip;
      keys[first + i] = Float.isNaN(value) ? nan : key;
    }
  }
}
