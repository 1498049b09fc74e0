package org.relaxvm.vmcore.program;

import java.util.List;
import java.util.Locale;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * How an image becomes a program's input. The image is scaled to {@code width} × {@code height} and
 * converted to {@code colour}; a sample {@code p} from 0 to 255 of channel {@code c} becomes {@code
 * (q * scale - mean[c]) / std[c]} with {@code q = 255 - p} when inverted, else {@code p}. The
 * samples are laid out as {@code layout} says. Immutable.
 *
 * @param input the name of the input that takes the image
 * @param mean one number per channel, in units of the scaled sample
 * @param std one positive number per channel
 * @param invert whether dark becomes bright, for programs trained with white ink on black
 */
public record ImageSpec(
    String input,
    Colour colour,
    int width,
    int height,
    Layout layout,
    double scale,
    List<Double> mean,
    List<Double> std,
    boolean invert) {
  /** The channels of an image. */
  public enum Colour {
    /** One channel: luminance. */
    GREY(1),
    /** Three channels: red, green, blue. */
    RGB(3);

    private final int channels;

    Colour(int channels) {
      this.channels = channels;
    }

    /** The number of channels. */
    public int channels() {
      return channels;
    }
  }

  /** The order of the axes. */
  public enum Layout {
    /** Batch, channel, row, column. */
    NCHW,
    /** Batch, row, column, channel. */
    NHWC
  }

  /** Checks sizes and the numbers of channels. */
  public ImageSpec {
    mean = List.copyOf(mean);
    std = List.copyOf(std);
    if (width < 1 || height < 1 || width > 65_535 || height > 65_535) {
      throw invalid("width and height are 1 to 65535, but got " + width + " x " + height);
    }
    if (mean.size() != colour.channels() || std.size() != colour.channels()) {
      throw invalid(
          "mean and std have one number per channel, which is "
              + colour.channels()
              + " for "
              + colour.name().toLowerCase(Locale.ROOT)
              + ", but got "
              + mean.size()
              + " and "
              + std.size());
    }
    if (!Double.isFinite(scale) || !mean.stream().allMatch(Double::isFinite)) {
      throw invalid("scale and mean must be finite, but got " + scale + " and " + mean);
    }
    if (!std.stream().allMatch(s -> Double.isFinite(s) && s > 0)) {
      throw invalid("std must be positive, but got " + std);
    }
  }

  /** A grey image whose samples become 0 to 1. */
  public static ImageSpec grey(String input, int width, int height) {
    return new ImageSpec(
        input,
        Colour.GREY,
        width,
        height,
        Layout.NCHW,
        1 / 255.0,
        List.of(0.0),
        List.of(1.0),
        false);
  }

  /** A colour image whose samples become 0 to 1. */
  public static ImageSpec rgb(String input, int width, int height) {
    return new ImageSpec(
        input,
        Colour.RGB,
        width,
        height,
        Layout.NCHW,
        1 / 255.0,
        List.of(0.0, 0.0, 0.0),
        List.of(1.0, 1.0, 1.0),
        false);
  }

  /** The same with dark and bright exchanged, or not. */
  public ImageSpec withInvert(boolean newInvert) {
    return new ImageSpec(input, colour, width, height, layout, scale, mean, std, newInvert);
  }

  /** The same with another order of the axes. */
  public ImageSpec withLayout(Layout newLayout) {
    return new ImageSpec(input, colour, width, height, newLayout, scale, mean, std, invert);
  }

  /** The same with another scale, mean and deviation. */
  public ImageSpec withNormalisation(double newScale, List<Double> newMean, List<Double> newStd) {
    return new ImageSpec(input, colour, width, height, layout, newScale, newMean, newStd, invert);
  }

  private static CallException invalid(String text) {
    return new CallException(ErrorKind.VALUE, "image description: " + text);
  }
}
