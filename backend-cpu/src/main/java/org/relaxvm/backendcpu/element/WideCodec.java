package org.relaxvm.backendcpu.element;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Floats of up to 32 bits in {@code double[]}, for sums of many elements. */
final class WideCodec extends Codec<double[]> {
  // Elements that are widened or narrowed at once, by vectors.
  private static final int BLOCK = 128;

  private final Codec<float[]> narrow;
  private final boolean exact;

  /**
   * Creates a codec.
   *
   * @param narrow between memory and floats
   * @param exact whether the elements are floats of 32 bits
   */
  WideCodec(Codec<float[]> narrow, boolean exact) {
    this.narrow = narrow;
    this.exact = exact;
  }

  @Override
  public Lanes<double[]> lanes() {
    return DoubleLanes.INSTANCE;
  }

  @Override
  public int bytes() {
    return narrow.bytes();
  }

  @Override
  public void load(MemorySegment memory, long at, long step, double[] into, int from, int to) {
    float[] block = new float[Math.min(BLOCK, to - from)];
    for (int start = from; start < to; start += block.length) {
      int count = Math.min(block.length, to - start);
      narrow.load(memory, at + (start - from) * step, step, block, 0, count);
      widen(block, into, start, count);
    }
  }

  private static void widen(float[] from, double[] to, int start, int count) {
    for (int i = 0; i < count; i++) {
      to[start + i] = from[i];
    }
  }

  @Override
  public void store(double[] values, int from, int to, MemorySegment memory, long at, long step) {
    float[] block = new float[Math.min(BLOCK, to - from)];
    for (int start = from; start < to; start += block.length) {
      int count = Math.min(block.length, to - start);
      if (exact) {
        narrow(values, start, block, count);
      } else {
        narrowToOdd(values, start, block, count);
      }
      narrow.store(block, 0, count, memory, at + (start - from) * step, step);
    }
  }

  private static void narrow(double[] from, int start, float[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) from[start + i];
    }
  }

  /** By way of floats that remember what they dropped, so that only one rounding counts. */
  private static void narrowToOdd(double[] from, int start, float[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Conversions.roundToOdd(from[start + i]);
    }
  }

  @Override
  public void fillLowest(double[] into, int from, int to) {
    Arrays.fill(into, from, to, Double.NEGATIVE_INFINITY);
  }

  @Override
  public void fillHighest(double[] into, int from, int to) {
    Arrays.fill(into, from, to, Double.POSITIVE_INFINITY);
  }
}
