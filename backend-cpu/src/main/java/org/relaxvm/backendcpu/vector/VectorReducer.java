package org.relaxvm.backendcpu.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.FloatReducer;

/**
 * Folds in vector code. Lines are folded in pairs, pairs of pairs and so on, so that rounding
 * errors grow with the logarithm of the length.
 */
abstract class VectorReducer implements FloatReducer {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  static final int LANES = SPECIES.length();
  static final long BYTES = Float.BYTES;
  static final long VECTOR = LANES * BYTES;
  static final int GROUP = 8;
  private static final int ROWS = 4;

  /** Folds numbers, of which there is at least one, one by one. */
  abstract double numbers(float[] x, int count);

  /** {@code to[g]} is the fold of the vectors from {@code 8 g} to {@code 8 g + 7}. */
  abstract void groups(MemorySegment x, long at, int groups, float[] to);

  /** Folds vectors of {@code b} into vectors of {@code a}, until {@code count} is covered. */
  abstract void vectors(float[] a, int aFrom, float[] b, int bFrom, int count);

  /** Folds the vectors of four rows into {@code into}. */
  abstract void fourRows(float[] into, MemorySegment x, long at, long step, int count);

  @Override
  public final double line(MemorySegment x, long at, int count, float[] scratch) {
    int vectors = count / LANES;
    int groups = vectors / GROUP;
    groups(x, at, groups, scratch);
    int grouped = groups * GROUP * LANES;
    int whole = vectors * LANES;
    copy(x, at + grouped * BYTES, scratch, groups * LANES, whole - grouped);
    int left = vectors - groups * (GROUP - 1);
    while (left > 1) {
      int half = left / 2;
      left -= half;
      vectors(scratch, 0, scratch, left * LANES, half * LANES);
    }
    int tail = left * LANES;
    copy(x, at + whole * BYTES, scratch, tail, count - whole);
    return numbers(scratch, tail + count - whole);
  }

  @Override
  public final void rows(
      MemorySegment x, long at, long step, int rows, int count, float[] into, float[] scratch) {
    copy(x, at, into, 0, count);
    int whole = count - count % LANES;
    int row = 1;
    for (; row <= rows - ROWS; row += ROWS) {
      long from = at + row * step;
      fourRows(into, x, from, step, whole);
      for (int i = 0; whole < count && i < ROWS; i++) {
        oneRow(into, whole, x, from + i * step, count, scratch);
      }
    }
    for (; row < rows; row++) {
      oneRow(into, 0, x, at + row * step, count, scratch);
    }
  }

  private void oneRow(
      float[] into, int from, MemorySegment x, long at, int count, float[] scratch) {
    copy(x, at + from * BYTES, scratch, from, count - from);
    vectors(into, from, scratch, from, count - from);
  }

  private static void copy(MemorySegment x, long at, float[] to, int from, int count) {
    if (count > 0) {
      MemorySegment.copy(x, JAVA_FLOAT_UNALIGNED, at, to, from, count);
    }
  }

  static FloatVector load(MemorySegment x, long at) {
    return FloatVector.fromMemorySegment(SPECIES, x, at, ORDER);
  }

  static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(SPECIES, x, at);
  }
}
