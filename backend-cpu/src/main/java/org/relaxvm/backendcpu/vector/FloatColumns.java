package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.normalization.ColumnMath;

/**
 * Passes over columns of float32 in vector code: four vectors of columns at once, all of their
 * rows, then the other vectors. Columns that do not fill a vector go through the same code under a
 * mask.
 */
public final class FloatColumns implements ColumnMath<float[]> {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final VectorSpecies<Double> WIDE = Species.DOUBLE;
  private static final VectorSpecies<Float> NARROW =
      VectorSpecies.of(float.class, VectorShape.forBitSize(WIDE.vectorBitSize() / 2));
  private static final int WIDTH = WIDE.length();
  private static final int LANES = SPECIES.length();
  private static final int BLOCK = 4 * LANES;

  /** Creates the passes, where {@link VectorChoice} fell on vectors. */
  public FloatColumns() {}

  @Override
  public float[] array(int length) {
    return new float[length];
  }

  @Override
  public void means(float[] x, int rows, int width, float[] means) {
    int end = rows * width;
    int i = 0;
    for (; i <= width - BLOCK; i += BLOCK) {
      FloatVector sum0 = FloatVector.zero(SPECIES);
      FloatVector sum1 = FloatVector.zero(SPECIES);
      FloatVector sum2 = FloatVector.zero(SPECIES);
      FloatVector sum3 = FloatVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        sum0 = sum0.add(load(x, at));
        sum1 = sum1.add(load(x, at + LANES));
        sum2 = sum2.add(load(x, at + 2 * LANES));
        sum3 = sum3.add(load(x, at + 3 * LANES));
      }
      sum0.div(rows).intoArray(means, i);
      sum1.div(rows).intoArray(means, i + LANES);
      sum2.div(rows).intoArray(means, i + 2 * LANES);
      sum3.div(rows).intoArray(means, i + 3 * LANES);
    }
    for (; i <= width - LANES; i += LANES) {
      FloatVector sum = FloatVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        sum = sum.add(load(x, at));
      }
      sum.div(rows).intoArray(means, i);
    }
    if (i < width) {
      VectorMask<Float> mask = SPECIES.indexInRange(i, width);
      FloatVector sum = FloatVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        sum = sum.add(FloatVector.fromArray(SPECIES, x, at, mask));
      }
      sum.div(rows).intoArray(means, i, mask);
    }
  }

  @Override
  public void squares(float[] x, int rows, int width, float[] centres, float[] squares) {
    int end = rows * width;
    int i = 0;
    for (; i <= width - BLOCK; i += BLOCK) {
      FloatVector centre0 = load(centres, i);
      FloatVector centre1 = load(centres, i + LANES);
      FloatVector centre2 = load(centres, i + 2 * LANES);
      FloatVector centre3 = load(centres, i + 3 * LANES);
      FloatVector sum0 = FloatVector.zero(SPECIES);
      FloatVector sum1 = FloatVector.zero(SPECIES);
      FloatVector sum2 = FloatVector.zero(SPECIES);
      FloatVector sum3 = FloatVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        FloatVector x0 = load(x, at).sub(centre0);
        FloatVector x1 = load(x, at + LANES).sub(centre1);
        FloatVector x2 = load(x, at + 2 * LANES).sub(centre2);
        FloatVector x3 = load(x, at + 3 * LANES).sub(centre3);
        sum0 = x0.fma(x0, sum0);
        sum1 = x1.fma(x1, sum1);
        sum2 = x2.fma(x2, sum2);
        sum3 = x3.fma(x3, sum3);
      }
      sum0.intoArray(squares, i);
      sum1.intoArray(squares, i + LANES);
      sum2.intoArray(squares, i + 2 * LANES);
      sum3.intoArray(squares, i + 3 * LANES);
    }
    for (; i <= width - LANES; i += LANES) {
      FloatVector centre = load(centres, i);
      FloatVector sum = FloatVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        FloatVector distance = load(x, at).sub(centre);
        sum = distance.fma(distance, sum);
      }
      sum.intoArray(squares, i);
    }
    if (i < width) {
      VectorMask<Float> mask = SPECIES.indexInRange(i, width);
      FloatVector centre = FloatVector.fromArray(SPECIES, centres, i, mask);
      FloatVector sum = FloatVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        FloatVector distance = FloatVector.fromArray(SPECIES, x, at, mask).sub(centre);
        sum = distance.fma(distance, sum);
      }
      sum.intoArray(squares, i, mask);
    }
  }

  @Override
  public void join(
      float[] means,
      float[] squares,
      int width,
      double share,
      double weight,
      double[] mean,
      double[] sum) {
    int i = 0;
    for (; i <= width - WIDTH; i += WIDTH) {
      DoubleVector before = DoubleVector.fromArray(WIDE, mean, i);
      DoubleVector distance = wide(means, i).sub(before);
      before.add(distance.mul(share)).intoArray(mean, i);
      DoubleVector.fromArray(WIDE, sum, i)
          .add(wide(squares, i))
          .add(distance.mul(distance).mul(weight))
          .intoArray(sum, i);
    }
    for (; i < width; i++) {
      double distance = means[i] - mean[i];
      mean[i] += distance * share;
      sum[i] += squares[i] + distance * distance * weight;
    }
  }

  @Override
  public void repeat(double[] numbers, int count, int times, float[] into) {
    for (int i = 0, at = 0; i < count; i++) {
      float number = (float) numbers[i];
      for (int end = at + times; at < end; at++) {
        into[at] = number;
      }
    }
  }

  @Override
  public void normalize(
      float[] x,
      int count,
      int width,
      float[] centre,
      float[] scale,
      float[] gamma,
      float[] beta,
      int step) {
    int factors = 0;
    for (int start = 0; start < count; start += width) {
      row(x, start, Math.min(width, count - start), centre, scale, gamma, beta, factors);
      factors += step;
    }
  }

  private static void row(
      float[] x,
      int start,
      int count,
      float[] centre,
      float[] scale,
      float[] gamma,
      float[] beta,
      int factors) {
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      load(x, start + i)
          .sub(load(centre, i))
          .mul(load(scale, i))
          .fma(load(gamma, factors + i), load(beta, factors + i))
          .intoArray(x, start + i);
    }
    if (i < count) {
      VectorMask<Float> mask = SPECIES.indexInRange(i, count);
      FloatVector.fromArray(SPECIES, x, start + i, mask)
          .sub(FloatVector.fromArray(SPECIES, centre, i, mask))
          .mul(FloatVector.fromArray(SPECIES, scale, i, mask))
          .fma(
              FloatVector.fromArray(SPECIES, gamma, factors + i, mask),
              FloatVector.fromArray(SPECIES, beta, factors + i, mask))
          .intoArray(x, start + i, mask);
    }
  }

  private static DoubleVector wide(float[] x, int at) {
    return (DoubleVector)
        FloatVector.fromArray(NARROW, x, at).convertShape(VectorOperators.F2D, WIDE, 0);
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(SPECIES, x, at);
  }
}
