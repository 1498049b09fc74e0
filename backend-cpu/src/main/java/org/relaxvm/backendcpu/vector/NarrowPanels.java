package org.relaxvm.backendcpu.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.attention.PanelMath;

/**
 * Panels of attention in vector code: six rows of two vectors, 12 sums in registers, for machines
 * with 16 of them. The code is written out because sums in an array would be sums in memory, and
 * twice, because the compiler finds that indices are valid only where steps are constants.
 */
public final class NarrowPanels implements PanelMath {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final int STRIP = 2 * LANES;
  private static final int COLUMNS = Panels.COLUMNS;
  private static final int KEY_STEP = Panels.KEY_STEP;
  private static final int ROWS = 6;

  /** Creates the arithmetic, where {@link VectorChoice} fell on vectors. */
  public NarrowPanels() {}

  @Override
  public int rows() {
    return ROWS;
  }

  @Override
  public int strip() {
    return STRIP;
  }

  @Override
  public int columns() {
    return COLUMNS;
  }

  @Override
  public int keyStep() {
    return KEY_STEP;
  }

  @Override
  public void add(float[] panel, float[] other, int rows) {
    Panels.add(panel, other, rows);
  }

  @Override
  public void load(
      MemorySegment memory,
      long from,
      long next,
      int rows,
      int columns,
      float[] to,
      int at,
      int step) {
    Panels.load(memory, from, next, rows, columns, to, at, step);
  }

  @Override
  public void transpose(float[] lines, int count, int length, float factor, float[] to, int at) {
    Panels.transpose(lines, count, length, factor, to, at);
  }

  @Override
  public boolean finite(float[] x, int at, int rows) {
    return Panels.finite(x, at, at + rows * STRIP);
  }

  @Override
  public void largest(float[] panel, int rows, int columns, float[] largest) {
    Panels.largest(panel, rows, columns, largest);
  }

  @Override
  public boolean exceed(float[] x, float[] y, float slack, int count) {
    return Panels.exceed(x, y, slack, count);
  }

  @Override
  public void store(
      float[] x,
      int step,
      float[] divisors,
      int rows,
      int columns,
      MemorySegment memory,
      long to,
      long next) {
    Panels.store(x, step, divisors, rows, columns, memory, to, next);
  }

  @Override
  public void exponentials(float[] panel, int rows, int columns, float[] shift, float[] sums) {
    Panels.exponentials(panel, rows, columns, shift, sums);
  }

  @Override
  public void scores(
      float[] keys, int at, int depth, float[] queries, int queriesAt, float[] scores, int to) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero;
    FloatVector c01 = zero;
    FloatVector c10 = zero;
    FloatVector c11 = zero;
    FloatVector c20 = zero;
    FloatVector c21 = zero;
    FloatVector c30 = zero;
    FloatVector c31 = zero;
    FloatVector c40 = zero;
    FloatVector c41 = zero;
    FloatVector c50 = zero;
    FloatVector c51 = zero;
    for (int p = 0; p < depth; p++) {
      FloatVector b0 = FloatVector.fromArray(SPECIES, queries, queriesAt + p * STRIP);
      FloatVector b1 = FloatVector.fromArray(SPECIES, queries, queriesAt + p * STRIP + LANES);
      FloatVector a0 = FloatVector.broadcast(SPECIES, keys[at + p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      FloatVector a1 = FloatVector.broadcast(SPECIES, keys[at + KEY_STEP + p]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      FloatVector a2 = FloatVector.broadcast(SPECIES, keys[at + 2 * KEY_STEP + p]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      FloatVector a3 = FloatVector.broadcast(SPECIES, keys[at + 3 * KEY_STEP + p]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      FloatVector a4 = FloatVector.broadcast(SPECIES, keys[at + 4 * KEY_STEP + p]);
      c40 = a4.fma(b0, c40);
      c41 = a4.fma(b1, c41);
      FloatVector a5 = FloatVector.broadcast(SPECIES, keys[at + 5 * KEY_STEP + p]);
      c50 = a5.fma(b0, c50);
      c51 = a5.fma(b1, c51);
    }
    c00.intoArray(scores, to);
    c01.intoArray(scores, to + LANES);
    c10.intoArray(scores, to + COLUMNS);
    c11.intoArray(scores, to + COLUMNS + LANES);
    c20.intoArray(scores, to + 2 * COLUMNS);
    c21.intoArray(scores, to + 2 * COLUMNS + LANES);
    c30.intoArray(scores, to + 3 * COLUMNS);
    c31.intoArray(scores, to + 3 * COLUMNS + LANES);
    c40.intoArray(scores, to + 4 * COLUMNS);
    c41.intoArray(scores, to + 4 * COLUMNS + LANES);
    c50.intoArray(scores, to + 5 * COLUMNS);
    c51.intoArray(scores, to + 5 * COLUMNS + LANES);
  }

  @Override
  public void addValues(
      float[] weights,
      int query,
      int keys,
      float[] values,
      int valuesAt,
      float[] sums,
      int to,
      int step) {
    FloatVector c00 = FloatVector.fromArray(SPECIES, sums, to);
    FloatVector c01 = FloatVector.fromArray(SPECIES, sums, to + LANES);
    FloatVector c10 = FloatVector.fromArray(SPECIES, sums, to + step);
    FloatVector c11 = FloatVector.fromArray(SPECIES, sums, to + step + LANES);
    FloatVector c20 = FloatVector.fromArray(SPECIES, sums, to + 2 * step);
    FloatVector c21 = FloatVector.fromArray(SPECIES, sums, to + 2 * step + LANES);
    FloatVector c30 = FloatVector.fromArray(SPECIES, sums, to + 3 * step);
    FloatVector c31 = FloatVector.fromArray(SPECIES, sums, to + 3 * step + LANES);
    FloatVector c40 = FloatVector.fromArray(SPECIES, sums, to + 4 * step);
    FloatVector c41 = FloatVector.fromArray(SPECIES, sums, to + 4 * step + LANES);
    FloatVector c50 = FloatVector.fromArray(SPECIES, sums, to + 5 * step);
    FloatVector c51 = FloatVector.fromArray(SPECIES, sums, to + 5 * step + LANES);
    for (int p = 0; p < keys; p++) {
      FloatVector b0 = FloatVector.fromArray(SPECIES, values, valuesAt + p * STRIP);
      FloatVector b1 = FloatVector.fromArray(SPECIES, values, valuesAt + p * STRIP + LANES);
      FloatVector a0 = FloatVector.broadcast(SPECIES, weights[query + p * COLUMNS]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      FloatVector a1 = FloatVector.broadcast(SPECIES, weights[query + p * COLUMNS + 1]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      FloatVector a2 = FloatVector.broadcast(SPECIES, weights[query + p * COLUMNS + 2]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      FloatVector a3 = FloatVector.broadcast(SPECIES, weights[query + p * COLUMNS + 3]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      FloatVector a4 = FloatVector.broadcast(SPECIES, weights[query + p * COLUMNS + 4]);
      c40 = a4.fma(b0, c40);
      c41 = a4.fma(b1, c41);
      FloatVector a5 = FloatVector.broadcast(SPECIES, weights[query + p * COLUMNS + 5]);
      c50 = a5.fma(b0, c50);
      c51 = a5.fma(b1, c51);
    }
    c00.intoArray(sums, to);
    c01.intoArray(sums, to + LANES);
    c10.intoArray(sums, to + step);
    c11.intoArray(sums, to + step + LANES);
    c20.intoArray(sums, to + 2 * step);
    c21.intoArray(sums, to + 2 * step + LANES);
    c30.intoArray(sums, to + 3 * step);
    c31.intoArray(sums, to + 3 * step + LANES);
    c40.intoArray(sums, to + 4 * step);
    c41.intoArray(sums, to + 4 * step + LANES);
    c50.intoArray(sums, to + 5 * step);
    c51.intoArray(sums, to + 5 * step + LANES);
  }
}
