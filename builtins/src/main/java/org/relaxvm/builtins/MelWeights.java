package org.relaxvm.builtins;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Weights that sum a spectrum to bands of the mel scale. Each band is a triangle over the points of
 * the spectrum between the edges of its neighbors, which are whole points.
 */
final class MelWeights {
  private static final int LARGEST = 1 << 28;

  private MelWeights() {}

  static void call(CallArgs args, CallResult result) {
    args.requireCount(
        "relax.run.mel_weight_matrix(bands, points, rate, lowest, highest, double)", 6);
    long bands = HostIntegers.at(args, 0);
    long points = HostIntegers.at(args, 1);
    long rows = points / 2 + 1;
    boolean isSmall = bands < LARGEST && rows < LARGEST && rows * (bands + 1) <= LARGEST;
    if (bands < 0 || points < 0 || !isSmall) {
      throw new CallException(
          ErrorKind.VALUE,
          "expected at most " + LARGEST + " weights, but got " + bands + " bands of " + rows);
    }
    double[] weights = new double[(int) (rows * bands)];
    long[] edges =
        edges(
            (int) bands,
            points,
            HostNumbers.at(args, 2),
            HostNumbers.at(args, 3),
            HostNumbers.at(args, 4));
    for (int band = 0; band < bands; band++) {
      triangle(weights, edges, band, (int) rows, (int) bands);
    }
    Tensor doubles = Tensor.of(weights, Shape.of(rows, bands));
    result.set(args.booleanAt(5) ? doubles : floats(weights, doubles.shape()));
  }

  private static Tensor floats(double[] weights, Shape shape) {
    float[] values = new float[weights.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) weights[i];
    }
    return values.length == 0 ? Tensor.zeros(DType.FLOAT32, shape) : Tensor.of(values, shape);
  }

  /** The points where bands begin, have their peaks and end. */
  private static long[] edges(int bands, long points, double rate, double lowest, double highest) {
    double from = mel(lowest);
    double step = (mel(highest) - from) / (bands + 2);
    long[] edges = new long[bands + 2];
    for (int i = 0; i < edges.length; i++) {
      double frequency = 700 * (Math.pow(10, (i * step + from) / 2595) - 1);
      edges[i] = (long) Math.floor((points + 1) * frequency / rate);
    }
    return edges;
  }

  private static double mel(double frequency) {
    return 2595 * Math.log10(1 + frequency / 700);
  }

  private static void triangle(double[] weights, long[] edges, int band, int rows, int bands) {
    long low = edges[band];
    long peak = edges[band + 1];
    long high = edges[band + 2];
    for (long row = Math.max(low, 0); row <= Math.min(high, rows - 1L); row++) {
      double weight =
          row < peak
              ? (double) (row - low) / (peak - low)
              : row == peak ? 1 : (double) (high - row) / (high - peak);
      weights[(int) row * bands + band] = weight;
    }
  }
}
