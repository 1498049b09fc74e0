package org.relaxvm.backendcpu.vector.conv;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory of one thread: grows to what was needed, which a plan bounds. Remembers which band of
 * which call it holds.
 */
final class WindowScratch {
  private float[] band = {};
  private float[] sums = {};
  private float[] turned = {};
  private float[] weights = {};
  private float[] line = {};
  private float[] extra = {};
  private float[] pixels = {};
  private float[] points = {};
  private float[] products = {};

  private @Nullable Object bandCall;
  private long bandNumber;

  /** Whether the band is that of a call already; from now on it is. */
  boolean holds(Object call, long number) {
    boolean held = Objects.equals(bandCall, call) && bandNumber == number;
    bandCall = call;
    bandNumber = number;
    return held;
  }

  /** A band of an image. */
  float[] band(int length) {
    if (length > band.length) {
      band = new float[length];
    }
    return band;
  }

  /** Sums of a few rows. */
  float[] sums(int length) {
    if (length > sums.length) {
      sums = new float[length];
    }
    return sums;
  }

  /** Sums in another order. */
  float[] turned(int length) {
    if (length > turned.length) {
      turned = new float[length];
    }
    return turned;
  }

  /** A band of an image, a row for each pixel. */
  float[] pixels(int length) {
    if (length > pixels.length) {
      pixels = new float[length];
    }
    return pixels;
  }

  /** Transformed pieces of an image. */
  float[] points(int length) {
    if (length > points.length) {
      points = new float[length];
    }
    return points;
  }

  /** Their products with weights, summed over channels. */
  float[] products(int length) {
    if (length > products.length) {
      products = new float[length];
    }
    return products;
  }

  /** Rows of weights. */
  float[] weights(int length) {
    if (length > weights.length) {
      weights = new float[length];
    }
    return weights;
  }

  /** A row of sums. */
  float[] line(int length) {
    if (length > line.length) {
      line = new float[length];
      extra = new float[length];
    }
    return line;
  }

  /** What is added to that row, as long as it. */
  float[] extra() {
    return extra;
  }
}
