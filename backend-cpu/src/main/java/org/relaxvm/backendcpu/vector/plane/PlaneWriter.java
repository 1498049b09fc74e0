package org.relaxvm.backendcpu.vector.plane;

import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;

/** Writes rows of planes of an image from an array without gaps. Immutable and thread-safe. */
public final class PlaneWriter {
  private final Codec<float[]> codec;
  private final Operand out;

  /**
   * A writer.
   *
   * @param out {@code [n, c, h, w]}
   */
  public PlaneWriter(Codec<float[]> codec, Operand out) {
    this.codec = codec;
    this.out = out;
  }

  /**
   * Writes the same rows of several channels.
   *
   * @param values {@code [channels, rows, w]}
   */
  public void write(
      float[] values, long image, long firstChannel, int channels, long firstRow, int rows) {
    int width = (int) out.dim(3);
    int plane = rows * width;
    long at =
        out.offset()
            + image * out.stride(0)
            + firstChannel * out.stride(1)
            + firstRow * out.stride(2);
    boolean rowsTogether = rows == 1 || out.stride(2) == width * out.stride(3);
    if (rowsTogether && (channels == 1 || out.stride(1) == plane * out.stride(3))) {
      codec.store(values, 0, channels * plane, out.memory(), at, out.stride(3));
      return;
    }
    for (int c = 0; c < channels; c++) {
      int from = c * plane;
      if (rowsTogether) {
        codec.store(values, from, from + plane, out.memory(), at, out.stride(3));
      } else {
        for (int y = 0; y < rows; y++) {
          long row = at + y * out.stride(2);
          codec.store(values, from, from + width, out.memory(), row, out.stride(3));
          from += width;
        }
      }
      at += out.stride(1);
    }
  }
}
