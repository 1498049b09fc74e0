package org.relaxvm.backendcpu.vector.conv;

import java.util.Arrays;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Window;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.Turn;

/**
 * Brings rows of an image into an array whose rows are pixels, with neighbouring channels, and
 * zeros around where the padding is. Immutable and thread-safe.
 */
final class PixelPacker {
  private static final int LANES = Species.FLOAT.length();

  private final Codec<float[]> codec;
  private final Operand data;
  private final int channels;
  private final int step;
  private final int width;
  private final int height;
  private final long above;
  // Columns of the array that lie in the image.
  private final int from;
  private final int end;
  private final long firstColumn;

  /**
   * A packer.
   *
   * @param codec of the elements in memory
   * @param data {@code [n, c, h, w]}
   * @param windows whose padding counts, of stride 1
   * @param step the distance of pixels in the array
   * @param height rows that are packed at once
   * @param width pixels of a row, padding included
   */
  PixelPacker(
      Codec<float[]> codec, Operand data, Window.Pair windows, int step, int height, int width) {
    this.codec = codec;
    this.data = data;
    this.step = step;
    this.height = height;
    this.width = width;
    channels = Math.toIntExact(data.dim(1));
    above = windows.vertical().before();
    long left = windows.horizontal().before();
    from = Math.clamp(left, 0, width);
    end = Math.clamp(left + data.dim(3), from, width);
    firstColumn = from - left;
  }

  /** Elements of the array. */
  int length() {
    return (width * height + 1) * step;
  }

  /** Packs rows of an image, the first of them a row of the padded image. */
  void pack(long image, long row, WindowScratch scratch, float[] pixels) {
    int first = Math.clamp(above - row, 0, height);
    int last = Math.clamp(above - row + data.dim(2), first, height);
    fillEdges(pixels, first, last);
    int columns = end - from;
    int count = (last - first) * columns;
    if (count == 0) {
      return;
    }
    int band = Turn.step(count);
    float[] rows = scratch.band(Math.ceilDiv(channels, LANES) * LANES * band);
    long at =
        data.offset()
            + image * data.stride(0)
            + (row + first - above) * data.stride(2)
            + firstColumn * data.stride(3);
    boolean even = data.stride(2) == columns * data.stride(3);
    for (int c = 0; c < channels; c++) {
      int to = c * band;
      if (even) {
        codec.load(data.memory(), at, data.stride(3), rows, to, to + count);
      } else {
        for (int y = 0; y < last - first; y++) {
          int start = to + y * columns;
          long place = at + y * data.stride(2);
          codec.load(data.memory(), place, data.stride(3), rows, start, start + columns);
        }
      }
      at += data.stride(1);
    }
    Turn.turn(rows, band, channels, pixels, places(first, last));
  }

  /** Where pixels go; those without meaning after the others. */
  private int[] places(int first, int last) {
    int columns = end - from;
    int[] places = new int[Turn.step((last - first) * columns)];
    Arrays.fill(places, width * height * step);
    int next = 0;
    for (int y = first; y < last; y++) {
      for (int x = from; x < end; x++) {
        places[next++] = (y * width + x) * step;
      }
    }
    return places;
  }

  private void fillEdges(float[] pixels, int first, int last) {
    if (from == end || first == last) {
      Arrays.fill(pixels, 0, height * width * step, 0);
      return;
    }
    int done = 0;
    for (int y = first; y < last; y++) {
      Arrays.fill(pixels, done, (y * width + from) * step, 0);
      done = (y * width + end) * step;
    }
    Arrays.fill(pixels, done, height * width * step, 0);
  }
}
