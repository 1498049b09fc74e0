package org.relaxvm.backendcpu.vector.conv;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Sums of windows of 3 x 3 without transformation, for those that it left infinite or without a
 * number: a large number may have overflowed on the way, and two infinities have no difference.
 * Which sums are replaced depends on nothing but themselves.
 */
final class DirectSums {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final int SIZE = 3;
  private static final int TAPS = SIZE * SIZE;

  private final Codec<float[]> codec;
  private final Convolution convolution;
  private final int channels;
  private final int pixelStep;
  private final int rowStep;

  /**
   * For a convolution.
   *
   * @param pixelStep the distance of neighbouring pixels in an array
   * @param rowStep the distance of a pixel and the one below
   */
  DirectSums(Codec<float[]> codec, Convolution convolution, int pixelStep, int rowStep) {
    this.codec = codec;
    this.convolution = convolution;
    this.pixelStep = pixelStep;
    this.rowStep = rowStep;
    channels = Math.toIntExact(convolution.inputsPerGroup());
  }

  /**
   * Whether all numbers are finite.
   *
   * @param count a multiple of twice the lanes of a vector
   */
  static boolean areFinite(float[] numbers, int count) {
    FloatVector a = FloatVector.zero(SPECIES);
    FloatVector b = FloatVector.zero(SPECIES);
    // Zero times anything else is NaN, and stays in the sum.
    for (int i = 0; i < count; i += 2 * LANES) {
      a = FloatVector.fromArray(SPECIES, numbers, i).fma(Species.of(0f), a);
      b = FloatVector.fromArray(SPECIES, numbers, i + LANES).fma(Species.of(0f), b);
    }
    float[] sums = new float[LANES];
    a.add(b).intoArray(sums, 0);
    for (float sum : sums) {
      if (Float.isNaN(sum)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Replaces sums that are not finite.
   *
   * @param pixels around the first position, and as many as the others need
   * @param columns positions of a row
   * @param rows of positions
   * @param firstOutput channel of the first sum of a position
   * @param outputs how many channels matter
   * @param width sums of a position
   */
  void replace(
      float[] pixels,
      int columns,
      int rows,
      long firstOutput,
      int outputs,
      float[] sums,
      int width) {
    for (int output = 0; output < outputs; output++) {
      float[] taps = null;
      for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
          int at = (y * columns + x) * width + output;
          if (!Float.isFinite(sums[at])) {
            taps = taps == null ? taps(firstOutput + output) : taps;
            sums[at] = sum(pixels, y * rowStep + x * pixelStep, taps);
          }
        }
      }
    }
  }

  /** The weights of an output channel, those of one element of the window after the other. */
  private float[] taps(long output) {
    float[] row = new float[WeightRows.step(convolution)];
    WeightRows.load(codec, convolution, output, 1, row);
    float[] taps = new float[TAPS * channels];
    for (int c = 0; c < channels; c++) {
      for (int tap = 0; tap < TAPS; tap++) {
        taps[tap * channels + c] = row[c * TAPS + tap];
      }
    }
    return taps;
  }

  private float sum(float[] pixels, int at, float[] taps) {
    float[] lanes = new float[LANES];
    int whole = channels / LANES * LANES;
    for (int tap = 0; tap < TAPS; tap++) {
      int from = at + tap / SIZE * rowStep + tap % SIZE * pixelStep;
      add(pixels, from, taps, tap * channels, whole, lanes);
      for (int c = whole; c < channels; c++) {
        lanes[c - whole] = Math.fma(pixels[from + c], taps[tap * channels + c], lanes[c - whole]);
      }
    }
    float sum = 0;
    for (float lane : lanes) {
      sum += lane;
    }
    return sum;
  }

  private static void add(
      float[] pixels, int from, float[] taps, int tapsAt, int count, float[] lanes) {
    FloatVector sum = FloatVector.fromArray(SPECIES, lanes, 0);
    for (int c = 0; c < count; c += LANES) {
      FloatVector pixel = FloatVector.fromArray(SPECIES, pixels, from + c);
      sum = pixel.fma(FloatVector.fromArray(SPECIES, taps, tapsAt + c), sum);
    }
    sum.intoArray(lanes, 0);
  }
}
