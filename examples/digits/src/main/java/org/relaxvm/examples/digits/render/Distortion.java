package org.relaxvm.examples.digits.render;

import java.awt.geom.AffineTransform;
import java.util.random.RandomGenerator;

/**
 * How one picture differs from the clean glyph. Lengths are fractions of the image side.
 *
 * @param height height of the glyph before rotation
 * @param stretch horizontal scale relative to the vertical one
 * @param shear horizontal shift per unit of height (slant)
 * @param radians rotation, clockwise
 * @param shiftX displacement of the centre to the right
 * @param shiftY displacement of the centre downwards
 * @param thickness width of an extra pen stroke around the outline; negative thins the glyph
 * @param blur standard deviation of a Gaussian blur
 * @param ink grey level of the digit, 0 (black) to 255
 * @param paper grey level of the background, 0 to 255
 * @param gradient change of the paper's grey level from the left to the right edge
 * @param noise standard deviation of the noise added to each pixel, in grey levels
 */
public record Distortion(
    double height,
    double stretch,
    double shear,
    double radians,
    double shiftX,
    double shiftY,
    double thickness,
    double blur,
    double ink,
    double paper,
    double gradient,
    double noise) {

  /**
   * Draws a distortion: up to 14 degrees of rotation, 8 % shift, 45 to 85 % height, dark ink on
   * light paper.
   */
  public static Distortion random(RandomGenerator random) {
    double height = between(random, 0.45, 0.85);
    return new Distortion(
        height,
        between(random, 0.8, 1.2),
        between(random, -0.15, 0.15),
        Math.toRadians(between(random, -14, 14)),
        between(random, -0.08, 0.08),
        between(random, -0.08, 0.08),
        height * between(random, -0.012, 0.04),
        between(random, 0, 0.018),
        between(random, 0, 90),
        between(random, 195, 255),
        between(random, -25, 25),
        between(random, 0, 14));
  }

  /**
   * Returns the map from glyph space (centred on the origin, height 1) to pixels.
   *
   * @param size image side in pixels
   */
  AffineTransform placement(int size) {
    AffineTransform transform = new AffineTransform();
    transform.translate(size * (0.5 + shiftX), size * (0.5 + shiftY));
    transform.rotate(radians);
    transform.shear(shear, 0);
    transform.scale(size * height * stretch, size * height);
    return transform;
  }

  private static double between(RandomGenerator random, double low, double high) {
    return low + (high - low) * random.nextDouble();
  }
}
