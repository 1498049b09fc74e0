package org.relaxvm.examples.digits.render;

/**
 * A separable Gaussian blur of a square image; pixels outside the image count as zero.
 *
 * @param sigma standard deviation in pixels; below 0.3 nothing is blurred
 */
record GaussianBlur(double sigma) {

  /**
   * Returns the blurred image; the argument is not modified.
   *
   * @param image {@code size * size} values, row by row
   */
  float[] apply(float[] image, int size) {
    if (sigma < 0.3) {
      return image;
    }
    float[] kernel = kernel();
    float[] rows = new float[image.length];
    for (int y = 0; y < size; y++) {
      blurLine(image, rows, y * size, 1, size, kernel);
    }
    float[] both = new float[image.length];
    for (int x = 0; x < size; x++) {
      blurLine(rows, both, x, size, size, kernel);
    }
    return both;
  }

  private float[] kernel() {
    int radius = (int) Math.ceil(2.5 * sigma);
    float[] kernel = new float[2 * radius + 1];
    double sum = 0;
    for (int i = 0; i < kernel.length; i++) {
      double distance = (i - radius) / sigma;
      kernel[i] = (float) StrictMath.exp(-0.5 * distance * distance);
      sum += kernel[i];
    }
    for (int i = 0; i < kernel.length; i++) {
      kernel[i] /= (float) sum;
    }
    return kernel;
  }

  private static void blurLine(
      float[] in, float[] out, int start, int step, int size, float[] kernel) {
    int radius = kernel.length / 2;
    for (int i = 0; i < size; i++) {
      float sum = 0;
      int last = Math.min(size - 1, i + radius);
      for (int j = Math.max(0, i - radius); j <= last; j++) {
        sum += in[start + j * step] * kernel[j - i + radius];
      }
      out[start + i * step] = sum;
    }
  }
}
