package org.relaxvm.backendcpu.kernel;

import java.lang.foreign.MemorySegment;

/**
 * Passes over rows of float32 that lie one element behind the other in native memory. Offsets are
 * in bytes. Stateless and thread-safe.
 */
public interface FloatRows {
  /** The sum of a row. */
  double sum(MemorySegment x, long at, int count);

  /** The sum of the squares of the distances from a centre. */
  double squares(MemorySegment x, long at, int count, float centre);

  /** {@code out = (x - centre) scale gamma + beta}, with one factor and summand per element. */
  void normalize(
      MemorySegment x,
      long at,
      MemorySegment out,
      long to,
      int count,
      float centre,
      float scale,
      MemorySegment gamma,
      long gammaAt,
      MemorySegment beta,
      long betaAt);

  /** {@code out = (x - centre) scale gamma + beta}, with one factor and summand for the row. */
  void normalize(
      MemorySegment x,
      long at,
      MemorySegment out,
      long to,
      int count,
      float centre,
      float scale,
      float gamma,
      float beta);

  /**
   * Softmax of a row.
   *
   * @param logarithm its logarithm
   */
  void softmax(MemorySegment x, long at, MemorySegment out, long to, int count, boolean logarithm);
}
