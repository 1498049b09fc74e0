package org.relaxvm.benchmarks.models;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Times of the calls of which a run of a model consists. Of each the fastest over all runs counts,
 * which other work on the machine disturbs least.
 */
final class CallTimes {
  private final Map<String, Double> fastest = new LinkedHashMap<>();
  private final Map<String, String> kinds = new LinkedHashMap<>();

  /**
   * Adds what a call took.
   *
   * @param place tells the calls of a run apart
   * @param kind what is printed as one row
   */
  void add(String place, String kind, double micros) {
    fastest.merge(place, micros, Math::min);
    kinds.put(place, kind);
  }

  void clear() {
    fastest.clear();
    kinds.clear();
  }

  /** Prints a table, the longest first. */
  void print(String title) {
    Map<String, Row> rows = new LinkedHashMap<>();
    fastest.forEach((place, micros) -> rows.merge(kinds.get(place), new Row(1, micros), Row::plus));
    double sum = rows.values().stream().mapToDouble(Row::micros).sum();
    System.out.printf("%n| %s | calls | us | share |%n| --- | --- | --- | --- |%n", title);
    List<Map.Entry<String, Row>> sorted =
        rows.entrySet().stream()
            .sorted(
                Comparator.comparingDouble(
                    (Map.Entry<String, Row> entry) -> -entry.getValue().micros()))
            .toList();
    for (Map.Entry<String, Row> entry : sorted) {
      Row row = entry.getValue();
      System.out.printf(
          Locale.ROOT,
          "| %s | %d | %.1f | %.1f %% |%n",
          entry.getKey(),
          row.calls(),
          row.micros(),
          100 * row.micros() / sum);
    }
    System.out.printf(Locale.ROOT, "| sum | %d | %.1f | |%n", fastest.size(), sum);
  }

  private record Row(int calls, double micros) {
    Row plus(Row other) {
      return new Row(calls + other.calls, micros + other.micros);
    }
  }
}
