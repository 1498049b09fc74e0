package org.relaxvm.benchmarks;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Kernels as one would write them with the Vector API, for rows of whole groups of vectors. */
final class HandWritten {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int LANES = SPECIES.length();
  private static final long STEP = SPECIES.vectorByteSize();
  private static final long BYTES = Float.BYTES;

  private HandWritten() {}

  /** {@code sqrt(abs(min(y / (v * v + 1), 3)))} with {@code v = max((x + y) / 2, 0) - x}. */
  static void chain(MemorySegment x, MemorySegment y, MemorySegment out, int count) {
    FloatVector half = FloatVector.broadcast(SPECIES, 0.5f);
    FloatVector zero = FloatVector.broadcast(SPECIES, 0f);
    FloatVector one = FloatVector.broadcast(SPECIES, 1f);
    FloatVector three = FloatVector.broadcast(SPECIES, 3f);
    for (int i = 0; i < count; i += LANES) {
      long at = i * BYTES;
      FloatVector a = load(x, at);
      FloatVector b = load(y, at);
      FloatVector v = a.add(b).mul(half).max(zero).sub(a);
      b.div(v.mul(v).add(one))
          .min(three)
          .lanewise(VectorOperators.ABS)
          .lanewise(VectorOperators.SQRT)
          .intoMemorySegment(out, at, ORDER);
    }
  }

  /** Copies whole groups of four vectors. */
  static void copy(MemorySegment x, MemorySegment out, long bytes) {
    for (long at = 0; at < bytes; at += 4 * STEP) {
      load(x, at).intoMemorySegment(out, at, ORDER);
      load(x, at + STEP).intoMemorySegment(out, at + STEP, ORDER);
      load(x, at + 2 * STEP).intoMemorySegment(out, at + 2 * STEP, ORDER);
      load(x, at + 3 * STEP).intoMemorySegment(out, at + 3 * STEP, ORDER);
    }
  }

  /** Softmax in four passes over each row: maximum, exponentials, sum, quotients. */
  static void softmax(
      MemorySegment x, MemorySegment weights, MemorySegment out, int rows, int columns) {
    for (int row = 0; row < rows; row++) {
      long at = row * (columns * BYTES);
      float largest = largest(x, at, columns);
      exponentials(x, weights, at, columns, largest);
      quotients(weights, out, at, columns, sum(weights, at, columns));
    }
  }

  /** Layer normalization in three passes over each row: sum, squares, results. */
  static void layerNorm(
      MemorySegment x,
      MemorySegment gamma,
      MemorySegment beta,
      MemorySegment out,
      int rows,
      int columns) {
    for (int row = 0; row < rows; row++) {
      long at = row * (columns * BYTES);
      float mean = sum(x, at, columns) / columns;
      float variance = squares(x, at, columns, mean) / columns;
      normalize(x, gamma, beta, out, at, columns, mean, (float) (1 / Math.sqrt(variance + 1e-5f)));
    }
  }

  private static float largest(MemorySegment x, long from, int count) {
    FloatVector a = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector b = a;
    FloatVector c = a;
    FloatVector d = a;
    for (int i = 0; i < count; i += 4 * LANES) {
      long at = from + i * BYTES;
      a = a.max(load(x, at));
      b = b.max(load(x, at + STEP));
      c = c.max(load(x, at + 2 * STEP));
      d = d.max(load(x, at + 3 * STEP));
    }
    return a.max(b).max(c.max(d)).reduceLanes(VectorOperators.MAX);
  }

  private static float sum(MemorySegment x, long from, int count) {
    FloatVector a = FloatVector.zero(SPECIES);
    FloatVector b = a;
    FloatVector c = a;
    FloatVector d = a;
    for (int i = 0; i < count; i += 4 * LANES) {
      long at = from + i * BYTES;
      a = a.add(load(x, at));
      b = b.add(load(x, at + STEP));
      c = c.add(load(x, at + 2 * STEP));
      d = d.add(load(x, at + 3 * STEP));
    }
    return a.add(b).add(c.add(d)).reduceLanes(VectorOperators.ADD);
  }

  private static float squares(MemorySegment x, long from, int count, float mean) {
    FloatVector a = FloatVector.zero(SPECIES);
    FloatVector b = a;
    FloatVector c = a;
    FloatVector d = a;
    for (int i = 0; i < count; i += 4 * LANES) {
      long at = from + i * BYTES;
      FloatVector p = load(x, at).sub(mean);
      FloatVector q = load(x, at + STEP).sub(mean);
      FloatVector r = load(x, at + 2 * STEP).sub(mean);
      FloatVector s = load(x, at + 3 * STEP).sub(mean);
      a = a.add(p.mul(p));
      b = b.add(q.mul(q));
      c = c.add(r.mul(r));
      d = d.add(s.mul(s));
    }
    return a.add(b).add(c.add(d)).reduceLanes(VectorOperators.ADD);
  }

  private static void exponentials(
      MemorySegment x, MemorySegment out, long from, int count, float largest) {
    for (int i = 0; i < count; i += LANES) {
      long at = from + i * BYTES;
      load(x, at).sub(largest).lanewise(VectorOperators.EXP).intoMemorySegment(out, at, ORDER);
    }
  }

  private static void quotients(
      MemorySegment x, MemorySegment out, long from, int count, float divisor) {
    for (int i = 0; i < count; i += LANES) {
      long at = from + i * BYTES;
      load(x, at).div(divisor).intoMemorySegment(out, at, ORDER);
    }
  }

  private static void normalize(
      MemorySegment x,
      MemorySegment gamma,
      MemorySegment beta,
      MemorySegment out,
      long from,
      int count,
      float mean,
      float scale) {
    for (int i = 0; i < count; i += LANES) {
      long at = i * BYTES;
      load(x, from + at)
          .sub(mean)
          .mul(scale)
          .mul(load(gamma, at))
          .add(load(beta, at))
          .intoMemorySegment(out, from + at, ORDER);
    }
  }

  private static FloatVector load(MemorySegment memory, long at) {
    return FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER);
  }
}
