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
  static final int COLUMNS = 6 * LANES;

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
    int whole = columns - columns % LANES;
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < whole; j += LANES) {
        FloatVector.fromMemorySegment(SPECIES, memory, from + j * (long) Float.BYTES, ORDER)
            .intoArray(to, at + j);
      }
      for (int j = whole; j < columns; j++) {
        to[at + j] = memory.get(JAVA_FLOAT_UNALIGNED, from + j * (long) Float.BYTES);
      }
      from += next;
      at += step;
    }
  }

  /** Makes lines columns of rows of two vectors, times a factor: four at once, in plain code. */
  static void transpose(float[] lines, int count, int length, float factor, float[] to, int at) {
    int i = 0;
    for (; i <= count - 4; i += 4) {
      int line0 = i * length;
      int line1 = line0 + length;
      int line2 = line1 + length;
      int line3 = line2 + length;
      int column = at + i;
      for (int p = 0; p < length; p++) {
        to[column + p * STRIP] = lines[line0 + p] * factor;
        to[column + p * STRIP + 1] = lines[line1 + p] * factor;
        to[column + p * STRIP + 2] = lines[line2 + p] * factor;
        to[column + p * STRIP + 3] = lines[line3 + p] * factor;
      }
    }
    for (; i < count; i++) {
      for (int p = 0; p < length; p++) {
        to[at + i + p * STRIP] = lines[i * length + p] * factor;
      }
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

  /** Whether one of the first numbers is more than {@code slack} above the one at its place. */
  static boolean exceed(float[] x, float[] y, float slack, int count) {
    for (int i = 0; i < count; i += LANES) {
      FloatVector less = FloatVector.fromArray(SPECIES, x, i).sub(slack);
      if (less.compare(GT, FloatVector.fromArray(SPECIES, y, i)).anyTrue()) {
        return true;
      }
    }
    return false;
  }

  /** Writes rows of neighbouring elements, divided by one number each. */
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
      storeRow(x, i * step, 1 / divisors[i], columns, memory, to + i * next);
    }
  }

  private static void storeRow(
      float[] x, int at, float factor, int columns, MemorySegment memory, long to) {
    int whole = columns - columns % LANES;
    NativeMemory.require(memory.isNative());
    for (int j = 0; j < whole; j += LANES) {
      FloatVector.fromArray(SPECIES, x, at + j)
          .mul(factor)
          .intoMemorySegment(memory, to + j * (long) Float.BYTES, ORDER);
    }
    for (int j = whole; j < columns; j++) {
      memory.set(JAVA_FLOAT_UNALIGNED, to + j * (long) Float.BYTES, x[at + j] * factor);
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
