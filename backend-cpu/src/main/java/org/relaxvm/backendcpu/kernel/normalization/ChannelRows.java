package org.relaxvm.backendcpu.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.Parallel;

/**
 * Normalizes positions whose channels are neighbours in memory, of any float dtype: some positions
 * are brought into an array, in rows with all channels, and computed there.
 *
 * @param channels how many there are
 * @param width of a row of the computation: the channels, repeated
 * @param centre of each element of a row; likewise the others
 */
record ChannelRows<A>(
    Codec<A> codec,
    ColumnMath<A> math,
    int channels,
    int width,
    A centre,
    A scale,
    A gamma,
    A beta) {
  private static final int RUN = 4096;
  private static final int WIDTH = 512;
  private static final long COST_PER_ELEMENT = 2;

  /** From the numbers of each channel, of which there is at least one. */
  static <A> ChannelRows<A> of(
      Codec<A> codec,
      ColumnMath<A> math,
      double[] gamma,
      double[] beta,
      double[] mean,
      double[] variance,
      double epsilon) {
    int channels = mean.length;
    int times = Math.max(1, WIDTH / channels);
    double[] scale = new double[channels];
    for (int c = 0; c < channels; c++) {
      scale[c] = 1 / Math.sqrt(variance[c] + epsilon);
    }
    return new ChannelRows<>(
        codec,
        math,
        channels,
        channels * times,
        repeated(math, mean, times),
        repeated(math, scale, times),
        repeated(math, gamma, times),
        repeated(math, beta, times));
  }

  private static <A> A repeated(ColumnMath<A> math, double[] numbers, int times) {
    double[] all = new double[numbers.length * times];
    for (int start = 0; start < all.length; start += numbers.length) {
      System.arraycopy(numbers, 0, all, start, numbers.length);
    }
    A result = math.array(all.length);
    math.repeat(all, all.length, 1, result);
    return result;
  }

  /**
   * Normalizes operands whose neighbours along the axis of the channels are neighbours in memory.
   */
  void run(@Nullable WorkerPool workers, Operand x, Operand out, int channelAxis) {
    int[] others = new int[x.rank() - 1];
    for (int i = 0; i < others.length; i++) {
      others[i] = i < channelAxis ? i : i + 1;
    }
    int most = Math.max(1, RUN / channels);
    Sweep positions = new Sweep(most, x.axes(others), out.axes(others));
    int bytes = codec.bytes();
    long row = (long) channels * bytes;
    Parallel.run(
        workers,
        positions.runs(),
        positions.runLength() * channels * COST_PER_ELEMENT,
        (from, to) -> {
          A rows = math.array(positions.runLength() * channels);
          positions.new Walker()
              .walk(
                  from,
                  to,
                  (at, count) -> {
                    // Positions that follow on each other are one piece.
                    int piece = positions.step(0) == row ? count : 1;
                    for (int i = 0; i < count; i += piece) {
                      long place = positions.place(0, at, i);
                      int start = i * channels;
                      codec.load(x.memory(), place, bytes, rows, start, start + piece * channels);
                    }
                    math.normalize(rows, count * channels, width, centre, scale, gamma, beta, 0);
                    piece = positions.step(1) == row ? count : 1;
                    for (int i = 0; i < count; i += piece) {
                      long place = positions.place(1, at, i);
                      int start = i * channels;
                      codec.store(
                          rows, start, start + piece * channels, out.memory(), place, bytes);
                    }
                  });
        });
  }
}
