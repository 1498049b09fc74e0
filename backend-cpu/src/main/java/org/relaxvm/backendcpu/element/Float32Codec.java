package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** float32 in {@code float[]}. */
final class Float32Codec extends Codec<float[]> {
  private final Lanes<float[]> lanes;

  Float32Codec(Lanes<float[]> lanes) {
    this.lanes = lanes;
  }

  @Override
  public Lanes<float[]> lanes() {
    return lanes;
  }

  @Override
  public @Nullable MemoryLanes memory() {
    return lanes.memory();
  }

  @Override
  public int bytes() {
    return Float.BYTES;
  }

  @Override
  public void load(MemorySegment memory, long at, long step, float[] into, int from, int to) {
    if (step == Float.BYTES) {
      MemorySegment.copy(memory, JAVA_FLOAT_UNALIGNED, at, into, from, to - from);
    } else if (step == 0) {
      Arrays.fill(into, from, to, memory.get(JAVA_FLOAT_UNALIGNED, at));
    } else {
      for (int i = from; i < to; i++) {
        into[i] = memory.get(JAVA_FLOAT_UNALIGNED, at + (i - from) * step);
      }
    }
  }

  @Override
  public void store(float[] values, int from, int to, MemorySegment memory, long at, long step) {
    if (step == Float.BYTES) {
      MemorySegment.copy(values, from, memory, JAVA_FLOAT_UNALIGNED, at, to - from);
    } else {
      for (int i = from; i < to; i++) {
        memory.set(JAVA_FLOAT_UNALIGNED, at + (i - from) * step, values[i]);
      }
    }
  }

  @Override
  public void fillLowest(float[] into, int from, int to) {
    Arrays.fill(into, from, to, Float.NEGATIVE_INFINITY);
  }

  @Override
  public void fillHighest(float[] into, int from, int to) {
    Arrays.fill(into, from, to, Float.POSITIVE_INFINITY);
  }
}
