package org.relaxvm.backendcpu.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.MAX;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.normalization.SoftmaxRows;

/**
 * Softmax in vector code, in one pass over each row but the first: while exponentials of one row
 * are computed, the largest element of the next one is found and the row before is finished. So the
 * processor has work while it waits for memory.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why does softmax ask before each loop whether
 * memory is native?"
 */
public final class VectorSoftmax implements SoftmaxRows {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final long BYTES = Float.BYTES;

  /** Creates the passes, where {@link VectorChoice} fell on vectors. */
  public VectorSoftmax() {}

  @Override
  public void soften(
      MemorySegment x,
      long from,
      long nextFrom,
      MemorySegment out,
      long to,
      long nextTo,
      int count,
      int length) {
    int whole = length - length % LANES;
    float[] lanes = new float[LANES];
    float shift = largest(x, from, whole, length);
    // There is no row before the first one, which is multiplied by 1 itself.
    long before = to;
    float factor = 1;
    for (int i = 0; i < count; i++) {
      long at = from + i * nextFrom;
      // There is none behind the last one, which is looked at again for nothing.
      long next = i + 1 < count ? at + nextFrom : at;
      long target = to + i * nextTo;
      float largest = exponentials(x, at, next, shift, whole, out, target, before, factor, lanes);
      float sum = VectorSum.ofLanes(lanes);
      if (whole < length) {
        scaleLast(out, before, whole, length, factor);
        sum += lastExponentials(x, at, whole, length, shift, lanes);
        MemorySegment.copy(
            lanes, 0, out, JAVA_FLOAT_UNALIGNED, target + whole * BYTES, length - whole);
        largest = largestOfLast(x, next, whole, length, largest);
      }
      shift = largest;
      factor = 1 / sum;
      before = target;
    }
    scale(out, before, whole, factor);
    scaleLast(out, before, whole, length, factor);
  }

  @Override
  public void softenToLogarithms(
      MemorySegment x,
      long from,
      long nextFrom,
      MemorySegment out,
      long to,
      long nextTo,
      int count,
      int length) {
    int whole = length - length % LANES;
    float[] lanes = new float[LANES];
    float shift = largest(x, from, whole, length);
    // There is no row before the first one, of which nothing is subtracted.
    long before = from;
    long target = to;
    float shiftBefore = 0;
    float logarithm = 0;
    for (int i = 0; i < count; i++) {
      long at = from + i * nextFrom;
      long next = i + 1 < count ? at + nextFrom : at;
      float largest =
          sums(x, at, next, shift, whole, before, shiftBefore, logarithm, out, target, lanes);
      float sum = VectorSum.ofLanes(lanes);
      if (whole < length) {
        subtractLast(x, before, whole, length, shiftBefore, logarithm, out, target);
        sum += lastExponentials(x, at, whole, length, shift, lanes);
        largest = largestOfLast(x, next, whole, length, largest);
      }
      before = at;
      target = to + i * nextTo;
      shiftBefore = shift;
      logarithm = (float) Math.log(sum);
      shift = largest;
    }
    subtract(x, before, whole, shiftBefore, logarithm, out, target);
    subtractLast(x, before, whole, length, shiftBefore, logarithm, out, target);
  }

  private static float largest(MemorySegment x, long at, int whole, int length) {
    FloatVector max = Species.of(Float.NEGATIVE_INFINITY);
    for (int i = 0; i < whole; i += LANES) {
      max = larger(max, load(x, at + i * BYTES));
    }
    return largestOfLast(x, at, whole, length, max.reduceLanes(MAX));
  }

  /** Two operations where {@code max}, which keeps NaN, is five. */
  private static FloatVector larger(FloatVector max, FloatVector x) {
    return max.blend(x, x.compare(GT, max));
  }

  private static float largestOfLast(MemorySegment x, long at, int from, int to, float largest) {
    for (int i = from; i < to; i++) {
      float element = x.get(JAVA_FLOAT_UNALIGNED, at + i * BYTES);
      largest = element > largest ? element : largest;
    }
    return largest;
  }

  /**
   * Makes elements of one row exponentials and multiplies those of the row before; returns the
   * largest element of the next row.
   */
  private static float exponentials(
      MemorySegment x,
      long at,
      long next,
      float shift,
      int count,
      MemorySegment out,
      long to,
      long before,
      float factor,
      float[] sums) {
    NativeMemory.require(x.isNative() && out.isNative());
    FloatVector shifts = Species.of(shift);
    FloatVector factors = Species.of(factor);
    FloatVector sum = Species.of(0f);
    // Two in turn: each waits seven cycles for the one before.
    FloatVector max0 = Species.of(Float.NEGATIVE_INFINITY);
    FloatVector max1 = Species.of(Float.NEGATIVE_INFINITY);
    for (int i = 0; i < count; i += LANES) {
      FloatVector y = Weights.of(load(x, at + i * BYTES).sub(shifts));
      FloatVector max = larger(max0, load(x, next + i * BYTES));
      max0 = max1;
      max1 = max;
      y.intoMemorySegment(out, to + i * BYTES, ORDER);
      sum = sum.add(y);
      FloatVector finished = load(out, before + i * BYTES).mul(factors);
      finished.intoMemorySegment(out, before + i * BYTES, ORDER);
    }
    sum.intoArray(sums, 0);
    return max0.max(max1).reduceLanes(MAX);
  }

  /** Exponentials of elements that do not fill a vector; returns their sum. */
  private static float lastExponentials(
      MemorySegment x, long at, int from, int to, float shift, float[] results) {
    MemorySegment.copy(x, JAVA_FLOAT_UNALIGNED, at + from * BYTES, results, 0, to - from);
    return Weights.replaceLast(results, 0, to - from, shift);
  }

  private static void scale(MemorySegment x, long at, int count, float factor) {
    NativeMemory.require(x.isNative());
    FloatVector factors = Species.of(factor);
    for (int i = 0; i < count; i += LANES) {
      load(x, at + i * BYTES).mul(factors).intoMemorySegment(x, at + i * BYTES, ORDER);
    }
  }

  private static void scaleLast(MemorySegment x, long at, int from, int to, float factor) {
    for (int i = from; i < to; i++) {
      float element = x.get(JAVA_FLOAT_UNALIGNED, at + i * BYTES);
      x.set(JAVA_FLOAT_UNALIGNED, at + i * BYTES, element * factor);
    }
  }

  /** Sums exponentials of one row and finishes the row before; returns the largest of the next. */
  private static float sums(
      MemorySegment x,
      long at,
      long next,
      float shift,
      int count,
      long before,
      float shiftBefore,
      float logarithm,
      MemorySegment out,
      long to,
      float[] sums) {
    NativeMemory.require(x.isNative() && out.isNative());
    FloatVector shifts = Species.of(shift);
    FloatVector shiftsBefore = Species.of(shiftBefore);
    FloatVector logarithms = Species.of(logarithm);
    FloatVector sum = Species.of(0f);
    FloatVector max0 = Species.of(Float.NEGATIVE_INFINITY);
    FloatVector max1 = Species.of(Float.NEGATIVE_INFINITY);
    for (int i = 0; i < count; i += LANES) {
      sum = sum.add(Weights.of(load(x, at + i * BYTES).sub(shifts)));
      FloatVector max = larger(max0, load(x, next + i * BYTES));
      max0 = max1;
      max1 = max;
      FloatVector finished = load(x, before + i * BYTES).sub(shiftsBefore).sub(logarithms);
      finished.intoMemorySegment(out, to + i * BYTES, ORDER);
    }
    sum.intoArray(sums, 0);
    return max0.max(max1).reduceLanes(MAX);
  }

  private static void subtract(
      MemorySegment x,
      long at,
      int count,
      float shift,
      float logarithm,
      MemorySegment out,
      long to) {
    NativeMemory.require(x.isNative() && out.isNative());
    FloatVector shifts = Species.of(shift);
    FloatVector logarithms = Species.of(logarithm);
    for (int i = 0; i < count; i += LANES) {
      FloatVector finished = load(x, at + i * BYTES).sub(shifts).sub(logarithms);
      finished.intoMemorySegment(out, to + i * BYTES, ORDER);
    }
  }

  private static void subtractLast(
      MemorySegment x,
      long at,
      int from,
      int to,
      float shift,
      float logarithm,
      MemorySegment out,
      long target) {
    for (int i = from; i < to; i++) {
      float element = x.get(JAVA_FLOAT_UNALIGNED, at + i * BYTES);
      out.set(JAVA_FLOAT_UNALIGNED, target + i * BYTES, element - shift - logarithm);
    }
  }

  private static FloatVector load(MemorySegment memory, long at) {
    return FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER);
  }
}
