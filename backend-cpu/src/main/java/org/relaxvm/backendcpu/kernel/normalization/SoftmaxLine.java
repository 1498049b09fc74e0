package org.relaxvm.backendcpu.kernel.normalization;

import java.lang.foreign.MemorySegment;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;

/**
 * Softmax of lines in vector code, in one thread. Lines of neighbouring floats are read and written
 * where they are. Of the others, one that fits the array is read once; longer ones are read in
 * chunks, once for each pass.
 */
final class SoftmaxLine {
  private static final int CHUNK = 1 << 13;

  private final FloatRows rows;
  private final SoftmaxRows direct;
  private final Codec<float[]> codec;
  private final Operand in;
  private final Operand out;
  private final long length;
  private final long inStep;
  private final long outStep;
  private final boolean logarithm;
  private final float[] values;
  private final boolean inMemory;

  SoftmaxLine(
      FloatRows rows,
      SoftmaxRows direct,
      Codec<float[]> codec,
      Operand in,
      Operand out,
      int axis,
      boolean logarithm) {
    this.rows = rows;
    this.direct = direct;
    this.codec = codec;
    this.in = in;
    this.out = out;
    this.length = in.dim(axis);
    this.inStep = in.stride(axis);
    this.outStep = out.stride(axis);
    this.logarithm = logarithm;
    this.inMemory =
        length <= CHUNK
            && codec.bytes() == Float.BYTES
            && inStep == Float.BYTES
            && outStep == Float.BYTES
            && in.memory().isNative()
            && out.memory().isNative();
    this.values = new float[inMemory ? 0 : (int) Math.min(length, CHUNK)];
  }

  /**
   * Computes lines.
   *
   * @param from offset of the first element of the first line, in bytes
   * @param to where it goes
   * @param nextFrom from one line to the next
   * @param nextTo from one line to the next
   */
  void run(long from, long to, long nextFrom, long nextTo, int count) {
    if (inMemory) {
      MemorySegment x = in.memory();
      MemorySegment y = out.memory();
      if (logarithm) {
        direct.softenToLogarithms(x, from, nextFrom, y, to, nextTo, count, (int) length);
      } else {
        direct.soften(x, from, nextFrom, y, to, nextTo, count, (int) length);
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      if (length <= CHUNK) {
        runWhole(from + i * nextFrom, to + i * nextTo);
      } else {
        runInChunks(from + i * nextFrom, to + i * nextTo);
      }
    }
  }

  private void runWhole(long from, long to) {
    int count = load(from, 0);
    float largest = rows.largest(values, count);
    if (logarithm) {
      float logSum = (float) Math.log(rows.sumOfExponentials(values, count, largest));
      rows.normalize(values, count, largest, 1, 1, -logSum);
    } else {
      float sum = rows.exponentials(values, count, largest);
      rows.scale(values, count, 1 / sum);
    }
    codec.store(values, 0, count, out.memory(), to, outStep);
  }

  private void runInChunks(long from, long to) {
    float largest = Float.NEGATIVE_INFINITY;
    for (long start = 0; start < length; start += CHUNK) {
      int count = load(from, start);
      largest = Math.max(largest, rows.largest(values, count));
    }
    double sum = 0;
    for (long start = 0; start < length; start += CHUNK) {
      int count = load(from, start);
      sum += rows.sumOfExponentials(values, count, largest);
    }
    float logSum = (float) Math.log(sum);
    for (long start = 0; start < length; start += CHUNK) {
      int count = load(from, start);
      if (logarithm) {
        rows.normalize(values, count, largest, 1, 1, -logSum);
      } else {
        rows.exponentials(values, count, largest);
        rows.scale(values, count, (float) (1 / sum));
      }
      codec.store(values, 0, count, out.memory(), to + start * outStep, outStep);
    }
  }

  private int load(long from, long start) {
    int count = (int) Math.min(CHUNK, length - start);
    codec.load(in.memory(), from + start * inStep, inStep, values, 0, count);
    return count;
  }
}
