package org.relaxvm.backendcpu.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.IS_FINITE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Passes down the columns of panels: matrices with rows of six vectors. */
final class Panels {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int STRIP = 2 * LANES;
  private static final long VECTOR = SPECIES.vectorByteSize();
  static final int COLUMNS = 6 * LANES;

  /**
   * From one key to the next, a constant: tiles of keys then need one index. No power of two, which
   * would put all keys into a part of the first cache.
   */
  static final int KEY_STEP = 80;

  private Panels() {}

  /** Loads rows of neighbouring elements. */
  static void load(
      MemorySegment memory,
      long from,
      long next,
      int rows,
      int columns,
      float[] to,
      int at,
      int step) {
    int j = 0;
    // Down the rows, of which there are more than vectors in one of them.
    for (; j <= columns - STRIP; j += STRIP) {
      loadStrip(memory, from + j * (long) Float.BYTES, next, rows, to, at + j, step);
    }
    if (j <= columns - LANES) {
      loadVectors(memory, from + j * (long) Float.BYTES, next, rows, to, at + j, step);
      j += LANES;
    }
    for (int i = 0; i < rows && j < columns; i++) {
      for (int k = j; k < columns; k++) {
        to[at + i * step + k] =
            memory.get(JAVA_FLOAT_UNALIGNED, from + i * next + k * (long) Float.BYTES);
      }
    }
  }

  private static void loadStrip(
      MemorySegment memory, long from, long next, int rows, float[] to, int at, int step) {
    for (int i = 0; i < rows; i++) {
      long place = from + i * next;
      FloatVector a = FloatVector.fromMemorySegment(SPECIES, memory, place, ORDER);
      FloatVector b = FloatVector.fromMemorySegment(SPECIES, memory, place + VECTOR, ORDER);
      a.intoArray(to, at + i * step);
      b.intoArray(to, at + i * step + LANES);
    }
  }

  private static void loadVectors(
      MemorySegment memory, long from, long next, int rows, float[] to, int at, int step) {
    for (int i = 0; i < rows; i++) {
      FloatVector.fromMemorySegment(SPECIES, memory, from + i * next, ORDER)
          .intoArray(to, at + i * step);
    }
  }

  /** Makes lines columns of rows of two vectors, times a factor: whole squares in registers. */
  static void transpose(float[] lines, int count, int length, float factor, float[] to, int at) {
    int whole = length - length % LANES;
    scale(lines, count * length, factor);
    Turn.turn(lines, length, count, whole, to, at, STRIP);
    for (int i = 0; i < count && whole < length; i++) {
      for (int p = whole; p < length; p++) {
        to[at + i + p * STRIP] = lines[i * length + p];
      }
    }
  }

  private static void scale(float[] x, int count, float factor) {
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      FloatVector.fromArray(SPECIES, x, i).mul(factor).intoArray(x, i);
    }
    for (; i < count; i++) {
      x[i] *= factor;
    }
  }

  /** Whether all elements of some pairs of vectors are numbers and not infinite. */
  static boolean finite(float[] x, int from, int to) {
    FloatVector nothing0 = Species.of(0f);
    FloatVector nothing1 = Species.of(0f);
    for (int i = from; i < to; i += 2 * LANES) {
      // NaN from an element that is not finite on.
      nothing0 = FloatVector.fromArray(SPECIES, x, i).fma(Species.of(0f), nothing0);
      nothing1 = FloatVector.fromArray(SPECIES, x, i + LANES).fma(Species.of(0f), nothing1);
    }
    return nothing0.add(nothing1).test(IS_FINITE).allTrue();
  }

  /** Raises {@code largest} to the largest number of each column; NaN are passed over. */
  static void largest(float[] panel, int rows, int columns, float[] largest) {
    for (int from = 0; from < columns; from += 2 * LANES) {
      largestOfTwo(panel, from, rows * COLUMNS, largest);
    }
  }

  private static void largestOfTwo(float[] panel, int from, int to, float[] largest) {
    FloatVector max0 = FloatVector.fromArray(SPECIES, largest, from);
    FloatVector max1 = FloatVector.fromArray(SPECIES, largest, from + LANES);
    FloatVector odd0 = max0;
    FloatVector odd1 = max1;
    int i = from;
    for (; i < to - COLUMNS; i += 2 * COLUMNS) {
      max0 = larger(max0, FloatVector.fromArray(SPECIES, panel, i));
      max1 = larger(max1, FloatVector.fromArray(SPECIES, panel, i + LANES));
      odd0 = larger(odd0, FloatVector.fromArray(SPECIES, panel, i + COLUMNS));
      odd1 = larger(odd1, FloatVector.fromArray(SPECIES, panel, i + COLUMNS + LANES));
    }
    if (i < to) {
      max0 = larger(max0, FloatVector.fromArray(SPECIES, panel, i));
      max1 = larger(max1, FloatVector.fromArray(SPECIES, panel, i + LANES));
    }
    larger(max0, odd0).intoArray(largest, from);
    larger(max1, odd1).intoArray(largest, from + LANES);
  }

  private static FloatVector larger(FloatVector max, FloatVector x) {
    return max.blend(x, x.compare(GT, max));
  }

  /** Adds the first rows of another panel. */
  static void add(float[] panel, float[] other, int rows) {
    for (int i = 0; i < rows * COLUMNS; i += LANES) {
      FloatVector.fromArray(SPECIES, panel, i)
          .add(FloatVector.fromArray(SPECIES, other, i))
          .intoArray(panel, i);
    }
  }

  /** Whether one of the first numbers is more than {@code slack} above the one at its index. */
  static boolean exceed(float[] x, float[] y, float slack, int count) {
    for (int i = 0; i < count; i += LANES) {
      FloatVector less = FloatVector.fromArray(SPECIES, x, i).sub(slack);
      if (less.compare(GT, FloatVector.fromArray(SPECIES, y, i)).anyTrue()) {
        return true;
      }
    }
    return false;
  }

  /** Writes rows of neighbouring elements, divided by one number each; overwrites these. */
  static void store(
      float[] x,
      int step,
      float[] divisors,
      int rows,
      int columns,
      MemorySegment memory,
      long to,
      long next) {
    for (int i = 0; i < rows; i++) {
      divisors[i] = 1 / divisors[i];
    }
    int j = 0;
    for (; j <= columns - STRIP; j += STRIP) {
      storeStrip(x, j, step, divisors, rows, memory, to + j * (long) Float.BYTES, next);
    }
    if (j <= columns - LANES) {
      storeVectors(x, j, step, divisors, rows, memory, to + j * (long) Float.BYTES, next);
      j += LANES;
    }
    for (int i = 0; i < rows && j < columns; i++) {
      for (int k = j; k < columns; k++) {
        long place = to + i * next + k * (long) Float.BYTES;
        memory.set(JAVA_FLOAT_UNALIGNED, place, x[i * step + k] * divisors[i]);
      }
    }
  }

  private static void storeStrip(
      float[] x,
      int at,
      int step,
      float[] factors,
      int rows,
      MemorySegment memory,
      long to,
      long next) {
    NativeMemory.require(memory.isNative());
    for (int i = 0; i < rows; i++) {
      long place = to + i * next;
      FloatVector factor = Species.of(factors[i]);
      FloatVector a = FloatVector.fromArray(SPECIES, x, at + i * step).mul(factor);
      FloatVector b = FloatVector.fromArray(SPECIES, x, at + i * step + LANES).mul(factor);
      a.intoMemorySegment(memory, place, ORDER);
      b.intoMemorySegment(memory, place + VECTOR, ORDER);
    }
  }

  private static void storeVectors(
      float[] x,
      int at,
      int step,
      float[] factors,
      int rows,
      MemorySegment memory,
      long to,
      long next) {
    NativeMemory.require(memory.isNative());
    for (int i = 0; i < rows; i++) {
      FloatVector.fromArray(SPECIES, x, at + i * step)
          .mul(Species.of(factors[i]))
          .intoMemorySegment(memory, to + i * next, ORDER);
    }
  }

  /** Replaces elements by {@code exp(x - shift)}, and adds those of each column to its sum. */
  static void exponentials(float[] panel, int rows, int columns, float[] shift, float[] sums) {
    for (int from = 0; from < columns; from += LANES) {
      exponentialsOfOne(panel, from, rows * COLUMNS, shift, sums);
    }
  }

  private static void exponentialsOfOne(
      float[] panel, int from, int to, float[] shift, float[] sums) {
    FloatVector largest = FloatVector.fromArray(SPECIES, shift, from);
    FloatVector sum = FloatVector.fromArray(SPECIES, sums, from);
    for (int i = from; i < to; i += COLUMNS) {
      FloatVector y = Weights.of(FloatVector.fromArray(SPECIES, panel, i).sub(largest));
      y.intoArray(panel, i);
      sum = sum.add(y);
    }
    sum.intoArray(sums, from);
  }
}
