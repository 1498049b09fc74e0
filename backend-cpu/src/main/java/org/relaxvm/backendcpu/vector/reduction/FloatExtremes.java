package org.relaxvm.backendcpu.vector.reduction;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static jdk.incubator.vector.VectorOperators.ADD;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.MAX;
import static jdk.incubator.vector.VectorOperators.NE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.reduction.Reducer;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Maxima, or minima as maxima with the other sign. A comparison passes over NaN but takes a third
 * of the time of the Vector API's {@code max}; whether there was a NaN shows in a sum, which may be
 * NaN for infinities too and is only then looked at closer.
 */
public final class FloatExtremes implements Reducer<double[]> {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int LANES = SPECIES.length();
  private static final long BYTES = Float.BYTES;
  private static final long VECTOR = SPECIES.vectorByteSize();
  private static final int BLOCK = 4 * LANES;
  private static final int GROUP = 4;

  private final float sign;
  private final float[] row = new float[LONGEST_ROW];
  private final float[] end = new float[LANES];

  private FloatExtremes(float sign) {
    this.sign = sign;
  }

  /** Maxima, for one thread. */
  public static FloatExtremes largest() {
    return new FloatExtremes(1);
  }

  /** Minima, for one thread. */
  public static FloatExtremes smallest() {
    return new FloatExtremes(-1);
  }

  @Override
  public void lines(MemorySegment x, long at, long step, int lines, int count, double[] results) {
    if (count < LANES) {
      shortLines(x, at, step, BYTES, lines, count, sign, results);
      return;
    }
    for (int i = 0; i < lines; i++) {
      results[i] = sign * line(x, at + i * step, count, sign);
    }
  }

  private static void shortLines(
      MemorySegment x,
      long at,
      long step,
      long along,
      int lines,
      int count,
      float sign,
      double[] results) {
    for (int i = 0; i < lines; i++) {
      float most = Float.NEGATIVE_INFINITY;
      for (int j = 0; j < count; j++) {
        most = Math.max(most, sign * x.get(JAVA_FLOAT_UNALIGNED, at + i * step + j * along));
      }
      results[i] = sign * most;
    }
  }

  private static float line(MemorySegment x, long at, int count, float sign) {
    FloatVector signs = FloatVector.broadcast(SPECIES, sign);
    FloatVector most0 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector most1 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector most2 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector most3 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector sum = FloatVector.broadcast(SPECIES, 0);
    int i = 0;
    for (; i <= count - BLOCK; i += BLOCK) {
      long from = at + i * BYTES;
      FloatVector x0 = load(x, from).mul(signs);
      FloatVector x1 = load(x, from + VECTOR).mul(signs);
      FloatVector x2 = load(x, from + 2 * VECTOR).mul(signs);
      FloatVector x3 = load(x, from + 3 * VECTOR).mul(signs);
      most0 = larger(most0, x0);
      most1 = larger(most1, x1);
      most2 = larger(most2, x2);
      most3 = larger(most3, x3);
      sum = sum.add(x0.add(x1).add(x2.add(x3)));
    }
    for (; i <= count - LANES; i += LANES) {
      FloatVector x0 = load(x, at + i * BYTES).mul(signs);
      most0 = larger(most0, x0);
      sum = sum.add(x0);
    }
    // Over some elements twice, which does no harm.
    FloatVector last = load(x, at + (count - LANES) * BYTES).mul(signs);
    most1 = larger(most1, last);
    sum = sum.add(last);
    float most = larger(larger(most0, most1), larger(most2, most3)).reduceLanes(MAX);
    return Float.isNaN(sum.reduceLanes(ADD)) && hasNan(x, at, count) ? Float.NaN : most;
  }

  private static boolean hasNan(MemorySegment x, long at, int count) {
    for (int i = 0; i <= count - LANES; i += LANES) {
      FloatVector x0 = load(x, at + i * BYTES);
      if (x0.compare(NE, x0).anyTrue()) {
        return true;
      }
    }
    FloatVector last = load(x, at + (count - LANES) * BYTES);
    return last.compare(NE, last).anyTrue();
  }

  private static FloatVector larger(FloatVector most, FloatVector x) {
    return most.blend(x, x.compare(GT, most));
  }

  @Override
  public void rows(MemorySegment x, long at, long step, int rows, int count, double[] results) {
    int whole = count - count % LANES;
    if (whole == 0) {
      shortLines(x, at, BYTES, step, count, rows, sign, results);
      return;
    }
    fold(x, at, step, rows, whole, sign, row);
    if (whole < count) {
      // Over some columns twice, to the same results.
      fold(x, at + (count - LANES) * BYTES, step, rows, LANES, sign, end);
      System.arraycopy(end, LANES + whole - count, row, whole, count - whole);
    }
    for (int i = 0; i < count; i++) {
      results[i] = sign * row[i];
    }
  }

  private static void fold(
      MemorySegment x, long at, long step, int rows, int count, float sign, float[] into) {
    MemorySegment.copy(x, JAVA_FLOAT_UNALIGNED, at, into, 0, count);
    float sum = 0;
    for (int i = 0; i < count; i++) {
      into[i] *= sign;
      sum += into[i];
    }
    int row = 1;
    for (; row <= rows - GROUP; row += GROUP) {
      sum += foldGroup(x, at + row * step, step, count, sign, into);
    }
    for (; row < rows; row++) {
      sum += foldGroup(x, at + row * step, 0, count, sign, into);
    }
    if (Float.isNaN(sum)) {
      for (row = 0; row < rows; row++) {
        keepNan(x, at + row * step, count, into);
      }
    }
  }

  private static float foldGroup(
      MemorySegment x, long at, long step, int count, float sign, float[] into) {
    FloatVector signs = FloatVector.broadcast(SPECIES, sign);
    FloatVector sum = FloatVector.broadcast(SPECIES, 0);
    for (int i = 0; i < count; i += LANES) {
      long from = at + i * BYTES;
      FloatVector x0 = load(x, from).mul(signs);
      FloatVector x1 = load(x, from + step).mul(signs);
      FloatVector x2 = load(x, from + 2 * step).mul(signs);
      FloatVector x3 = load(x, from + 3 * step).mul(signs);
      sum = sum.add(x0.add(x1).add(x2.add(x3)));
      larger(load(into, i), larger(larger(x0, x1), larger(x2, x3))).intoArray(into, i);
    }
    return sum.reduceLanes(ADD);
  }

  private static void keepNan(MemorySegment x, long at, int count, float[] into) {
    for (int i = 0; i < count; i += LANES) {
      FloatVector x0 = load(x, at + i * BYTES);
      load(into, i).blend(x0, x0.compare(NE, x0)).intoArray(into, i);
    }
  }

  private static FloatVector load(MemorySegment x, long at) {
    return FloatVector.fromMemorySegment(SPECIES, x, at, ORDER);
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(SPECIES, x, at);
  }
}
