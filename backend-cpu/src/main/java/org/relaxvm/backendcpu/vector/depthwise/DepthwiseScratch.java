package org.relaxvm.backendcpu.vector.depthwise;

/** Memory of one thread: grows to what was needed, which a plan bounds. */
final class DepthwiseScratch {
  private float[] image = {};
  private float[] band = {};
  private float[] sums = {};
  private float[] results = {};
  private float[] weights = {};
  private float[] bias = {};

  /** Rows of the image as they are. */
  float[] image(int length) {
    image = atLeast(image, length);
    return image;
  }

  /** The same with padding, cut into phases. */
  float[] band(int length) {
    band = atLeast(band, length);
    return band;
  }

  /** Sums of a plane, with what is between the rows. */
  float[] sums(int length) {
    sums = atLeast(sums, length);
    return sums;
  }

  /** What is written. */
  float[] results(int length) {
    results = atLeast(results, length);
    return results;
  }

  /** A row for each output channel. */
  float[] weights(int length) {
    weights = atLeast(weights, length);
    return weights;
  }

  /** One for each output channel. */
  float[] bias(int length) {
    bias = atLeast(bias, length);
    return bias;
  }

  private static float[] atLeast(float[] array, int length) {
    return length > array.length ? new float[length] : array;
  }
}
