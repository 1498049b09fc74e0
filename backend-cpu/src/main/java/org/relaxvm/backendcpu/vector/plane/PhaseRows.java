package org.relaxvm.backendcpu.vector.plane;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.conv.AxisPhases;

/**
 * Copies rows of an image to where padding lies around them, cut into phases by the stride. Writes
 * nothing into the padding. Immutable and thread-safe.
 */
public final class PhaseRows {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final VectorShuffle<Float> EVEN = VectorShuffle.makeUnzip(SPECIES, 0);
  private static final VectorShuffle<Float> ODD = VectorShuffle.makeUnzip(SPECIES, 1);
  private static final VectorShuffle<Float> EVEN_OF_ONE =
      VectorShuffle.fromOp(SPECIES, i -> 2 * i % LANES);
  private static final VectorShuffle<Float> ODD_OF_ONE =
      VectorShuffle.fromOp(SPECIES, i -> 2 * i % LANES + 1);

  /** How many elements may be read after the last one of the image. */
  public static final int SLACK = 2 * LANES;

  private final int width;
  private final int phaseStep;
  private final int stride;
  // Of each phase: places from the first element of a row to behind the last one, and the column
  // of the first one.
  private final int[] from;
  private final int[] count;
  private final int[] column;

  /**
   * Copies rows so.
   *
   * @param horizontal how columns are cut into phases
   * @param width places from one row of a phase to the next one
   * @param phaseStep places from one phase to the next one
   */
  public PhaseRows(AxisPhases horizontal, int width, int phaseStep) {
    this.width = width;
    this.phaseStep = phaseStep;
    stride = (int) Math.min(Integer.MAX_VALUE, horizontal.window().stride());
    int phases = horizontal.count();
    from = new int[phases];
    count = new int[phases];
    column = new int[phases];
    for (int h = 0; h < phases; h++) {
      from[h] = (int) Math.min(width, horizontal.firstInside(h));
      count[h] = (int) Math.min(width, horizontal.endInside(h)) - from[h];
      column[h] = count[h] > 0 ? (int) horizontal.place(h, from[h]) : 0;
    }
  }

  /**
   * Copies rows.
   *
   * @param image rows, the first one at {@code source}
   * @param step from one of these rows to the next one
   * @param to where the first row of the first phase starts, padding included
   */
  public void copy(float[] image, int source, int step, int rowCount, float[] into, int to) {
    if (stride == 1) {
      if (count[0] > 0) {
        one(image, source + column[0], step, rowCount, count[0], into, to + from[0]);
      }
    } else if (stride == 2 && from.length == 2 && count[0] > 0 && count[1] > 0) {
      int even = column[0] < column[1] ? 0 : 1;
      int odd = 1 - even;
      int other = to + odd * phaseStep + from[odd];
      int one = to + even * phaseStep + from[even];
      two(image, source + column[even], step, rowCount, count[even], count[odd], into, one, other);
    } else {
      for (int y = 0; y < rowCount; y++) {
        for (int h = 0; h < from.length; h++) {
          int target = to + h * phaseStep + from[h] + y * width;
          int at = source + column[h] + y * step;
          for (int i = 0; i < count[h]; i++) {
            into[target + i] = image[at + i * stride];
          }
        }
      }
    }
  }

  private void one(
      float[] image, int source, int step, int rowCount, int length, float[] into, int target) {
    int at = source;
    int to = target;
    if (length < LANES) {
      VectorMask<Float> mask = SPECIES.indexInRange(0, length);
      for (int y = 0; y < rowCount; y++) {
        FloatVector.fromArray(SPECIES, image, at).intoArray(into, to, mask);
        at += step;
        to += width;
      }
      return;
    }
    int last = length - LANES;
    for (int y = 0; y < rowCount; y++) {
      // No counted loop: its beginning would take longer than a short row.
      for (int i = 0; ; i = Math.min(i + LANES, last)) {
        FloatVector.fromArray(SPECIES, image, at + i).intoArray(into, to + i);
        if (i == last) {
          break;
        }
      }
      at += step;
      to += width;
    }
  }

  private void two(
      float[] image,
      int source,
      int step,
      int rowCount,
      int evens,
      int odds,
      float[] into,
      int evenTarget,
      int oddTarget) {
    if (evens <= LANES / 2) {
      twoShort(image, source, step, rowCount, evens, odds, into, evenTarget, oddTarget);
      return;
    }
    int at = source;
    int even = evenTarget;
    int odd = oddTarget;
    int last = Math.max(0, Math.max(evens, odds) - LANES);
    VectorMask<Float> evenMask = SPECIES.indexInRange(last, evens);
    VectorMask<Float> oddMask = SPECIES.indexInRange(last, odds);
    for (int y = 0; y < rowCount; y++) {
      for (int i = 0; i != last; i = Math.min(i + LANES, last)) {
        FloatVector low = FloatVector.fromArray(SPECIES, image, at + 2 * i);
        FloatVector high = FloatVector.fromArray(SPECIES, image, at + 2 * i + LANES);
        low.rearrange(EVEN, high).intoArray(into, even + i);
        low.rearrange(ODD, high).intoArray(into, odd + i);
      }
      FloatVector low = FloatVector.fromArray(SPECIES, image, at + 2 * last);
      FloatVector high = FloatVector.fromArray(SPECIES, image, at + 2 * last + LANES);
      low.rearrange(EVEN, high).intoArray(into, even + last, evenMask);
      low.rearrange(ODD, high).intoArray(into, odd + last, oddMask);
      at += step;
      even += width;
      odd += width;
    }
  }

  /** Rows of one vector. */
  private void twoShort(
      float[] image,
      int source,
      int step,
      int rowCount,
      int evens,
      int odds,
      float[] into,
      int evenTarget,
      int oddTarget) {
    VectorMask<Float> evenMask = SPECIES.indexInRange(0, evens);
    VectorMask<Float> oddMask = SPECIES.indexInRange(0, odds);
    int at = source;
    int to = 0;
    for (int y = 0; y < rowCount; y++) {
      FloatVector row = FloatVector.fromArray(SPECIES, image, at);
      row.rearrange(EVEN_OF_ONE).intoArray(into, evenTarget + to, evenMask);
      row.rearrange(ODD_OF_ONE).intoArray(into, oddTarget + to, oddMask);
      at += step;
      to += width;
    }
  }
}
