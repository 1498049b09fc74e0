package org.relaxvm.backendcpu.kernel.normalization;

/**
 * Passes over rows of float32, which are the first elements of arrays. Results do not depend on
 * what lies after a row. Stateless and thread-safe.
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

  /** Raises each of some largest elements to the element at its index; a NaN is passed over. */
  void raise(float[] largest, float[] x, int count);

  /** Replaces each element by {@code exp(x - shift)}, with a shift per element. */
  void exponentials(float[] x, float[] shift, int count);

  /** Multiplies each element. */
  void scale(float[] x, int count, float factor);
}
