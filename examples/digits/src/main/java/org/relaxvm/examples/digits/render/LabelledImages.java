package org.relaxvm.examples.digits.render;

import java.util.SplittableRandom;

/**
 * An endless row of labelled network inputs, rendered when asked for. Item {@code i} is a function
 * of the seed and {@code i}. Immutable; can be used from many threads.
 *
 * @param renderer draws the pictures
 * @param seed chooses the row; two seeds share no image
 */
public record LabelledImages(DigitRenderer renderer, long seed) {
  /** Side of the rendered pictures before they are scaled to the network's input. */
  private static final int PICTURE_SIDE = 112;

  /** Returns the digit that item {@code index} shows; every ten items show each digit once. */
  public int label(long index) {
    return (int) (index % 10);
  }

  /** Returns the 28 x 28 values of item {@code index}. */
  public float[] image(long index) {
    SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + index);
    GreyImage picture = renderer.render(label(index), PICTURE_SIDE, random.nextLong());
    return random.nextBoolean() ? NetworkInput.averaged(picture) : NetworkInput.sampled(picture);
  }
}
