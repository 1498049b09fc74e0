package org.relaxvm.backendcpu.vector.plane;

import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;

/** Reads rows of planes of an image into an array, without gaps. Immutable and thread-safe. */
public final class PlaneReader {
  private final Codec<float[]> codec;
  private final Operand data;

  /**
   * A reader.
   *
   * @param data {@code [n, c, h, w]}
   */
  public PlaneReader(Codec<float[]> codec, Operand data) {
    this.codec = codec;
    this.data = data;
  }

  /**
   * Reads the same rows of several channels.
   *
   * @param into {@code [channels, rows, w]}
   */
  public void read(
      long image, long firstChannel, int channels, long firstRow, int rows, float[] into) {
    int width = (int) data.dim(3);
    int plane = rows * width;
    long at =
        data.offset()
            + image * data.stride(0)
            + firstChannel * data.stride(1)
            + firstRow * data.stride(2);
    boolean rowsTogether = rows == 1 || data.stride(2) == width * data.stride(3);
    if (rowsTogether && (channels == 1 || data.stride(1) == plane * data.stride(3))) {
      codec.load(data.memory(), at, data.stride(3), into, 0, channels * plane);
      return;
    }
    for (int c = 0; c < channels; c++) {
      int to = c * plane;
      if (rowsTogether) {
        codec.load(data.memory(), at, data.stride(3), into, to, to + plane);
      } else {
        for (int y = 0; y < rows; y++) {
          long row = at + y * data.stride(2);
          codec.load(data.memory(), row, data.stride(3), into, to, to + width);
          to += width;
        }
      }
      at += data.stride(1);
    }
  }
}
