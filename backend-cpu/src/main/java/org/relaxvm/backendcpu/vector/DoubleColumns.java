package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.normalization.ColumnMath;

/**
 * Passes over columns of float64 in vector code: four vectors of columns at once, all of their
 * rows, then the other vectors. Columns that do not fill a vector go through the same code under a
 * mask.
 */
public final class DoubleColumns implements ColumnMath<double[]> {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();
  private static final int BLOCK = 4 * LANES;

  /** Creates the passes, where {@link VectorChoice} fell on vectors. */
  public DoubleColumns() {}

  @Override
  public double[] array(int length) {
    return new double[length];
  }

  @Override
  public void means(double[] x, int rows, int width, double[] means) {
    int end = rows * width;
    int i = 0;
    for (; i <= width - BLOCK; i += BLOCK) {
      DoubleVector sum0 = DoubleVector.zero(SPECIES);
      DoubleVector sum1 = DoubleVector.zero(SPECIES);
      DoubleVector sum2 = DoubleVector.zero(SPECIES);
      DoubleVector sum3 = DoubleVector.zero(SPECIES);
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
      DoubleVector sum = DoubleVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        sum = sum.add(load(x, at));
      }
      sum.div(rows).intoArray(means, i);
    }
    if (i < width) {
      VectorMask<Double> mask = SPECIES.indexInRange(i, width);
      DoubleVector sum = DoubleVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        sum = sum.add(DoubleVector.fromArray(SPECIES, x, at, mask));
      }
      sum.div(rows).intoArray(means, i, mask);
    }
  }

  @Override
  public void squares(double[] x, int rows, int width, double[] centres, double[] squares) {
    int end = rows * width;
    int i = 0;
    for (; i <= width - BLOCK; i += BLOCK) {
      DoubleVector centre0 = load(centres, i);
      DoubleVector centre1 = load(centres, i + LANES);
      DoubleVector centre2 = load(centres, i + 2 * LANES);
      DoubleVector centre3 = load(centres, i + 3 * LANES);
      DoubleVector sum0 = DoubleVector.zero(SPECIES);
      DoubleVector sum1 = DoubleVector.zero(SPECIES);
      DoubleVector sum2 = DoubleVector.zero(SPECIES);
      DoubleVector sum3 = DoubleVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        DoubleVector x0 = load(x, at).sub(centre0);
        DoubleVector x1 = load(x, at + LANES).sub(centre1);
        DoubleVector x2 = load(x, at + 2 * LANES).sub(centre2);
        DoubleVector x3 = load(x, at + 3 * LANES).sub(centre3);
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
      DoubleVector centre = load(centres, i);
      DoubleVector sum = DoubleVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        DoubleVector distance = load(x, at).sub(centre);
        sum = distance.fma(distance, sum);
      }
      sum.intoArray(squares, i);
    }
    if (i < width) {
      VectorMask<Double> mask = SPECIES.indexInRange(i, width);
      DoubleVector centre = DoubleVector.fromArray(SPECIES, centres, i, mask);
      DoubleVector sum = DoubleVector.zero(SPECIES);
      for (int at = i; at < end; at += width) {
        DoubleVector distance = DoubleVector.fromArray(SPECIES, x, at, mask).sub(centre);
        sum = distance.fma(distance, sum);
      }
      sum.intoArray(squares, i, mask);
    }
  }

  @Override
  public void join(
      double[] means,
      double[] squares,
      int width,
      double share,
      double weight,
      double[] mean,
      double[] sum) {
    int i = 0;
    for (; i <= width - LANES; i += LANES) {
      DoubleVector before = load(mean, i);
      DoubleVector distance = load(means, i).sub(before);
      before.add(distance.mul(share)).intoArray(mean, i);
      load(sum, i).add(load(squares, i)).add(distance.mul(distance).mul(weight)).intoArray(sum, i);
    }
    for (; i < width; i++) {
      double distance = means[i] - mean[i];
      mean[i] += distance * share;
      sum[i] += squares[i] + distance * distance * weight;
    }
  }

  @Override
  public void repeat(double[] numbers, int count, int times, double[] into) {
    for (int i = 0, at = 0; i < count; i++) {
      double number = numbers[i];
      for (int end = at + times; at < end; at++) {
        into[at] = number;
      }
    }
  }

  @Override
  public void normalize(
      double[] x,
      int count,
      int width,
      double[] centre,
      double[] scale,
      double[] gamma,
      double[] beta,
      int step) {
    int factors = 0;
    for (int start = 0; start < count; start += width) {
      row(x, start, Math.min(width, count - start), centre, scale, gamma, beta, factors);
      factors += step;
    }
  }

  private static void row(
      double[] x,
      int start,
      int count,
      double[] centre,
      double[] scale,
      double[] gamma,
      double[] beta,
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
      VectorMask<Double> mask = SPECIES.indexInRange(i, count);
      DoubleVector.fromArray(SPECIES, x, start + i, mask)
          .sub(DoubleVector.fromArray(SPECIES, centre, i, mask))
          .mul(DoubleVector.fromArray(SPECIES, scale, i, mask))
          .fma(
              DoubleVector.fromArray(SPECIES, gamma, factors + i, mask),
              DoubleVector.fromArray(SPECIES, beta, factors + i, mask))
          .intoArray(x, start + i, mask);
    }
  }

  private static DoubleVector load(double[] x, int at) {
    return DoubleVector.fromArray(SPECIES, x, at);
  }
}
