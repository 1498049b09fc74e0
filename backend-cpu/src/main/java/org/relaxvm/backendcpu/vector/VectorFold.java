package org.relaxvm.backendcpu.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.kernel.PoolKernels;

/** Folds rows of images in vector code: neighbours, and every second element. */
public final class VectorFold implements PoolKernels.FloatFold {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final long BYTES = SPECIES.vectorByteSize();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorShuffle<Float> EVEN = VectorShuffle.makeUnzip(SPECIES, 0);

  /** Creates the folds, where {@link VectorChoice} fell on vectors. */
  public VectorFold() {}

  @Override
  public void fold(
      BinaryOp op, MemorySegment memory, long at, long step, float[] into, int from, int to) {
    boolean max = op == BinaryOp.MAXIMUM;
    if (step == Float.BYTES) {
      neighbours(max, memory, at, into, from, to);
    } else if (step == 2 * Float.BYTES) {
      everySecond(max, memory, at, into, from, to);
    } else {
      oneByOne(max, memory, at, step, into, from, to);
    }
  }

  private static void neighbours(
      boolean max, MemorySegment memory, long at, float[] into, int from, int to) {
    int i = from;
    for (; i <= to - LANES; i += LANES) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER);
      FloatVector sum = FloatVector.fromArray(SPECIES, into, i);
      (max ? sum.max(x) : sum.add(x)).intoArray(into, i);
      at += BYTES;
    }
    if (i < to) {
      VectorMask<Float> mask = SPECIES.indexInRange(i, to);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER, mask);
      FloatVector sum = FloatVector.fromArray(SPECIES, into, i, mask);
      (max ? sum.max(x) : sum.add(x)).intoArray(into, i, mask);
    }
  }

  private static void everySecond(
      boolean max, MemorySegment memory, long at, float[] into, int from, int to) {
    int i = from;
    // The element behind the last one that is needed may be outside of the memory.
    for (; i < to - LANES; i += LANES) {
      FloatVector low = FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER);
      FloatVector high = FloatVector.fromMemorySegment(SPECIES, memory, at + BYTES, ORDER);
      FloatVector x = low.rearrange(EVEN, high);
      FloatVector sum = FloatVector.fromArray(SPECIES, into, i);
      (max ? sum.max(x) : sum.add(x)).intoArray(into, i);
      at += 2 * BYTES;
    }
    lastOfEverySecond(max, memory, at, into, i, to);
  }

  private static void lastOfEverySecond(
      boolean max, MemorySegment memory, long at, float[] into, int from, int to) {
    long needed = 2L * (to - from) - 1;
    VectorMask<Float> mask = SPECIES.indexInRange(from, to);
    FloatVector low =
        FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER, SPECIES.indexInRange(0, needed));
    FloatVector high =
        FloatVector.fromMemorySegment(
            SPECIES, memory, at + BYTES, ORDER, SPECIES.indexInRange(LANES, needed));
    FloatVector x = low.rearrange(EVEN, high);
    FloatVector sum = FloatVector.fromArray(SPECIES, into, from, mask);
    (max ? sum.max(x) : sum.add(x)).intoArray(into, from, mask);
  }

  private static void oneByOne(
      boolean max, MemorySegment memory, long at, long step, float[] into, int from, int to) {
    for (int i = from; i < to; i++) {
      float x = memory.get(JAVA_FLOAT_UNALIGNED, at);
      into[i] = max ? Math.max(into[i], x) : into[i] + x;
      at += step;
    }
  }
}
