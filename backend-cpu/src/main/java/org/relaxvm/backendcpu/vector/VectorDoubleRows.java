package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.normalization.DoubleRows;

/** Passes over rows of float64 in vector code, as {@link VectorRows} those of float32. */
public final class VectorDoubleRows implements DoubleRows {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();
  private static final int BLOCK = 4 * LANES;

  /** Creates the passes, where {@link VectorChoice} fell on vectors. */
  public VectorDoubleRows() {}

  @Override
  public double sum(double[] x, int count) {
    DoubleVector sum0 = DoubleVector.broadcast(SPECIES, 0);
    DoubleVector sum1 = DoubleVector.broadcast(SPECIES, 0);
    DoubleVector sum2 = DoubleVector.broadcast(SPECIES, 0);
    DoubleVector sum3 = DoubleVector.broadcast(SPECIES, 0);
    int i = 0;
    for (; i <= count - BLOCK; i += BLOCK) {
      sum0 = sum0.add(load(x, i));
      sum1 = sum1.add(load(x, i + LANES));
      sum2 = sum2.add(load(x, i + 2 * LANES));
      sum3 = sum3.add(load(x, i + 3 * LANES));
    }
    for (; i <= count - LANES; i += LANES) {
      sum0 = sum0.add(load(x, i));
    }
    if (i < count) {
      sum1 = sum1.add(DoubleVector.fromArray(SPECIES, x, i, SPECIES.indexInRange(i, count)));
    }
    return VectorSum.of(sum0.add(sum1).add(sum2.add(sum3)));
  }

  @Override
  public double squares(double[] x, int count, double centre) {
    DoubleVector middle = DoubleVector.broadcast(SPECIES, centre);
    DoubleVector sum0 = DoubleVector.broadcast(SPECIES, 0);
    DoubleVector sum1 = DoubleVector.broadcast(SPECIES, 0);
    DoubleVector sum2 = DoubleVector.broadcast(SPECIES, 0);
    DoubleVector sum3 = DoubleVector.broadcast(SPECIES, 0);
    int i = 0;
    for (; i <= count - BLOCK; i += BLOCK) {
      DoubleVector x0 = load(x, i).sub(middle);
      DoubleVector x1 = load(x, i + LANES).sub(middle);
      DoubleVector x2 = load(x, i + 2 * LANES).sub(middle);
      DoubleVector x3 = load(x, i + 3 * LANES).sub(middle);
      sum0 = x0.fma(x0, sum0);
      sum1 = x1.fma(x1, sum1);
      sum2 = x2.fma(x2, sum2);
      sum3 = x3.fma(x3, sum3);
    }
    for (; i <= count - LANES; i += LANES) {
      DoubleVector x0 = load(x, i).sub(middle);
      sum0 = x0.fma(x0, sum0);
    }
    if (i < count) {
      VectorMask<Double> mask = SPECIES.indexInRange(i, count);
      DoubleVector x0 = DoubleVector.fromArray(SPECIES, x, i, mask).sub(middle, mask);
      sum1 = x0.fma(x0, sum1);
    }
    return VectorSum.of(sum0.add(sum1).add(sum2.add(sum3)));
  }

  @Override
  public void normalize(
      double[] x, int count, double centre, double scale, double[] gamma, double[] beta) {
    DoubleVector middle = DoubleVector.broadcast(SPECIES, centre);
    DoubleVector factor = DoubleVector.broadcast(SPECIES, scale);
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      load(x, i).sub(middle).mul(factor).fma(load(gamma, i), load(beta, i)).intoArray(x, i);
    }
    if (i < count) {
      VectorMask<Double> mask = SPECIES.indexInRange(i, count);
      DoubleVector.fromArray(SPECIES, x, i, mask)
          .sub(middle)
          .mul(factor)
          .fma(
              DoubleVector.fromArray(SPECIES, gamma, i, mask),
              DoubleVector.fromArray(SPECIES, beta, i, mask))
          .intoArray(x, i, mask);
    }
  }

  private static DoubleVector load(double[] x, int at) {
    return DoubleVector.fromArray(SPECIES, x, at);
  }
}
