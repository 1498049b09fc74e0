package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Floats of up to 32 bits in {@code double[]}, for sums of many elements. */
final class WideCodec extends Codec<double[]> {
  private final Format format;

  enum Format {
    FLOAT32,
    FLOAT16,
    BFLOAT16
  }

  WideCodec(Format format) {
    this.format = format;
  }

  @Override
  public Lanes<double[]> lanes() {
    return DoubleLanes.INSTANCE;
  }

  @Override
  public int bytes() {
    return format == Format.FLOAT32 ? Float.BYTES : Short.BYTES;
  }

  @Override
  public void load(MemorySegment memory, long at, long step, double[] into, int from, int to) {
    switch (format) {
      case FLOAT32 -> {
        for (int i = from; i < to; i++) {
          into[i] = memory.get(JAVA_FLOAT_UNALIGNED, at + (i - from) * step);
        }
      }
      case FLOAT16 -> {
        for (int i = from; i < to; i++) {
          into[i] = Float.float16ToFloat(memory.get(JAVA_SHORT_UNALIGNED, at + (i - from) * step));
        }
      }
      case BFLOAT16 -> {
        for (int i = from; i < to; i++) {
          into[i] = HalfCodec.fromBrain(memory.get(JAVA_SHORT_UNALIGNED, at + (i - from) * step));
        }
      }
    }
  }

  @Override
  public void store(double[] values, int from, int to, MemorySegment memory, long at, long step) {
    for (int i = from; i < to; i++) {
      long place = at + (i - from) * step;
      double value = values[i];
      switch (format) {
        case FLOAT32 -> memory.set(JAVA_FLOAT_UNALIGNED, place, (float) value);
        // By way of a float that remembers what it dropped, so that only one rounding counts.
        case FLOAT16 ->
            memory.set(
                JAVA_SHORT_UNALIGNED, place, Float.floatToFloat16(Conversions.roundToOdd(value)));
        case BFLOAT16 ->
            memory.set(
                JAVA_SHORT_UNALIGNED, place, HalfCodec.toBrain(Conversions.roundToOdd(value)));
      }
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
