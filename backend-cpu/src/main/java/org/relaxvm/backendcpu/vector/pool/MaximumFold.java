package org.relaxvm.backendcpu.vector.pool;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/** The largest element. */
final class MaximumFold extends Fold {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();

  @Override
  int slack() {
    return 2 * LANES;
  }

  @Override
  float neutral() {
    return Float.NEGATIVE_INFINITY;
  }

  private static FloatVector fold(FloatVector a, FloatVector b) {
    return a.max(b);
  }

  private static FloatVector load(float[] from, int at) {
    return FloatVector.fromArray(SPECIES, from, at);
  }

  // Loops over columns are no counted ones, whose beginning takes longer than a short row.
  @Override
  void rows(
      float[] from,
      int planes,
      int planeStep,
      Rows rows,
      int width,
      float[] to,
      int toAt,
      int toStep) {
    int target = toAt;
    int step = rows.step();
    for (int c = 0; c < planes; c++) {
      for (int y = 0; y < rows.at().length; y++) {
        int at = c * planeStep + rows.at()[y];
        switch (rows.count()[y]) {
          case 0 -> Arrays.fill(to, target, target + width, neutral());
          case 1 -> System.arraycopy(from, at, to, target, width);
          case 2 -> two(from, at, at + step, width, to, target);
          case 3 -> three(from, at, at + step, at + 2 * step, width, to, target);
          default -> more(from, at, step, rows.count()[y], width, to, target);
        }
        target += toStep;
      }
    }
  }

  private static void two(float[] from, int first, int second, int width, float[] to, int toAt) {
    if (width < LANES) {
      int x = 0;
      fold(load(from, first + x), load(from, second + x))
          .intoArray(to, toAt, SPECIES.indexInRange(0, width));
      return;
    }
    int last = width - LANES;
    for (int x = 0; ; x = Math.min(x + LANES, last)) {
      fold(load(from, first + x), load(from, second + x)).intoArray(to, toAt + x);
      if (x == last) {
        return;
      }
    }
  }

  private static void three(
      float[] from, int first, int second, int third, int width, float[] to, int toAt) {
    if (width < LANES) {
      int x = 0;
      fold(fold(load(from, first + x), load(from, second + x)), load(from, third + x))
          .intoArray(to, toAt, SPECIES.indexInRange(0, width));
      return;
    }
    int last = width - LANES;
    for (int x = 0; ; x = Math.min(x + LANES, last)) {
      fold(fold(load(from, first + x), load(from, second + x)), load(from, third + x))
          .intoArray(to, toAt + x);
      if (x == last) {
        return;
      }
    }
  }

  private static void more(
      float[] from, int at, int step, int count, int width, float[] to, int toAt) {
    VectorMask<Float> mask = SPECIES.indexInRange(0, width);
    int last = Math.max(0, width - LANES);
    for (int x = 0; ; x = Math.min(x + LANES, last)) {
      FloatVector folded = load(from, at + x);
      for (int k = 1; k < count; k++) {
        folded = fold(folded, load(from, at + k * step + x));
      }
      folded.intoArray(to, toAt + x, mask);
      if (x == last) {
        return;
      }
    }
  }

  @Override
  void columns(float[] from, int[] offsets, float[] to, int count) {
    if (offsets.length == 1) {
      System.arraycopy(from, offsets[0], to, 0, count);
    } else if (offsets.length == 2) {
      two(from, offsets[0], offsets[1], to, count);
    } else if (offsets.length == 3) {
      three(from, offsets[0], offsets[1], offsets[2], to, count);
    } else {
      more(from, offsets, to, count);
    }
  }

  private static void two(float[] from, int first, int second, float[] to, int count) {
    for (int i = 0; i < count; i += LANES) {
      fold(load(from, first + i), load(from, second + i)).intoArray(to, i);
    }
  }

  private static void three(float[] from, int first, int second, int third, float[] to, int count) {
    for (int i = 0; i < count; i += LANES) {
      fold(fold(load(from, first + i), load(from, second + i)), load(from, third + i))
          .intoArray(to, i);
    }
  }

  private static void more(float[] from, int[] offsets, float[] to, int count) {
    for (int i = 0; i < count; i += LANES) {
      FloatVector folded = load(from, offsets[0] + i);
      for (int p = 1; p < offsets.length; p++) {
        folded = fold(folded, load(from, offsets[p] + i));
      }
      folded.intoArray(to, i);
    }
  }

  @Override
  void finish(float[] from, int lines, int step, int width, Rows rows, float[] inside, float[] to) {
    int last = Math.max(0, width - LANES);
    for (int line = 0; line < lines; line++) {
      int at = line * step;
      int toAt = line * width;
      for (int x = 0; ; x = Math.min(x + LANES, last)) {
        load(from, at + x).intoArray(to, toAt + x);
        if (x == last) {
          break;
        }
      }
    }
  }
}
