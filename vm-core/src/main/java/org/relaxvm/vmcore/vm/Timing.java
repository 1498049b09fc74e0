package org.relaxvm.vmcore.vm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;

/** Measured times, in seconds per call. Immutable. Source: docs/spec/vm-semantics.md, section 9. */
public final class Timing {
  private static final int WIDTH = 12;
  private static final double MILLIS_PER_SECOND = 1000;

  private final double[] results;

  Timing(double[] results) {
    this.results = results;
  }

  /**
   * Times that were measured elsewhere, as {@link #toBytes} gives them.
   *
   * @throws IllegalArgumentException when these are no whole doubles, or none
   */
  public static Timing ofBytes(byte[] bytes) {
    if (bytes.length == 0 || bytes.length % Double.BYTES != 0) {
      throw new IllegalArgumentException(bytes.length + " bytes are no sequence of doubles");
    }
    double[] times = new double[bytes.length / Double.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(times);
    return new Timing(times);
  }

  /** A copy of all times, in the order in which they were measured. */
  public double[] results() {
    return results.clone();
  }

  /** The arithmetic mean. */
  public double mean() {
    return Arrays.stream(results).average().orElseThrow();
  }

  /** The middle time, or the mean of the two in the middle. */
  public double median() {
    double[] sorted = results.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** The shortest time. */
  public double min() {
    return Arrays.stream(results).min().orElseThrow();
  }

  /** The longest time. */
  public double max() {
    return Arrays.stream(results).max().orElseThrow();
  }

  /** The standard deviation of the population. */
  public double std() {
    double mean = mean();
    return Math.sqrt(
        Arrays.stream(results).map(time -> (time - mean) * (time - mean)).average().orElseThrow());
  }

  /** All times as little-endian doubles, as Apache TVM's time evaluator returns them. */
  public byte[] toBytes() {
    ByteBuffer bytes =
        ByteBuffer.allocate(results.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (double result : results) {
      bytes.putDouble(result);
    }
    return bytes.array();
  }

  /** A table as Apache TVM prints it, in milliseconds. */
  @Override
  public String toString() {
    String[] headings = {"mean (ms)", "median (ms)", "max (ms)", "min (ms)", "std (ms)"};
    double[] values = {mean(), median(), max(), min(), std()};
    StringBuilder first = new StringBuilder();
    StringBuilder second = new StringBuilder();
    for (int i = 0; i < headings.length; i++) {
      String blank = i == 0 ? "" : " ";
      first.append(blank).append(centred(headings[i]));
      second
          .append(blank)
          .append(centred(String.format(Locale.ROOT, "%.4f", values[i] * MILLIS_PER_SECOND)));
    }
    return "Execution time summary:\n" + first + "\n" + second + "\n" + " ".repeat(15);
  }

  private static String centred(String text) {
    int blanks = Math.max(0, WIDTH - text.length());
    return " ".repeat(blanks / 2) + text + " ".repeat(blanks - blanks / 2);
  }
}
