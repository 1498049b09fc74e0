package org.relaxvm.backendcpu.vector.depthwise;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Windows of three rows. The code is written out because sums in an array would be sums in memory.
 */
final class RowTile3 extends RowTile {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

  private final boolean second;

  /**
   * A tile.
   *
   * @param second whether the stride is 2, not 1
   */
  RowTile3(boolean second) {
    this.second = second;
  }

  @Override
  void sum(
      float[] w,
      int wAt,
      int wStep,
      float[] b,
      int bAt,
      int bStep,
      int odd,
      int[] columns,
      float start,
      boolean relu,
      float[] c,
      int cAt,
      int cStep) {
    if (second) {
      everySecond(w, wAt, wStep, b, bAt, bStep, odd, columns, start, relu, c, cAt, cStep);
    } else {
      each(w, wAt, wStep, b, bAt, bStep, columns, start, relu, c, cAt, cStep);
    }
  }

  /** 3 rows of the window, at a stride of 1. */
  private static void each(
      float[] w,
      int wAt,
      int wStep,
      float[] b,
      int bAt,
      int bStep,
      int[] columns,
      float start,
      boolean relu,
      float[] c,
      int cAt,
      int cStep) {
    FloatVector first = FloatVector.broadcast(SPECIES, start);
    FloatVector c0 = first;
    FloatVector c1 = first;
    FloatVector c2 = first;
    FloatVector c3 = first;
    FloatVector c4 = first;
    FloatVector c5 = first;
    FloatVector c6 = first;
    FloatVector c7 = first;
    for (int x = 0; x < columns.length; x++) {
      int at = bAt + columns[x];
      int v = wAt + x;
      FloatVector w0 = FloatVector.broadcast(SPECIES, w[v]);
      FloatVector w1 = FloatVector.broadcast(SPECIES, w[v + wStep]);
      FloatVector w2 = FloatVector.broadcast(SPECIES, w[v + 2 * wStep]);
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, at);
      c0 = b0.fma(w0, c0);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, at + bStep);
      c0 = b1.fma(w1, c0);
      c1 = b1.fma(w0, c1);
      FloatVector b2 = FloatVector.fromArray(SPECIES, b, at + 2 * bStep);
      c0 = b2.fma(w2, c0);
      c1 = b2.fma(w1, c1);
      c2 = b2.fma(w0, c2);
      FloatVector b3 = FloatVector.fromArray(SPECIES, b, at + 3 * bStep);
      c1 = b3.fma(w2, c1);
      c2 = b3.fma(w1, c2);
      c3 = b3.fma(w0, c3);
      FloatVector b4 = FloatVector.fromArray(SPECIES, b, at + 4 * bStep);
      c2 = b4.fma(w2, c2);
      c3 = b4.fma(w1, c3);
      c4 = b4.fma(w0, c4);
      FloatVector b5 = FloatVector.fromArray(SPECIES, b, at + 5 * bStep);
      c3 = b5.fma(w2, c3);
      c4 = b5.fma(w1, c4);
      c5 = b5.fma(w0, c5);
      FloatVector b6 = FloatVector.fromArray(SPECIES, b, at + 6 * bStep);
      c4 = b6.fma(w2, c4);
      c5 = b6.fma(w1, c5);
      c6 = b6.fma(w0, c6);
      FloatVector b7 = FloatVector.fromArray(SPECIES, b, at + 7 * bStep);
      c5 = b7.fma(w2, c5);
      c6 = b7.fma(w1, c6);
      c7 = b7.fma(w0, c7);
      FloatVector b8 = FloatVector.fromArray(SPECIES, b, at + 8 * bStep);
      c6 = b8.fma(w2, c6);
      c7 = b8.fma(w1, c7);
      FloatVector b9 = FloatVector.fromArray(SPECIES, b, at + 9 * bStep);
      c7 = b9.fma(w2, c7);
    }
    if (relu) {
      c0 = relu(c0);
      c1 = relu(c1);
      c2 = relu(c2);
      c3 = relu(c3);
      c4 = relu(c4);
      c5 = relu(c5);
      c6 = relu(c6);
      c7 = relu(c7);
    }
    c0.intoArray(c, cAt);
    c1.intoArray(c, cAt + cStep);
    c2.intoArray(c, cAt + 2 * cStep);
    c3.intoArray(c, cAt + 3 * cStep);
    c4.intoArray(c, cAt + 4 * cStep);
    c5.intoArray(c, cAt + 5 * cStep);
    c6.intoArray(c, cAt + 6 * cStep);
    c7.intoArray(c, cAt + 7 * cStep);
  }

  /** 3 rows of the window, at a stride of 2. */
  private static void everySecond(
      float[] w,
      int wAt,
      int wStep,
      float[] b,
      int bAt,
      int bStep,
      int odd,
      int[] columns,
      float start,
      boolean relu,
      float[] c,
      int cAt,
      int cStep) {
    FloatVector first = FloatVector.broadcast(SPECIES, start);
    FloatVector c0 = first;
    FloatVector c1 = first;
    FloatVector c2 = first;
    FloatVector c3 = first;
    FloatVector c4 = first;
    FloatVector c5 = first;
    FloatVector c6 = first;
    FloatVector c7 = first;
    for (int x = 0; x < columns.length; x++) {
      int at = bAt + columns[x];
      int v = wAt + x;
      int next = at + odd;
      FloatVector w0 = FloatVector.broadcast(SPECIES, w[v]);
      FloatVector w1 = FloatVector.broadcast(SPECIES, w[v + wStep]);
      FloatVector w2 = FloatVector.broadcast(SPECIES, w[v + 2 * wStep]);
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, at);
      c0 = b0.fma(w0, c0);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, next);
      c0 = b1.fma(w1, c0);
      FloatVector b2 = FloatVector.fromArray(SPECIES, b, at + bStep);
      c0 = b2.fma(w2, c0);
      c1 = b2.fma(w0, c1);
      FloatVector b3 = FloatVector.fromArray(SPECIES, b, next + bStep);
      c1 = b3.fma(w1, c1);
      FloatVector b4 = FloatVector.fromArray(SPECIES, b, at + 2 * bStep);
      c1 = b4.fma(w2, c1);
      c2 = b4.fma(w0, c2);
      FloatVector b5 = FloatVector.fromArray(SPECIES, b, next + 2 * bStep);
      c2 = b5.fma(w1, c2);
      FloatVector b6 = FloatVector.fromArray(SPECIES, b, at + 3 * bStep);
      c2 = b6.fma(w2, c2);
      c3 = b6.fma(w0, c3);
      FloatVector b7 = FloatVector.fromArray(SPECIES, b, next + 3 * bStep);
      c3 = b7.fma(w1, c3);
      FloatVector b8 = FloatVector.fromArray(SPECIES, b, at + 4 * bStep);
      c3 = b8.fma(w2, c3);
      c4 = b8.fma(w0, c4);
      FloatVector b9 = FloatVector.fromArray(SPECIES, b, next + 4 * bStep);
      c4 = b9.fma(w1, c4);
      FloatVector b10 = FloatVector.fromArray(SPECIES, b, at + 5 * bStep);
      c4 = b10.fma(w2, c4);
      c5 = b10.fma(w0, c5);
      FloatVector b11 = FloatVector.fromArray(SPECIES, b, next + 5 * bStep);
      c5 = b11.fma(w1, c5);
      FloatVector b12 = FloatVector.fromArray(SPECIES, b, at + 6 * bStep);
      c5 = b12.fma(w2, c5);
      c6 = b12.fma(w0, c6);
      FloatVector b13 = FloatVector.fromArray(SPECIES, b, next + 6 * bStep);
      c6 = b13.fma(w1, c6);
      FloatVector b14 = FloatVector.fromArray(SPECIES, b, at + 7 * bStep);
      c6 = b14.fma(w2, c6);
      c7 = b14.fma(w0, c7);
      FloatVector b15 = FloatVector.fromArray(SPECIES, b, next + 7 * bStep);
      c7 = b15.fma(w1, c7);
      FloatVector b16 = FloatVector.fromArray(SPECIES, b, at + 8 * bStep);
      c7 = b16.fma(w2, c7);
    }
    if (relu) {
      c0 = relu(c0);
      c1 = relu(c1);
      c2 = relu(c2);
      c3 = relu(c3);
      c4 = relu(c4);
      c5 = relu(c5);
      c6 = relu(c6);
      c7 = relu(c7);
    }
    c0.intoArray(c, cAt);
    c1.intoArray(c, cAt + cStep);
    c2.intoArray(c, cAt + 2 * cStep);
    c3.intoArray(c, cAt + 3 * cStep);
    c4.intoArray(c, cAt + 4 * cStep);
    c5.intoArray(c, cAt + 5 * cStep);
    c6.intoArray(c, cAt + 6 * cStep);
    c7.intoArray(c, cAt + 7 * cStep);
  }
}
