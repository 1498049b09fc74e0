package org.relaxvm.backendcpu.kernel.normalization;

import java.lang.foreign.MemorySegment;

/**
 * Normalizes float32 elements that are neighbours in memory, {@code (x - centre) factor + beta},
 * into arrays. Stateless and thread-safe.
 */
public interface FloatChannels {
  /**
   * Elements of one channel.
   *
   * @param at offset of the first one, in bytes
   */
  void one(MemorySegment x, long at, int count, float centre, float factor, float beta, float[] to);

  /**
   * An element of each channel.
   *
   * @param at offset of the first one, in bytes
   * @param start where the results begin
   */
  void each(
      MemorySegment x,
      long at,
      int count,
      float[] centre,
      float[] factor,
      float[] beta,
      float[] to,
      int start);
}
