package org.relaxvm.backendcpu.kernel.normalization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.Parallel;

/**
 * Normalizes float32 with numbers per channel, in vector code: runs within one channel, or
 * positions whose channels are neighbours.
 *
 * @param centre of each channel
 * @param factor of each channel
 * @param beta of each channel
 */
record ChannelNorm(float[] centre, float[] factor, float[] beta) {
  private static final int RUN = 4096;
  private static final long COST_PER_ELEMENT = 2;
  private static final int TOGETHER = 512;

  /** Normalizes; false if the elements do not lie so, and then nothing is done. */
  boolean run(
      @Nullable WorkerPool workers, FloatChannels code, Operand x, Operand out, int channelAxis) {
    if (x.stride(channelAxis) == Float.BYTES && out.stride(channelAxis) == Float.BYTES) {
      positions(workers, code, x, out, channelAxis);
      return true;
    }
    // The offset in this operand is the number of a channel.
    long[] strides = new long[x.rank()];
    strides[channelAxis] = 1;
    Operand channels = new Operand(x.memory(), 0, x.dims(), strides);
    Sweep runs = new Sweep(RUN, x, out, channels);
    if (runs.step(0) != Float.BYTES || runs.step(1) != Float.BYTES || runs.step(2) != 0) {
      return false;
    }
    Parallel.run(
        workers,
        runs.runs(),
        runs.runLength() * COST_PER_ELEMENT,
        (from, to) -> {
          float[] row = new float[runs.runLength()];
          MemorySegment memory = x.memory();
          runs.new Walker()
              .walk(
                  from,
                  to,
                  (at, count) -> {
                    int c = (int) at[2];
                    code.one(memory, at[0], count, centre[c], factor[c], beta[c], row);
                    MemorySegment.copy(row, 0, out.memory(), JAVA_FLOAT_UNALIGNED, at[1], count);
                  });
        });
    return true;
  }

  private void positions(
      @Nullable WorkerPool workers, FloatChannels code, Operand x, Operand out, int channelAxis) {
    int channels = centre.length;
    if (channels == 0) {
      return;
    }
    int[] others = new int[x.rank() - 1];
    for (int i = 0; i < others.length; i++) {
      others[i] = i < channelAxis ? i : i + 1;
    }
    int most = Math.max(1, RUN / channels);
    Sweep runs = new Sweep(most, x.axes(others), out.axes(others));
    long row = (long) channels * Float.BYTES;
    boolean compact = runs.step(1) == row;
    // Positions that follow on each other are one row of repeated channels.
    int together = runs.step(0) == row ? Math.clamp(TOGETHER / channels, 1, most) : 1;
    ChannelNorm wide = repeated(together);
    Parallel.run(
        workers,
        runs.runs(),
        runs.runLength() * channels * COST_PER_ELEMENT,
        (from, to) -> {
          float[] rows = new float[runs.runLength() * channels];
          runs.new Walker()
              .walk(
                  from,
                  to,
                  (at, count) -> {
                    for (int i = 0; i < count; i += together) {
                      int elements = Math.min(together, count - i) * channels;
                      long place = at[0] + i * runs.step(0);
                      wide.each(code, x.memory(), place, elements, rows, i * channels);
                    }
                    if (compact) {
                      store(rows, 0, count * channels, out, at[1]);
                    } else {
                      for (int i = 0; i < count; i++) {
                        store(rows, i * channels, channels, out, at[1] + i * runs.step(1));
                      }
                    }
                  });
        });
  }

  private void each(
      FloatChannels code, MemorySegment x, long at, int count, float[] to, int start) {
    code.each(x, at, count, centre, factor, beta, to, start);
  }

  private ChannelNorm repeated(int times) {
    return new ChannelNorm(repeated(centre, times), repeated(factor, times), repeated(beta, times));
  }

  private static float[] repeated(float[] channels, int times) {
    float[] result = new float[channels.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(channels, 0, result, i * channels.length, channels.length);
    }
    return result;
  }

  private static void store(float[] rows, int from, int count, Operand out, long at) {
    MemorySegment.copy(rows, from, out.memory(), JAVA_FLOAT_UNALIGNED, at, count);
  }
}
