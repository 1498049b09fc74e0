package org.relaxvm.interoptvm.functions;

/** Normally distributed floats by Marsaglia's polar method, two at a time. Not thread-safe. */
final class NormalNumbers {
  private final MersenneTwister generator;
  private boolean hasSecond;
  private float second;

  NormalNumbers(MersenneTwister generator) {
    this.generator = generator;
  }

  /** A number of mean 0 and standard deviation 1. */
  float next() {
    if (hasSecond) {
      hasSecond = false;
      return second;
    }
    float x;
    float y;
    float square;
    do {
      x = 2 * generator.nextFloat() - 1;
      y = 2 * generator.nextFloat() - 1;
      square = x * x + y * y;
    } while (square > 1 || square == 0);
    float scale = (float) Math.sqrt(-2 * (float) Math.log(square) / square);
    second = x * scale;
    hasSecond = true;
    return y * scale;
  }
}
