package org.relaxvm.backendcpu.vector.depthwise;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * The innermost piece of a depthwise convolution: a few vectors of sums, at one distance from each
 * other in a band. {@code c[cAt + i * cStep + j] = start + sum over p of w[wAt + p] * b[bAt + i *
 * bStep + offsets[p] + j]}, for each {@code j} of a vector, stored in the order of {@code i}.
 */
final class DepthwiseTile {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

  private DepthwiseTile() {}

  /** Eight vectors. */
  static void eight(
      float[] w,
      int wAt,
      float[] b,
      int bAt,
      int bStep,
      int[] offsets,
      int depth,
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
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      FloatVector factor = FloatVector.broadcast(SPECIES, w[wAt + p]);
      c0 = factor.fma(FloatVector.fromArray(SPECIES, b, at), c0);
      c1 = factor.fma(FloatVector.fromArray(SPECIES, b, at + bStep), c1);
      c2 = factor.fma(FloatVector.fromArray(SPECIES, b, at + 2 * bStep), c2);
      c3 = factor.fma(FloatVector.fromArray(SPECIES, b, at + 3 * bStep), c3);
      c4 = factor.fma(FloatVector.fromArray(SPECIES, b, at + 4 * bStep), c4);
      c5 = factor.fma(FloatVector.fromArray(SPECIES, b, at + 5 * bStep), c5);
      c6 = factor.fma(FloatVector.fromArray(SPECIES, b, at + 6 * bStep), c6);
      c7 = factor.fma(FloatVector.fromArray(SPECIES, b, at + 7 * bStep), c7);
    }
    if (relu) {
      c0 = RowTile.relu(c0);
      c1 = RowTile.relu(c1);
      c2 = RowTile.relu(c2);
      c3 = RowTile.relu(c3);
      c4 = RowTile.relu(c4);
      c5 = RowTile.relu(c5);
      c6 = RowTile.relu(c6);
      c7 = RowTile.relu(c7);
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

  /** Four vectors. */
  static void four(
      float[] w,
      int wAt,
      float[] b,
      int bAt,
      int bStep,
      int[] offsets,
      int depth,
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
    for (int p = 0; p < depth; p++) {
      int at = bAt + offsets[p];
      FloatVector factor = FloatVector.broadcast(SPECIES, w[wAt + p]);
      c0 = factor.fma(FloatVector.fromArray(SPECIES, b, at), c0);
      c1 = factor.fma(FloatVector.fromArray(SPECIES, b, at + bStep), c1);
      c2 = factor.fma(FloatVector.fromArray(SPECIES, b, at + 2 * bStep), c2);
      c3 = factor.fma(FloatVector.fromArray(SPECIES, b, at + 3 * bStep), c3);
    }
    if (relu) {
      c0 = RowTile.relu(c0);
      c1 = RowTile.relu(c1);
      c2 = RowTile.relu(c2);
      c3 = RowTile.relu(c3);
    }
    c0.intoArray(c, cAt);
    c1.intoArray(c, cAt + cStep);
    c2.intoArray(c, cAt + 2 * cStep);
    c3.intoArray(c, cAt + 3 * cStep);
  }
}
