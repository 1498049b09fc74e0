package org.relaxvm.backendcpu.kernel.normalization;

import java.lang.foreign.MemorySegment;

/**
 * Passes over rows of float32, which are the first elements of arrays. Results do not depend on
 * what lies behind a row. Stateless and thread-safe.
 */
public interface FloatRows {
  /** The sum of a row. */
  double sum(float[] x, int count);

  /** The sum of the squares of the distances from a centre. */
  double squares(float[] x, int count, float centre);

  /** {@code x = (x - centre) scale gamma + beta}, with one factor and summand per element. */
  void normalize(float[] x, int count, float centre, float scale, float[] gamma, float[] beta);

  /** {@code x = (x - centre) scale gamma + beta}, with one factor and summand for the row. */
  void normalize(float[] x, int count, float centre, float scale, float gamma, float beta);

  /** The largest element; a NaN is passed over. */
  float largest(float[] x, int count);

  /**
   * Replaces each element by {@code exp(x - shift)} and returns their sum. Exponentials below the
   * normal range of float32 are 0.
   *
   * @param shift not less than any element
   */
  float exponentials(float[] x, int count, float shift);

  /** The sum of {@code exp(x - shift)}, with the bits that {@link #exponentials} returns. */
  float sumOfExponentials(float[] x, int count, float shift);

  /**
   * The largest of neighbouring elements in memory; a NaN is passed over.
   *
   * @param at offset of the first one, in bytes
   */
  float largest(MemorySegment x, long at, int count);

  /**
   * Writes {@code exp(x - shift)} of neighbouring elements in memory into an array, and finds the
   * largest element of another row meanwhile: the processor has time for it while it waits for
   * exponentials.
   *
   * @param at offset of the first element, in bytes
   * @param next offset of the first element of the other row
   * @param shift not less than any element
   * @param results gets the sum of the exponentials and, behind it, the largest of the other row
   */
  void soften(
      MemorySegment x, long at, long next, float shift, int count, float[] to, float[] results);

  /** Raises each of some largest elements to the element at its place; a NaN is passed over. */
  void raise(float[] largest, float[] x, int count);

  /** Replaces each element by {@code exp(x - shift)}, with a shift per element. */
  void exponentials(float[] x, float[] shift, int count);

  /** Multiplies each element. */
  void scale(float[] x, int count, float factor);
}
