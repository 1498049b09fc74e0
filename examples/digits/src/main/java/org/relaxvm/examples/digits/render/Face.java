package org.relaxvm.examples.digits.render;

import java.awt.geom.Path2D;
import java.util.List;

/**
 * The ten digits of one font face as outlines.
 *
 * @param name the face, for example {@code Lato-Bold}
 * @param digits outlines of 0 to 9 with y growing downwards, each centred on the origin and scaled
 *     to a height of 1; never modified after construction
 */
public record Face(String name, List<Path2D> digits) {

  /** Checks that there are ten outlines. */
  public Face {
    digits = List.copyOf(digits);
    if (digits.size() != 10) {
      throw new IllegalArgumentException(
          "face " + name + " needs 10 digit outlines, got " + digits.size());
    }
  }

  /**
   * Returns the outline of one digit.
   *
   * @param digit 0 to 9
   */
  public Path2D outline(int digit) {
    return digits.get(digit);
  }
}
