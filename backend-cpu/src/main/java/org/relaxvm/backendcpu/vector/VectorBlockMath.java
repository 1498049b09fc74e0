package org.relaxvm.backendcpu.vector;

import static jdk.incubator.vector.VectorOperators.MAX;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.attention.BlockMath;

/** Blocks of float32 in vector code. */
public final class VectorBlockMath implements BlockMath<float[]> {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();

  /** Creates the arithmetic, where {@link VectorChoice} fell on vectors. */
  public VectorBlockMath() {}

  @Override
  public float[] array(int length) {
    return new float[length];
  }

  @Override
  public double largest(float[] x, int from, int to) {
    FloatVector max0 = Species.of(Float.NEGATIVE_INFINITY);
    FloatVector max1 = max0;
    int i = from;
    for (; i <= to - 2 * LANES; i += 2 * LANES) {
      max0 = max0.max(FloatVector.fromArray(SPECIES, x, i));
      max1 = max1.max(FloatVector.fromArray(SPECIES, x, i + LANES));
    }
    for (; i < to; i += LANES) {
      VectorMask<Float> mask = SPECIES.indexInRange(i, to);
      max0 = max0.lanewise(MAX, FloatVector.fromArray(SPECIES, x, i, mask), mask);
    }
    return max0.max(max1).reduceLanes(MAX);
  }

  @Override
  public double exponentials(float[] x, int from, int to, double shift) {
    FloatVector largest = Species.of((float) shift);
    FloatVector sum = Species.of(0f);
    int i = from;
    for (; i <= to - LANES; i += LANES) {
      FloatVector y = Weights.of(FloatVector.fromArray(SPECIES, x, i).sub(largest));
      y.intoArray(x, i);
      sum = sum.add(y);
    }
    float total = VectorSum.of(sum);
    return i < to ? total + lastExponentials(x, i, to, largest) : total;
  }

  private static float lastExponentials(float[] x, int from, int to, FloatVector largest) {
    VectorMask<Float> mask = SPECIES.indexInRange(from, to);
    FloatVector y = Weights.of(FloatVector.fromArray(SPECIES, x, from, mask).sub(largest));
    y.intoArray(x, from, mask);
    return VectorSum.of(Species.of(0f).blend(y, mask));
  }

  @Override
  public void scale(float[] x, int from, int to, double factor) {
    float times = (float) factor;
    for (int i = from; i < to; i++) {
      x[i] *= times;
    }
  }

  @Override
  public void scatter(float[] row, int count, Block<float[]> column) {
    float[] to = column.values();
    int at = column.start();
    for (int i = 0; i < count; i++) {
      to[at] = row[i];
      at += column.step();
    }
  }

  @Override
  public void multiplyAdd(
      Block<float[]> c, Block<float[]> a, int rows, Block<float[]> b, int depth, int columns) {
    int j = 0;
    for (; j <= columns - 2 * LANES; j += 2 * LANES) {
      int i = 0;
      for (; i <= rows - 4; i += 4) {
        fourRows(
            c.values(),
            c.start() + i * c.step() + j,
            c.step(),
            a.values(),
            a.start() + i * a.step(),
            a.step(),
            b.values(),
            b.start() + j,
            b.step(),
            depth);
      }
      for (; i < rows; i++) {
        oneRow(
            c.values(),
            c.start() + i * c.step() + j,
            a.values(),
            a.start() + i * a.step(),
            b.values(),
            b.start() + j,
            b.step(),
            depth);
      }
    }
    for (; j < columns; j += LANES) {
      VectorMask<Float> mask = SPECIES.indexInRange(j, columns);
      for (int i = 0; i < rows; i++) {
        lastColumns(
            c.values(),
            c.start() + i * c.step() + j,
            a.values(),
            a.start() + i * a.step(),
            b.values(),
            b.start() + j,
            b.step(),
            depth,
            mask);
      }
    }
  }

  /** Four rows and two vectors of columns: eight sums stay in registers. */
  private static void fourRows(
      float[] c,
      int cAt,
      int cStep,
      float[] a,
      int aAt,
      int aStep,
      float[] b,
      int bAt,
      int bStep,
      int depth) {
    FloatVector c00 = FloatVector.fromArray(SPECIES, c, cAt);
    FloatVector c01 = FloatVector.fromArray(SPECIES, c, cAt + LANES);
    FloatVector c10 = FloatVector.fromArray(SPECIES, c, cAt + cStep);
    FloatVector c11 = FloatVector.fromArray(SPECIES, c, cAt + cStep + LANES);
    FloatVector c20 = FloatVector.fromArray(SPECIES, c, cAt + 2 * cStep);
    FloatVector c21 = FloatVector.fromArray(SPECIES, c, cAt + 2 * cStep + LANES);
    FloatVector c30 = FloatVector.fromArray(SPECIES, c, cAt + 3 * cStep);
    FloatVector c31 = FloatVector.fromArray(SPECIES, c, cAt + 3 * cStep + LANES);
    for (int p = 0; p < depth; p++) {
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, bAt + p * bStep);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, bAt + p * bStep + LANES);
      FloatVector a0 = Species.of(a[aAt + p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      FloatVector a1 = Species.of(a[aAt + aStep + p]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      FloatVector a2 = Species.of(a[aAt + 2 * aStep + p]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      FloatVector a3 = Species.of(a[aAt + 3 * aStep + p]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c10.intoArray(c, cAt + cStep);
    c11.intoArray(c, cAt + cStep + LANES);
    c20.intoArray(c, cAt + 2 * cStep);
    c21.intoArray(c, cAt + 2 * cStep + LANES);
    c30.intoArray(c, cAt + 3 * cStep);
    c31.intoArray(c, cAt + 3 * cStep + LANES);
  }

  private static void oneRow(
      float[] c, int cAt, float[] a, int aAt, float[] b, int bAt, int bStep, int depth) {
    FloatVector c0 = FloatVector.fromArray(SPECIES, c, cAt);
    FloatVector c1 = FloatVector.fromArray(SPECIES, c, cAt + LANES);
    for (int p = 0; p < depth; p++) {
      FloatVector factor = Species.of(a[aAt + p]);
      c0 = factor.fma(FloatVector.fromArray(SPECIES, b, bAt + p * bStep), c0);
      c1 = factor.fma(FloatVector.fromArray(SPECIES, b, bAt + p * bStep + LANES), c1);
    }
    c0.intoArray(c, cAt);
    c1.intoArray(c, cAt + LANES);
  }

  private static void lastColumns(
      float[] c,
      int cAt,
      float[] a,
      int aAt,
      float[] b,
      int bAt,
      int bStep,
      int depth,
      VectorMask<Float> mask) {
    FloatVector sum = FloatVector.fromArray(SPECIES, c, cAt, mask);
    for (int p = 0; p < depth; p++) {
      sum =
          FloatVector.fromArray(SPECIES, b, bAt + p * bStep, mask).fma(Species.of(a[aAt + p]), sum);
    }
    sum.intoArray(c, cAt, mask);
  }
}
