package org.relaxvm.cli.input;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.program.ImageSpec;

/** An image file as the float32 tensor that a program's image description asks for. */
final class ImageInput {
  private static final long MAX_PIXELS = 1L << 27;

  private ImageInput() {}

  /** Batch of one: {@code [1, c, h, w]} or {@code [1, h, w, c]}. */
  static Tensor read(Path file, ImageSpec spec) {
    BufferedImage image = load(file);
    int[] rgb = rgb(image);
    int channels = spec.colour().channels();
    double[][] planes = new double[channels][];
    for (int c = 0; c < channels; c++) {
      double[] samples = channel(rgb, spec, c);
      planes[c] =
          Resampler.scale(
              samples, image.getWidth(), image.getHeight(), spec.width(), spec.height());
    }
    return tensor(planes, spec);
  }

  private static Tensor tensor(double[][] planes, ImageSpec spec) {
    int channels = planes.length;
    int pixels = spec.width() * spec.height();
    boolean channelsFirst = spec.layout() == ImageSpec.Layout.NCHW;
    float[] values = new float[channels * pixels];
    for (int c = 0; c < channels; c++) {
      for (int p = 0; p < pixels; p++) {
        double sample = spec.invert() ? 255 - planes[c][p] : planes[c][p];
        double value = (sample * spec.scale() - spec.mean().get(c)) / spec.std().get(c);
        values[channelsFirst ? c * pixels + p : p * channels + c] = (float) value;
      }
    }
    Shape shape =
        channelsFirst
            ? Shape.of(1, channels, spec.height(), spec.width())
            : Shape.of(1, spec.height(), spec.width(), channels);
    return Tensor.of(values, shape);
  }

  private static double[] channel(int[] rgb, ImageSpec spec, int channel) {
    double[] samples = new double[rgb.length];
    for (int i = 0; i < rgb.length; i++) {
      int red = (rgb[i] >> 16) & 0xFF;
      int green = (rgb[i] >> 8) & 0xFF;
      int blue = rgb[i] & 0xFF;
      samples[i] =
          spec.colour() == ImageSpec.Colour.GREY
              // Luma of ITU-R BT.601.
              ? 0.299 * red + 0.587 * green + 0.114 * blue
              : (channel == 0 ? red : channel == 1 ? green : blue);
    }
    return samples;
  }

  /**
   * Opaque pixels. Those of opaque images in the usual layouts are read from the raster: to draw an
   * image loads several hundred classes.
   */
  private static int[] rgb(BufferedImage image) {
    int width = image.getWidth();
    int height = image.getHeight();
    return switch (image.getType()) {
      case BufferedImage.TYPE_BYTE_GRAY -> {
        int[] samples = image.getRaster().getSamples(0, 0, width, height, 0, (int[]) null);
        for (int i = 0; i < samples.length; i++) {
          samples[i] *= 0x010101;
        }
        yield samples;
      }
      case BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_INT_BGR ->
          image.getRGB(0, 0, width, height, null, 0, width);
      default -> onWhite(image).getRGB(0, 0, width, height, null, 0, width);
    };
  }

  /** Transparent pixels show white paper. */
  private static BufferedImage onWhite(BufferedImage image) {
    BufferedImage opaque =
        new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = opaque.createGraphics();
    graphics.drawImage(image, 0, 0, Color.WHITE, null);
    graphics.dispose();
    return opaque;
  }

  private static BufferedImage load(Path file) {
    try (ImageInputStream stream = ImageIO.createImageInputStream(file.toFile())) {
      Iterator<ImageReader> readers =
          stream == null ? Collections.emptyIterator() : ImageIO.getImageReaders(stream);
      if (!readers.hasNext()) {
        throw new MalformedFileException(
            ErrorKind.VALUE,
            "'" + file + "' is no image that can be read: expected PNG, JPEG, GIF or BMP content");
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(stream);
        long pixels = (long) reader.getWidth(0) * reader.getHeight(0);
        if (pixels > MAX_PIXELS) {
          throw new MalformedFileException(
              ErrorKind.VALUE,
              "'" + file + "' has " + pixels + " pixels; at most " + MAX_PIXELS + " are read");
        }
        return reader.read(0);
      } finally {
        reader.dispose();
      }
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new MalformedFileException(
          ErrorKind.VALUE, "the image '" + file + "' is damaged: " + e.getMessage(), e);
    }
  }
}
