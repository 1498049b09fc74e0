package org.relaxvm.builtins.image;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.TreeSet;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * An image that a decoder of Java read. Immutable.
 *
 * @param pixels row by row, red in bits 16 to 23, green in bits 8 to 15, blue below
 */
record DecodedImage(int height, int width, int[] pixels) {
  private static final long MOST_PIXELS = 1L << 27;

  /**
   * Decodes the first image of a file, in any format that the decoders of Java know.
   *
   * @throws CallException when none of them knows the format, the file is damaged, or the image has
   *     more than 2^27 pixels
   */
  static DecodedImage of(byte[] file) {
    try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        throw new CallException(
            ErrorKind.VALUE,
            "the format of an image of " + file.length + " bytes is not one of " + formats());
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(in, true, true);
        return read(reader);
      } finally {
        reader.dispose();
      }
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new CallException(ErrorKind.VALUE, "an image is damaged: " + e.getMessage(), e);
    }
  }

  private static String formats() {
    return String.join(
        ", ",
        new TreeSet<>(
            Arrays.stream(ImageIO.getReaderFormatNames())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList()));
  }

  private static DecodedImage read(ImageReader reader) throws IOException {
    int width = reader.getWidth(0);
    int height = reader.getHeight(0);
    if ((long) width * height > MOST_PIXELS) {
      throw new CallException(
          ErrorKind.VALUE,
          "an image has " + width + " x " + height + " pixels; expected at most " + MOST_PIXELS);
    }
    BufferedImage image = reader.read(0);
    boolean isGrey =
        image.getType() == BufferedImage.TYPE_BYTE_GRAY && image.getRaster().getNumBands() == 1;
    int[] pixels =
        isGrey
            ? grey(image.getRaster(), width, height)
            : image.getRGB(0, 0, width, height, null, 0, width);
    return new DecodedImage(height, width, pixels);
  }

  /** Conversion by the color model would take grey for linear, and make it brighter. */
  private static int[] grey(Raster raster, int width, int height) {
    int[] samples = raster.getSamples(0, 0, width, height, 0, (int[]) null);
    return Arrays.stream(samples).map(grey -> (grey << 16) | (grey << 8) | grey).toArray();
  }

  /** The image as uint8 {@code [height, width, channels]}. */
  Tensor toTensor(PixelFormat format) {
    Shape shape = Shape.of(height, width, format.channels());
    return Tensor.of(format.bytes(pixels), DType.UINT8, shape);
  }
}
