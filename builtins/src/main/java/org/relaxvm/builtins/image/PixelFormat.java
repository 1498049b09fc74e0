package org.relaxvm.builtins.image;

import java.util.Arrays;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** The channels of a pixel, one byte each. */
enum PixelFormat {
  RGB("RGB", 3) {
    @Override
    int channel(int pixel, int index) {
      return pixel >> (16 - 8 * index);
    }
  },

  BGR("BGR", 3) {
    @Override
    int channel(int pixel, int index) {
      return pixel >> (8 * index);
    }
  },

  /** The luminance by the weights of ITU-R BT.601, in 16 bits. */
  GRAYSCALE("Grayscale", 1) {
    @Override
    int channel(int pixel, int index) {
      int red = (pixel >> 16) & 0xFF;
      int green = (pixel >> 8) & 0xFF;
      int blue = pixel & 0xFF;
      return (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16;
    }
  };

  private final String name;
  private final int channels;

  PixelFormat(String name, int channels) {
    this.name = name;
    this.channels = channels;
  }

  /**
   * The format of a name.
   *
   * @throws CallException when there is no such format
   */
  static PixelFormat of(String name) {
    return Arrays.stream(values())
        .filter(format -> format.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new CallException(
                    ErrorKind.VALUE,
                    "the pixel format is '" + name + "'; expected RGB, BGR or Grayscale"));
  }

  /** The number of channels. */
  int channels() {
    return channels;
  }

  /** A channel in the low 8 bits; bits above may be anything. */
  abstract int channel(int pixel, int index);

  /**
   * The channels of all pixels.
   *
   * @param pixels red in bits 16 to 23, green in bits 8 to 15, blue below
   */
  byte[] bytes(int[] pixels) {
    byte[] bytes = new byte[Math.multiplyExact(pixels.length, channels)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) channel(pixels[i / channels], i % channels);
    }
    return bytes;
  }
}
