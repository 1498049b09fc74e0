package org.relaxvm.backendcpu.kernel.normalization;

import java.util.Arrays;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;

/**
 * Softmax of neighbouring lines at once in vector code, in one thread: where the elements of a line
 * lie further apart than the lines, pieces of whole rows are read, one after the other.
 */
final class SoftmaxColumns {
  /** Neighbouring lines that are computed at once, at most. */
  static final int MOST = 256;

  private final FloatRows rows;
  private final Codec<float[]> codec;
  private final Operand in;
  private final Operand out;
  private final int axis;
  private final long length;
  private final long inStep;
  private final long outStep;
  private final boolean logarithm;
  private final float[] values;
  private final float[] largest;
  private final double[] sums;
  private final float[] factors;

  /**
   * Softmax along an axis.
   *
   * @param inStep from one line to its neighbour, in bytes
   * @param outStep from one line to its neighbour, in bytes
   * @param most neighbours at once
   */
  SoftmaxColumns(
      FloatRows rows,
      Codec<float[]> codec,
      Operand in,
      Operand out,
      int axis,
      long inStep,
      long outStep,
      int most,
      boolean logarithm) {
    this.rows = rows;
    this.codec = codec;
    this.in = in;
    this.out = out;
    this.axis = axis;
    this.length = in.dim(axis);
    this.inStep = inStep;
    this.outStep = outStep;
    this.logarithm = logarithm;
    this.values = new float[most];
    this.largest = new float[most];
    this.sums = new double[most];
    this.factors = new float[most];
  }

  /** Computes neighbouring lines, given the offsets of the first one in bytes. */
  void run(long from, long to, int count) {
    // A method for each pass: the JIT compiler would not get through all of them at once.
    findLargest(from, count);
    sum(from, count);
    finish(from, to, count);
  }

  private void findLargest(long from, int count) {
    Arrays.fill(largest, 0, count, Float.NEGATIVE_INFINITY);
    for (long i = 0; i < length; i++) {
      load(from, i, count);
      rows.raise(largest, values, count);
    }
  }

  private void sum(long from, int count) {
    Arrays.fill(sums, 0, count, 0);
    for (long i = 0; i < length; i++) {
      load(from, i, count);
      rows.exponentials(values, largest, count);
      add(count);
    }
    for (int j = 0; j < count; j++) {
      factors[j] = (float) (logarithm ? Math.log(sums[j]) : 1 / sums[j]);
    }
  }

  private void finish(long from, long to, int count) {
    for (long i = 0; i < length; i++) {
      load(from, i, count);
      if (logarithm) {
        subtract(count);
      } else {
        rows.exponentials(values, largest, count);
        multiply(count);
      }
      codec.store(values, 0, count, out.memory(), to + i * out.stride(axis), outStep);
    }
  }

  private void load(long from, long i, int count) {
    codec.load(in.memory(), from + i * in.stride(axis), inStep, values, 0, count);
  }

  private void add(int count) {
    for (int j = 0; j < count; j++) {
      sums[j] += values[j];
    }
  }

  private void subtract(int count) {
    for (int j = 0; j < count; j++) {
      values[j] = values[j] - largest[j] - factors[j];
    }
  }

  private void multiply(int count) {
    for (int j = 0; j < count; j++) {
      values[j] *= factors[j];
    }
  }
}
