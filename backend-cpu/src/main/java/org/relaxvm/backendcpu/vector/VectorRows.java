package org.relaxvm.backendcpu.vector;

import static jdk.incubator.vector.VectorOperators.MAX;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.FloatRows;

/**
 * Passes over rows in vector code. Four vectors are under way at once: one sum would wait for each
 * addition. The elements that do not fill a vector go through the same code under a mask.
 */
public final class VectorRows implements FloatRows {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final int BLOCK = 4 * LANES;
  private static final long BYTES = SPECIES.vectorByteSize();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Creates the passes, where {@link VectorChoice} fell on vectors. */
  public VectorRows() {}

  @Override
  public double sum(MemorySegment x, long at, int count) {
    FloatVector sum0 = Species.of(0f);
    FloatVector sum1 = sum0;
    FloatVector sum2 = sum0;
    FloatVector sum3 = sum0;
    int i = 0;
    for (; i <= count - BLOCK; i += BLOCK) {
      long place = at + (long) i * Float.BYTES;
      sum0 = sum0.add(load(x, place));
      sum1 = sum1.add(load(x, place + BYTES));
      sum2 = sum2.add(load(x, place + 2 * BYTES));
      sum3 = sum3.add(load(x, place + 3 * BYTES));
    }
    for (; i <= count - LANES; i += LANES) {
      sum0 = sum0.add(load(x, at + (long) i * Float.BYTES));
    }
    if (i < count) {
      sum1 = sum1.add(load(x, at + (long) i * Float.BYTES, rest(i, count)));
    }
    return VectorSum.of(sum0.add(sum1).add(sum2.add(sum3)));
  }

  @Override
  public double squares(MemorySegment x, long at, int count, float centre) {
    FloatVector middle = Species.of(centre);
    FloatVector sum0 = Species.of(0f);
    FloatVector sum1 = sum0;
    FloatVector sum2 = sum0;
    FloatVector sum3 = sum0;
    int i = 0;
    for (; i <= count - BLOCK; i += BLOCK) {
      long place = at + (long) i * Float.BYTES;
      FloatVector x0 = load(x, place).sub(middle);
      FloatVector x1 = load(x, place + BYTES).sub(middle);
      FloatVector x2 = load(x, place + 2 * BYTES).sub(middle);
      FloatVector x3 = load(x, place + 3 * BYTES).sub(middle);
      sum0 = x0.fma(x0, sum0);
      sum1 = x1.fma(x1, sum1);
      sum2 = x2.fma(x2, sum2);
      sum3 = x3.fma(x3, sum3);
    }
    for (; i <= count - LANES; i += LANES) {
      FloatVector x0 = load(x, at + (long) i * Float.BYTES).sub(middle);
      sum0 = x0.fma(x0, sum0);
    }
    if (i < count) {
      VectorMask<Float> mask = rest(i, count);
      FloatVector x0 = load(x, at + (long) i * Float.BYTES, mask).sub(middle, mask);
      sum1 = x0.fma(x0, sum1);
    }
    return VectorSum.of(sum0.add(sum1).add(sum2.add(sum3)));
  }

  @Override
  public void normalize(
      MemorySegment x,
      long at,
      MemorySegment out,
      long to,
      int count,
      float centre,
      float scale,
      MemorySegment gamma,
      long gammaAt,
      MemorySegment beta,
      long betaAt) {
    FloatVector middle = Species.of(centre);
    FloatVector factor = Species.of(scale);
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      long step = (long) i * Float.BYTES;
      load(x, at + step)
          .sub(middle)
          .mul(factor)
          .fma(load(gamma, gammaAt + step), load(beta, betaAt + step))
          .intoMemorySegment(out, to + step, ORDER);
    }
    if (i < count) {
      long step = (long) i * Float.BYTES;
      VectorMask<Float> mask = rest(i, count);
      load(x, at + step, mask)
          .sub(middle)
          .mul(factor)
          .fma(load(gamma, gammaAt + step, mask), load(beta, betaAt + step, mask))
          .intoMemorySegment(out, to + step, ORDER, mask);
    }
  }

  @Override
  public void normalize(
      MemorySegment x,
      long at,
      MemorySegment out,
      long to,
      int count,
      float centre,
      float scale,
      float gamma,
      float beta) {
    FloatVector middle = Species.of(centre);
    FloatVector factor = Species.of(scale);
    FloatVector gammas = Species.of(gamma);
    FloatVector betas = Species.of(beta);
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      long step = (long) i * Float.BYTES;
      load(x, at + step)
          .sub(middle)
          .mul(factor)
          .fma(gammas, betas)
          .intoMemorySegment(out, to + step, ORDER);
    }
    if (i < count) {
      long step = (long) i * Float.BYTES;
      VectorMask<Float> mask = rest(i, count);
      load(x, at + step, mask)
          .sub(middle)
          .mul(factor)
          .fma(gammas, betas)
          .intoMemorySegment(out, to + step, ORDER, mask);
    }
  }

  @Override
  public void softmax(
      MemorySegment x, long at, MemorySegment out, long to, int count, boolean logarithm) {
    float largest = largest(x, at, count);
    if (logarithm) {
      float logSum = (float) Math.log(sumOfExponentials(x, at, count, largest));
      normalize(x, at, out, to, count, largest, 1, 1, -logSum);
    } else {
      float sum = storeExponentials(x, at, out, to, count, largest);
      divide(out, to, count, sum);
    }
  }

  private static float largest(MemorySegment x, long at, int count) {
    FloatVector max0 = Species.of(Float.NEGATIVE_INFINITY);
    FloatVector max1 = max0;
    FloatVector max2 = max0;
    FloatVector max3 = max0;
    int i = 0;
    for (; i <= count - BLOCK; i += BLOCK) {
      long place = at + (long) i * Float.BYTES;
      max0 = max0.max(load(x, place));
      max1 = max1.max(load(x, place + BYTES));
      max2 = max2.max(load(x, place + 2 * BYTES));
      max3 = max3.max(load(x, place + 3 * BYTES));
    }
    for (; i <= count - LANES; i += LANES) {
      max0 = max0.max(load(x, at + (long) i * Float.BYTES));
    }
    if (i < count) {
      VectorMask<Float> mask = rest(i, count);
      max1 = max1.lanewise(MAX, load(x, at + (long) i * Float.BYTES, mask), mask);
    }
    return max0.max(max1).max(max2.max(max3)).reduceLanes(MAX);
  }

  private static float sumOfExponentials(MemorySegment x, long at, int count, float largest) {
    FloatVector shift = Species.of(largest);
    FloatVector sum = Species.of(0f);
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      sum = sum.add(FloatMath.expOfNegative(load(x, at + (long) i * Float.BYTES).sub(shift)));
    }
    float total = VectorSum.of(sum);
    return i < count
        ? total + sumOfLast(x, at + (long) i * Float.BYTES, count - i, largest)
        : total;
  }

  private static float sumOfLast(MemorySegment x, long at, int count, float largest) {
    VectorMask<Float> mask = rest(0, count);
    FloatVector y = FloatMath.expOfNegative(load(x, at, mask).sub(largest));
    return VectorSum.of(Species.of(0f).blend(y, mask));
  }

  private static float storeExponentials(
      MemorySegment x, long at, MemorySegment out, long to, int count, float largest) {
    FloatVector shift = Species.of(largest);
    FloatVector sum = Species.of(0f);
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      long step = (long) i * Float.BYTES;
      FloatVector y = FloatMath.expOfNegative(load(x, at + step).sub(shift));
      y.intoMemorySegment(out, to + step, ORDER);
      sum = sum.add(y);
    }
    float total = VectorSum.of(sum);
    long step = (long) i * Float.BYTES;
    return i < count ? total + storeLast(x, at + step, out, to + step, count - i, largest) : total;
  }

  private static float storeLast(
      MemorySegment x, long at, MemorySegment out, long to, int count, float largest) {
    VectorMask<Float> mask = rest(0, count);
    FloatVector y = FloatMath.expOfNegative(load(x, at, mask).sub(largest));
    y.intoMemorySegment(out, to, ORDER, mask);
    return VectorSum.of(Species.of(0f).blend(y, mask));
  }

  private static void divide(MemorySegment out, long to, int count, float divisor) {
    FloatVector factor = Species.of(1 / divisor);
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      long place = to + (long) i * Float.BYTES;
      load(out, place).mul(factor).intoMemorySegment(out, place, ORDER);
    }
    if (i < count) {
      long place = to + (long) i * Float.BYTES;
      VectorMask<Float> mask = rest(i, count);
      load(out, place, mask).mul(factor).intoMemorySegment(out, place, ORDER, mask);
    }
  }

  private static VectorMask<Float> rest(int from, int count) {
    return SPECIES.indexInRange(from, count);
  }

  private static FloatVector load(MemorySegment memory, long at) {
    return FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER);
  }

  private static FloatVector load(MemorySegment memory, long at, VectorMask<Float> mask) {
    return FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER, mask);
  }
}
