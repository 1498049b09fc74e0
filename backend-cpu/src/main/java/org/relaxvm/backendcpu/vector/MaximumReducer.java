package org.relaxvm.backendcpu.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;

/** Maxima; of zeros the positive one. */
public final class MaximumReducer extends VectorReducer {
  /** Creates the fold, where {@link VectorChoice} fell on vectors. */
  public MaximumReducer() {}

  @Override
  public double apply(double a, double b) {
    return Math.max(a, b);
  }

  @Override
  public void apply(double[] results, float[] row, int count) {
    for (int i = 0; i < count; i++) {
      results[i] = Math.max(results[i], row[i]);
    }
  }

  @Override
  double numbers(float[] x, int count) {
    double result = x[0];
    for (int i = 1; i < count; i++) {
      result = Math.max(result, x[i]);
    }
    return result;
  }

  @Override
  void groups(MemorySegment x, long at, int groups, float[] to) {
    for (int g = 0; g < groups; g++) {
      long from = at + g * GROUP * VECTOR;
      FloatVector x0 = load(x, from).max(load(x, from + VECTOR));
      FloatVector x2 = load(x, from + 2 * VECTOR).max(load(x, from + 3 * VECTOR));
      FloatVector x4 = load(x, from + 4 * VECTOR).max(load(x, from + 5 * VECTOR));
      FloatVector x6 = load(x, from + 6 * VECTOR).max(load(x, from + 7 * VECTOR));
      x0.max(x2).max(x4.max(x6)).intoArray(to, g * LANES);
    }
  }

  @Override
  void vectors(float[] a, int aFrom, float[] b, int bFrom, int count) {
    for (int i = 0; i < count; i += LANES) {
      load(a, aFrom + i).max(load(b, bFrom + i)).intoArray(a, aFrom + i);
    }
  }

  @Override
  void fourRows(float[] into, MemorySegment x, long at, long step, int count) {
    for (int i = 0; i < count; i += LANES) {
      long from = at + i * BYTES;
      FloatVector x0 = load(x, from).max(load(x, from + step));
      FloatVector x2 = load(x, from + 2 * step).max(load(x, from + 3 * step));
      load(into, i).max(x0.max(x2)).intoArray(into, i);
    }
  }
}
