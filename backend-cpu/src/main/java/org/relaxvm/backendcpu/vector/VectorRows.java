package org.relaxvm.backendcpu.vector;

import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.MAX;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.normalization.FloatRows;

/**
 * Passes over rows in vector code. Four vectors are under way at once: one sum would wait for each
 * addition. The elements that do not fill a vector go through the same code under a mask.
 */
public final class VectorRows implements FloatRows {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final int BLOCK = 4 * LANES;
  private static final FloatVector LOWEST = Species.of(Float.NEGATIVE_INFINITY);

  /** Creates the passes, where {@link VectorChoice} fell on vectors. */
  public VectorRows() {}

  @Override
  public double sum(float[] x, int count) {
    FloatVector sum0 = Species.of(0f);
    FloatVector sum1 = Species.of(0f);
    FloatVector sum2 = Species.of(0f);
    FloatVector sum3 = Species.of(0f);
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
      sum1 = sum1.add(FloatVector.fromArray(SPECIES, x, i, rest(i, count)));
    }
    return VectorSum.of(sum0.add(sum1).add(sum2.add(sum3)));
  }

  @Override
  public double squares(float[] x, int count, float centre) {
    FloatVector middle = Species.of(centre);
    FloatVector sum0 = Species.of(0f);
    FloatVector sum1 = Species.of(0f);
    FloatVector sum2 = Species.of(0f);
    FloatVector sum3 = Species.of(0f);
    int i = 0;
    for (; i <= count - BLOCK; i += BLOCK) {
      FloatVector x0 = load(x, i).sub(middle);
      FloatVector x1 = load(x, i + LANES).sub(middle);
      FloatVector x2 = load(x, i + 2 * LANES).sub(middle);
      FloatVector x3 = load(x, i + 3 * LANES).sub(middle);
      sum0 = x0.fma(x0, sum0);
      sum1 = x1.fma(x1, sum1);
      sum2 = x2.fma(x2, sum2);
      sum3 = x3.fma(x3, sum3);
    }
    for (; i <= count - LANES; i += LANES) {
      FloatVector x0 = load(x, i).sub(middle);
      sum0 = x0.fma(x0, sum0);
    }
    if (i < count) {
      VectorMask<Float> mask = rest(i, count);
      FloatVector x0 = FloatVector.fromArray(SPECIES, x, i, mask).sub(middle, mask);
      sum1 = x0.fma(x0, sum1);
    }
    return VectorSum.of(sum0.add(sum1).add(sum2.add(sum3)));
  }

  @Override
  public void normalize(
      float[] x, int count, float centre, float scale, float[] gamma, float[] beta) {
    FloatVector middle = Species.of(centre);
    FloatVector factor = Species.of(scale);
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      load(x, i).sub(middle).mul(factor).fma(load(gamma, i), load(beta, i)).intoArray(x, i);
    }
    if (i < count) {
      VectorMask<Float> mask = rest(i, count);
      FloatVector.fromArray(SPECIES, x, i, mask)
          .sub(middle)
          .mul(factor)
          .fma(
              FloatVector.fromArray(SPECIES, gamma, i, mask),
              FloatVector.fromArray(SPECIES, beta, i, mask))
          .intoArray(x, i, mask);
    }
  }

  @Override
  public void normalize(float[] x, int count, float centre, float scale, float gamma, float beta) {
    FloatVector middle = Species.of(centre);
    FloatVector factor = Species.of(scale);
    FloatVector gammas = Species.of(gamma);
    FloatVector betas = Species.of(beta);
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      load(x, i).sub(middle).mul(factor).fma(gammas, betas).intoArray(x, i);
    }
    if (i < count) {
      VectorMask<Float> mask = rest(i, count);
      FloatVector.fromArray(SPECIES, x, i, mask)
          .sub(middle)
          .mul(factor)
          .fma(gammas, betas)
          .intoArray(x, i, mask);
    }
  }

  @Override
  public float largest(float[] x, int count) {
    FloatVector max0 = Species.of(Float.NEGATIVE_INFINITY);
    FloatVector max1 = Species.of(Float.NEGATIVE_INFINITY);
    FloatVector max2 = Species.of(Float.NEGATIVE_INFINITY);
    FloatVector max3 = Species.of(Float.NEGATIVE_INFINITY);
    int i = 0;
    for (; i <= count - BLOCK; i += BLOCK) {
      max0 = larger(max0, load(x, i));
      max1 = larger(max1, load(x, i + LANES));
      max2 = larger(max2, load(x, i + 2 * LANES));
      max3 = larger(max3, load(x, i + 3 * LANES));
    }
    for (; i <= count - LANES; i += LANES) {
      max0 = larger(max0, load(x, i));
    }
    if (i < count) {
      VectorMask<Float> mask = rest(i, count);
      max1 = larger(max1, LOWEST.blend(FloatVector.fromArray(SPECIES, x, i, mask), mask));
    }
    return max0.max(max1).max(max2.max(max3)).reduceLanes(MAX);
  }

  /** Two operations where {@code max}, which keeps NaN, is five. */
  private static FloatVector larger(FloatVector max, FloatVector x) {
    return max.blend(x, x.compare(GT, max));
  }

  @Override
  public float exponentials(float[] x, int count, float shift) {
    return Weights.replace(x, count, shift);
  }

  @Override
  public float sumOfExponentials(float[] x, int count, float shift) {
    return Weights.sum(x, count, shift);
  }

  @Override
  public void raise(float[] largest, float[] x, int count) {
    int whole = count - count % LANES;
    for (int i = 0; i < whole; i += LANES) {
      larger(load(largest, i), load(x, i)).intoArray(largest, i);
    }
    for (int i = whole; i < count; i++) {
      largest[i] = x[i] > largest[i] ? x[i] : largest[i];
    }
  }

  @Override
  public void exponentials(float[] x, float[] shift, int count) {
    Weights.replace(x, shift, count);
  }

  @Override
  public void scale(float[] x, int count, float factor) {
    for (int i = 0; i < count; i++) {
      x[i] *= factor;
    }
  }

  private static VectorMask<Float> rest(int from, int count) {
    return SPECIES.indexInRange(from, count);
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(SPECIES, x, at);
  }
}
