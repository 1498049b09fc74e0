package org.relaxvm.examples.digits.render;

/**
 * Turns a picture into what the network reads: 28 x 28 values, 0 for white paper to 1 for black
 * ink. This is the image preparation that the program's metadata describes (grey, scale, invert,
 * divide by 255).
 */
public final class NetworkInput {
  /** Side of the network's input in pixels. */
  public static final int SIDE = 28;

  /** Number of values of one input image. */
  public static final int SIZE = SIDE * SIDE;

  private NetworkInput() {}

  /** Scales by averaging: every output value is the mean of the pixels it covers. */
  public static float[] averaged(GreyImage image) {
    float[] values = new float[SIZE];
    double step = (double) image.size() / SIDE;
    for (int y = 0; y < SIDE; y++) {
      for (int x = 0; x < SIDE; x++) {
        values[y * SIDE + x] = darkness(image, x * step, y * step, step);
      }
    }
    return values;
  }

  /**
   * Scales by averaging only the middle quarter of the covered pixels, as bilinear scaling without
   * filtering does. Training sees both, so that the result does not hang on the scaler.
   */
  public static float[] sampled(GreyImage image) {
    float[] values = new float[SIZE];
    double step = (double) image.size() / SIDE;
    for (int y = 0; y < SIDE; y++) {
      for (int x = 0; x < SIDE; x++) {
        values[y * SIDE + x] = darkness(image, (x + 0.25) * step, (y + 0.25) * step, step / 2);
      }
    }
    return values;
  }

  /** Mean darkness of the square at (left, top); pixels at its border count by their share. */
  private static float darkness(GreyImage image, double left, double top, double side) {
    double sum = 0;
    for (int y = (int) top; y < Math.min(image.size(), top + side); y++) {
      double shareY = overlap(y, top, side);
      for (int x = (int) left; x < Math.min(image.size(), left + side); x++) {
        sum += shareY * overlap(x, left, side) * (255 - image.level(x, y));
      }
    }
    return (float) (sum / (side * side * 255));
  }

  private static double overlap(int pixel, double start, double length) {
    return Math.max(0, Math.min(pixel + 1, start + length) - Math.max(pixel, start));
  }
}
