package org.relaxvm.backendcpu.vector.depthwise;

import java.util.Arrays;
import org.relaxvm.backendcpu.vector.conv.AxisPhases;
import org.relaxvm.backendcpu.vector.conv.BandLayout;
import org.relaxvm.backendcpu.vector.plane.PhaseRows;

/**
 * Brings rows of a plane into a band, between the zeros of the padding, which it does not write but
 * where a row of the band is outside of the image. Immutable and thread-safe.
 */
final class BandFiller {
  private final BandLayout layout;
  private final boolean whole;
  private final int imageWidth;
  // Of each phase of rows: its largest shift.
  private final int[] reach;
  private final PhaseRows phaseRows;

  /**
   * A filler.
   *
   * @param whole whether a band is always the whole plane, so that its padding never changes
   */
  BandFiller(BandLayout layout, boolean whole) {
    this.layout = layout;
    this.whole = whole;
    AxisPhases horizontal = layout.horizontal();
    imageWidth = (int) horizontal.window().input();
    AxisPhases vertical = layout.vertical();
    reach = new int[vertical.count()];
    for (int i = 0; i < vertical.shift().length; i++) {
      reach[vertical.phase()[i]] = Math.max(reach[vertical.phase()[i]], vertical.shift()[i]);
    }
    phaseRows = new PhaseRows(horizontal, layout.width(), layout.plane());
  }

  /**
   * Fills the bands of some channels.
   *
   * @param image rows of their planes, without gaps
   * @param imageRow which row of a plane is the first one
   * @param imageRows how many there are of each plane
   * @param firstRow of positions
   * @param rows of positions
   */
  void fill(
      float[] image,
      int channels,
      long imageRow,
      int imageRows,
      long firstRow,
      int rows,
      float[] band) {
    AxisPhases vertical = layout.vertical();
    int width = layout.width();
    int columnPhases = layout.horizontal().count();
    int imageStep = imageRows * imageWidth;
    int step = (int) vertical.window().stride() * imageWidth;
    for (int v = 0; v < vertical.count(); v++) {
      int to = v * columnPhases * layout.plane();
      int height = rows + reach[v];
      int first = Math.clamp(vertical.firstInside(v) - firstRow, 0, height);
      int end = Math.clamp(vertical.endInside(v) - firstRow, first, height);
      int source = (int) (vertical.place(v, firstRow + first) - imageRow) * imageWidth;
      for (int c = 0; c < channels; c++) {
        if (!whole) {
          for (int h = 0; h < columnPhases; h++) {
            int plane = to + h * layout.plane();
            Arrays.fill(band, plane, plane + first * width, 0);
            Arrays.fill(band, plane + end * width, plane + height * width, 0);
          }
        }
        if (first < end) {
          phaseRows.copy(image, source, step, end - first, band, to + first * width);
        }
        source += imageStep;
        to += layout.channel();
      }
    }
  }
}
