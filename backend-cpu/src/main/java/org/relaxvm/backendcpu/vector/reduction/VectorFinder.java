package org.relaxvm.backendcpu.vector.reduction;

import static jdk.incubator.vector.VectorOperators.ADD;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.MAX;
import static jdk.incubator.vector.VectorOperators.NE;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.ordering.FloatFinder;
import org.relaxvm.backendcpu.vector.Species;

/** Finds extreme floats in vector code: first how large they are, then where the first one is. */
public final class VectorFinder extends FloatFinder {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();

  /** Creates a finder, where vectors were chosen. */
  public VectorFinder() {}

  @Override
  public int first(float[] x, int from, int to, float sign) {
    if (to - from < LANES) {
      return super.first(x, from, to, sign);
    }
    float most = most(x, from, to, sign);
    int place = Float.isNaN(most) ? firstNan(x, from, to) : -1;
    if (place >= 0) {
      return place;
    }
    return firstEqual(x, from, to, sign * (Float.isNaN(most) ? largest(x, from, to, sign) : most));
  }

  /** NaN where some element is NaN, and maybe where infinities have both signs. */
  private static float most(float[] x, int from, int to, float sign) {
    FloatVector signs = FloatVector.broadcast(SPECIES, sign);
    FloatVector most0 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector most1 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector sum = FloatVector.broadcast(SPECIES, 0);
    int i = from;
    for (; i <= to - 2 * LANES; i += 2 * LANES) {
      FloatVector x0 = load(x, i).mul(signs);
      FloatVector x1 = load(x, i + LANES).mul(signs);
      most0 = larger(most0, x0);
      most1 = larger(most1, x1);
      sum = sum.add(x0.add(x1));
    }
    for (; i <= to - LANES; i += LANES) {
      FloatVector x0 = load(x, i).mul(signs);
      most0 = larger(most0, x0);
      sum = sum.add(x0);
    }
    // Over some elements twice, which does no harm.
    FloatVector last = load(x, to - LANES).mul(signs);
    most1 = larger(most1, last);
    sum = sum.add(last);
    return Float.isNaN(sum.reduceLanes(ADD)) ? Float.NaN : larger(most0, most1).reduceLanes(MAX);
  }

  private static FloatVector larger(FloatVector most, FloatVector x) {
    return most.blend(x, x.compare(GT, most));
  }

  private static float largest(float[] x, int from, int to, float sign) {
    float most = Float.NEGATIVE_INFINITY;
    for (int i = from; i < to; i++) {
      most = Math.max(most, sign * x[i]);
    }
    return most;
  }

  private static int firstNan(float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      if (Float.isNaN(x[i])) {
        return i;
      }
    }
    return -1;
  }

  private static int firstEqual(float[] x, int from, int to, float value) {
    FloatVector values = FloatVector.broadcast(SPECIES, value);
    for (int i = from; i <= to - LANES; i += LANES) {
      VectorMask<Float> found = load(x, i).compare(EQ, values);
      if (found.anyTrue()) {
        return i + found.firstTrue();
      }
    }
    return to - LANES + load(x, to - LANES).compare(EQ, values).firstTrue();
  }

  @Override
  public void row(float[] x, int count, float sign, int number, float[] most, int[] numbers) {
    FloatVector signs = FloatVector.broadcast(SPECIES, sign);
    IntVector numberVector = Species.of(number);
    // All arrays are longer than a row, and what lies behind it is not read.
    for (int i = 0; i < count; i += LANES) {
      FloatVector x0 = load(x, i).mul(signs);
      FloatVector kept = load(most, i);
      VectorMask<Float> more = x0.compare(LE, kept).or(kept.compare(NE, kept)).not();
      kept.blend(x0, more).intoArray(most, i);
      IntVector.fromArray(Species.INT, numbers, i)
          .blend(numberVector, more.cast(Species.INT))
          .intoArray(numbers, i);
    }
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(SPECIES, x, at);
  }
}
