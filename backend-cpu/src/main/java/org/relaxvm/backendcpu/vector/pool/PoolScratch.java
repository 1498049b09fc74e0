package org.relaxvm.backendcpu.vector.pool;

/** Memory of one thread: grows to what was needed, which a plan bounds. */
final class PoolScratch {
  private float[] image = {};
  private float[] rows = {};
  private float[] lines = {};
  private float[] folded = {};
  private float[] results = {};

  /** Rows of the image as they are. */
  float[] image(int length) {
    image = atLeast(image, length);
    return image;
  }

  /** What rows fold to. */
  float[] rows(int length) {
    rows = atLeast(rows, length);
    return rows;
  }

  /** The same with padding, cut into phases. */
  float[] lines(int length) {
    lines = atLeast(lines, length);
    return lines;
  }

  /** What windows fold to, with what is between the rows. */
  float[] folded(int length) {
    folded = atLeast(folded, length);
    return folded;
  }

  /** What is written. */
  float[] results(int length) {
    results = atLeast(results, length);
    return results;
  }

  private static float[] atLeast(float[] array, int length) {
    return length > array.length ? new float[length] : array;
  }
}
