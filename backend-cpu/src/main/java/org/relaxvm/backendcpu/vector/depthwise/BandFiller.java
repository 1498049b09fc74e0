package org.relaxvm.backendcpu.vector.depthwise;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.conv.AxisPhases;
import org.relaxvm.backendcpu.vector.conv.BandLayout;

/**
 * Brings rows of a plane into a band, between the zeros of the padding, which it does not write but
 * where a row of the band is outside of the image. Immutable and thread-safe.
 */
final class BandFiller {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final VectorShuffle<Float> EVEN = VectorShuffle.makeUnzip(SPECIES, 0);
  private static final VectorShuffle<Float> ODD = VectorShuffle.makeUnzip(SPECIES, 1);

  /** How many elements may be read behind the last one of the image. */
  static final int SLACK = 2 * LANES;

  private final BandLayout layout;
  private final boolean whole;
  private final int imageWidth;
  private final int stride;
  // Of each phase of rows: its largest shift.
  private final int[] reach;
  // Of each phase of columns: places in the band from the first element of a row to behind the
  // last one, and the column of the first one.
  private final int[] from;
  private final int[] count;
  private final int[] column;

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
    stride = (int) Math.min(Integer.MAX_VALUE, horizontal.window().stride());
    AxisPhases vertical = layout.vertical();
    reach = new int[vertical.count()];
    for (int i = 0; i < vertical.shift().length; i++) {
      reach[vertical.phase()[i]] = Math.max(reach[vertical.phase()[i]], vertical.shift()[i]);
    }
    int phases = horizontal.count();
    from = new int[phases];
    count = new int[phases];
    column = new int[phases];
    for (int h = 0; h < phases; h++) {
      from[h] = (int) Math.min(layout.width(), horizontal.firstInside(h));
      count[h] = (int) Math.min(layout.width(), horizontal.endInside(h)) - from[h];
      column[h] = count[h] > 0 ? (int) horizontal.place(h, from[h]) : 0;
    }
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
          rows(image, source, step, end - first, band, to + first * width);
        }
        source += imageStep;
        to += layout.channel();
      }
    }
  }

  private void rows(float[] image, int source, int step, int rowCount, float[] band, int to) {
    if (stride == 1) {
      if (count[0] > 0) {
        copy(image, source + column[0], step, rowCount, count[0], band, to + from[0]);
      }
    } else if (stride == 2 && from.length == 2 && count[0] > 0 && count[1] > 0) {
      int even = column[0] < column[1] ? 0 : 1;
      int odd = 1 - even;
      int other = to + odd * layout.plane() + from[odd];
      int one = to + even * layout.plane() + from[even];
      unzip(
          image, source + column[even], step, rowCount, count[even], count[odd], band, one, other);
    } else {
      for (int y = 0; y < rowCount; y++) {
        for (int h = 0; h < from.length; h++) {
          int target = to + h * layout.plane() + from[h] + y * layout.width();
          int at = source + column[h] + y * step;
          for (int i = 0; i < count[h]; i++) {
            band[target + i] = image[at + i * stride];
          }
        }
      }
    }
  }

  private void copy(
      float[] image, int source, int step, int rowCount, int length, float[] band, int target) {
    int width = layout.width();
    int at = source;
    int to = target;
    if (length < LANES) {
      VectorMask<Float> mask = SPECIES.indexInRange(0, length);
      for (int y = 0; y < rowCount; y++) {
        FloatVector.fromArray(SPECIES, image, at).intoArray(band, to, mask);
        at += step;
        to += width;
      }
      return;
    }
    int last = length - LANES;
    for (int y = 0; y < rowCount; y++) {
      for (int i = 0; i < last; i += LANES) {
        FloatVector.fromArray(SPECIES, image, at + i).intoArray(band, to + i);
      }
      // May overlap the one before.
      FloatVector.fromArray(SPECIES, image, at + last).intoArray(band, to + last);
      at += step;
      to += width;
    }
  }

  private void unzip(
      float[] image,
      int source,
      int step,
      int rowCount,
      int evens,
      int odds,
      float[] band,
      int evenTarget,
      int oddTarget) {
    int width = layout.width();
    int at = source;
    int even = evenTarget;
    int odd = oddTarget;
    int both = Math.min(evens, odds) / LANES * LANES;
    VectorMask<Float> evenMask = SPECIES.indexInRange(both, evens);
    VectorMask<Float> oddMask = SPECIES.indexInRange(both, odds);
    boolean more = both < Math.max(evens, odds);
    for (int y = 0; y < rowCount; y++) {
      for (int i = 0; i < both; i += LANES) {
        FloatVector low = FloatVector.fromArray(SPECIES, image, at + 2 * i);
        FloatVector high = FloatVector.fromArray(SPECIES, image, at + 2 * i + LANES);
        low.rearrange(EVEN, high).intoArray(band, even + i);
        low.rearrange(ODD, high).intoArray(band, odd + i);
      }
      if (more) {
        FloatVector low = FloatVector.fromArray(SPECIES, image, at + 2 * both);
        FloatVector high = FloatVector.fromArray(SPECIES, image, at + 2 * both + LANES);
        low.rearrange(EVEN, high).intoArray(band, even + both, evenMask);
        low.rearrange(ODD, high).intoArray(band, odd + both, oddMask);
      }
      at += step;
      even += width;
      odd += width;
    }
  }
}
