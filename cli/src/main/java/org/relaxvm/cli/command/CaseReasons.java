package org.relaxvm.cli.command;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.cli.spi.CaseResult;
import org.relaxvm.cli.spi.CaseResult.Verdict;

/**
 * The reasons of runs that do not agree, with how many have each; reasons that differ in numbers
 * only are the same. Immutable.
 *
 * @param lines the most frequent reason first; none when fewer than two runs do not agree
 */
record CaseReasons(List<String> lines) {
  private static final int WIDTH = 160;

  /** Copies the list. */
  CaseReasons {
    lines = List.copyOf(lines);
  }

  /** The reasons of some results. */
  static CaseReasons of(List<CaseResult> results) {
    Map<String, List<CaseResult>> groups = new LinkedHashMap<>();
    for (CaseResult result : results) {
      if (result.verdict() != Verdict.AGREES) {
        groups.computeIfAbsent(key(result.reason()), reason -> new ArrayList<>()).add(result);
      }
    }
    boolean isWorthIt = groups.values().stream().anyMatch(group -> group.size() > 1);
    List<String> lines = new ArrayList<>();
    if (isWorthIt) {
      lines.add("reasons:");
      groups.entrySet().stream()
          .sorted(Comparator.comparing(group -> -group.getValue().size()))
          .forEach(
              group ->
                  lines.add(
                      "  %4d  %s, such as %s"
                          .formatted(
                              group.getValue().size(),
                              group.getKey(),
                              group.getValue().getFirst().caseName())));
    }
    return new CaseReasons(lines);
  }

  /** The last line of the first two that say something, without numbers. */
  private static String key(String reason) {
    List<String> lines = reason.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    String line =
        lines.isEmpty()
            ? "no reason"
            : lines.size() > 1 && lines.getFirst().contains("cannot be imported")
                ? lines.get(1)
                : lines.getFirst();
    String plain =
        line.replaceAll(", (first )?at [^:]*:", ":").replaceAll("-?\\d+(\\.\\d+)?(E-?\\d+)?", "#");
    return plain.length() <= WIDTH ? plain : plain.substring(0, WIDTH) + "...";
  }
}
