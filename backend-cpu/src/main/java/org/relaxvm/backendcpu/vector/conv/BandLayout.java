package org.relaxvm.backendcpu.vector.conv;

import org.relaxvm.backendcpu.kernel.Window;

/**
 * How a band of an image, which some rows of positions of a window meet, lies in an array: for each
 * channel a plane for each pair of phases, padding included. Position {@code (y, x)} of the band
 * has the number {@code y * width + x}, and an element of the window meets what is so many places
 * after a fixed one. So numbers run through rows without a break: between the last position of a
 * row and the first of the next one are some without meaning.
 *
 * @param columns positions in a row
 * @param rows rows of positions in a band
 */
public record BandLayout(AxisPhases vertical, AxisPhases horizontal, int columns, int rows) {
  /** The layout of bands of so many rows of positions. */
  public static BandLayout of(Window.Pair windows, long columns, long rows) {
    return new BandLayout(
        AxisPhases.of(windows.vertical()),
        AxisPhases.of(windows.horizontal()),
        Math.toIntExact(columns),
        Math.toIntExact(rows));
  }

  /** The same for bands of another height. */
  public BandLayout withRows(int newRows) {
    return new BandLayout(vertical, horizontal, columns, newRows);
  }

  /** Places from one row of a plane to the next. */
  public int width() {
    return columns + horizontal.reach();
  }

  /** Rows of a plane. */
  public int height() {
    return rows + vertical.reach();
  }

  /** Elements of a plane. */
  public int plane() {
    return width() * height();
  }

  /** Elements of a channel. */
  public int channel() {
    return plane() * vertical.count() * horizontal.count();
  }

  /** Numbers from the first position to the last one. */
  public int numbers(int rowCount) {
    return (rowCount - 1) * width() + columns;
  }

  /** What the elements of the window meet at position 0, of several channels in turn. */
  public int[] offsets(int channels) {
    int[] offsets = new int[channels * vertical.shift().length * horizontal.shift().length];
    int next = 0;
    for (int c = 0; c < channels; c++) {
      for (int ky = 0; ky < vertical.shift().length; ky++) {
        for (int kx = 0; kx < horizontal.shift().length; kx++) {
          int plane = vertical.phase()[ky] * horizontal.count() + horizontal.phase()[kx];
          offsets[next++] =
              c * channel()
                  + plane * plane()
                  + vertical.shift()[ky] * width()
                  + horizontal.shift()[kx];
        }
      }
    }
    return offsets;
  }
}
