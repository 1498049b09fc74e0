package org.relaxvm.cli.input;

/**
 * Scales one channel of an image, each axis on its own: smaller by averaging the area that a target
 * pixel covers, larger by linear interpolation between pixel centres.
 */
final class Resampler {
  private Resampler() {}

  static double[] scale(double[] source, int width, int height, int toWidth, int toHeight) {
    double[] rows = new double[toWidth * height];
    for (int y = 0; y < height; y++) {
      scaleLine(source, y * width, 1, width, rows, y * toWidth, 1, toWidth);
    }
    double[] result = new double[toWidth * toHeight];
    for (int x = 0; x < toWidth; x++) {
      scaleLine(rows, x, toWidth, height, result, x, toWidth, toHeight);
    }
    return result;
  }

  private static void scaleLine(
      double[] source,
      int from,
      int step,
      int length,
      double[] target,
      int to,
      int toStep,
      int toLength) {
    double ratio = (double) length / toLength;
    for (int i = 0; i < toLength; i++) {
      target[to + i * toStep] =
          ratio >= 1
              ? average(source, from, step, length, i * ratio, (i + 1) * ratio)
              : interpolate(source, from, step, length, (i + 0.5) * ratio - 0.5);
    }
  }

  private static double average(
      double[] source, int from, int step, int length, double begin, double end) {
    double sum = 0;
    for (int k = (int) begin; k < Math.min(length, Math.ceil(end)); k++) {
      double covered = Math.min(end, k + 1) - Math.max(begin, k);
      sum += covered * source[from + k * step];
    }
    return sum / (end - begin);
  }

  private static double interpolate(
      double[] source, int from, int step, int length, double position) {
    double inside = Math.clamp(position, 0, length - 1);
    int left = (int) inside;
    int right = Math.min(left + 1, length - 1);
    double weight = inside - left;
    return (1 - weight) * source[from + left * step] + weight * source[from + right * step];
  }
}
