package org.relaxvm.benchmarks.first;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.relaxvm.benchmarks.Measure;

/**
 * What one process reports, or the medians of several.
 *
 * @param millis set-up, the calls of {@link FirstRun#CALLS}, main to first result, start of the JVM
 *     to first result; NaN for calls that were not made
 * @param output the first elements of the result
 */
record Figures(double[] millis, float[] output) {
  static List<String> titles() {
    List<String> titles = new ArrayList<>(List.of("set-up"));
    FirstRun.CALLS.forEach(call -> titles.add("call " + call));
    titles.add("main to first result");
    titles.add("JVM start to first result");
    return titles;
  }

  static Figures median(List<Figures> runs) {
    double[] medians = new double[titles().size()];
    for (int i = 0; i < medians.length; i++) {
      int column = i;
      medians[i] = Measure.median(runs.stream().mapToDouble(run -> run.millis()[column]).toArray());
    }
    return new Figures(medians, runs.getFirst().output());
  }

  /** One row of a table. */
  String row() {
    StringBuilder row = new StringBuilder();
    for (double value : millis) {
      row.append(
          Double.isNaN(value)
              ? " |"
              : String.format(Locale.ROOT, value < 10 ? " %.3f |" : " %.0f |", value));
    }
    return row.toString();
  }

  /** One row of a table: these times over others. */
  String ratios(Figures others) {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < millis.length; i++) {
      double ratio = millis[i] / others.millis[i];
      row.append(Double.isNaN(ratio) ? " |" : String.format(Locale.ROOT, " %.2f |", ratio));
    }
    return row.toString();
  }

  /** Fails unless the norm of the difference of outputs is small beside that of {@code others}. */
  void requireCloseTo(Figures others, double tolerance, String what) {
    double differences = 0;
    double squares = 0;
    for (int i = 0; i < others.output.length; i++) {
      differences += Math.pow(output[i] - others.output[i], 2);
      squares += Math.pow(others.output[i], 2);
    }
    double difference = Math.sqrt(differences / squares);
    if (!(difference <= tolerance)) {
      throw new IllegalStateException(
          "%s: expected %s as ONNX Runtime has it, got %s: a difference of %s; expected at most %s"
              .formatted(
                  what,
                  Arrays.toString(others.output),
                  Arrays.toString(output),
                  difference,
                  tolerance));
    }
  }
}
