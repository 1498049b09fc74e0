package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** float64 in {@code double[]}. */
final class Float64Codec extends Codec<double[]> {
  private final Lanes<double[]> lanes;

  Float64Codec(Lanes<double[]> lanes) {
    this.lanes = lanes;
  }

  @Override
  public Lanes<double[]> lanes() {
    return lanes;
  }

  @Override
  public int bytes() {
    return Double.BYTES;
  }

  @Override
  public void load(MemorySegment memory, long at, long step, double[] into, int from, int to) {
    if (step == Double.BYTES) {
      MemorySegment.copy(memory, JAVA_DOUBLE_UNALIGNED, at, into, from, to - from);
    } else if (step == 0) {
      Arrays.fill(into, from, to, memory.get(JAVA_DOUBLE_UNALIGNED, at));
    } else {
      for (int i = from; i < to; i++) {
        into[i] = memory.get(JAVA_DOUBLE_UNALIGNED, at + (i - from) * step);
      }
    }
  }

  @Override
  public void store(double[] values, int from, int to, MemorySegment memory, long at, long step) {
    if (step == Double.BYTES) {
      MemorySegment.copy(values, from, memory, JAVA_DOUBLE_UNALIGNED, at, to - from);
    } else {
      for (int i = from; i < to; i++) {
        memory.set(JAVA_DOUBLE_UNALIGNED, at + (i - from) * step, values[i]);
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
