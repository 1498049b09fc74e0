package org.relaxvm.examples.digits.render;

import java.awt.image.BufferedImage;

/**
 * A square 8-bit grey picture.
 *
 * @param size side in pixels
 * @param pixels {@code size * size} grey levels as unsigned bytes, row by row; owned by the image
 */
public record GreyImage(int size, byte[] pixels) {

  /** Checks the number of pixels. */
  public GreyImage {
    if (pixels.length != size * size) {
      throw new IllegalArgumentException(
          "image of side " + size + " needs " + size * size + " pixels, got " + pixels.length);
    }
  }

  /** Returns the grey level of one pixel, 0 (black) to 255 (white). */
  public int level(int x, int y) {
    return pixels[y * size + x] & 0xFF;
  }

  /** Returns the picture in sRGB, the three channels equal, for writing to a file. */
  public BufferedImage toBufferedImage() {
    BufferedImage image = new BufferedImage(size, size, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < size; y++) {
      for (int x = 0; x < size; x++) {
        image.setRGB(x, y, level(x, y) * 0x010101);
      }
    }
    return image;
  }
}
