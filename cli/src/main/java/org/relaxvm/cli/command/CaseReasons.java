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
 * only are the same, and {@code #} stands for those. Immutable.
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
        groups
            .computeIfAbsent(withoutNumbers(line(result.reason())), reason -> new ArrayList<>())
            .add(result);
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
                              cut(text(group.getKey(), group.getValue())),
                              group.getValue().getFirst().caseName())));
    }
    return new CaseReasons(lines);
  }

  /** The reason that all of a group have, or without numbers where these differ. */
  private static String text(String key, List<CaseResult> group) {
    List<String> lines =
        group.stream().map(result -> line(result.reason())).distinct().limit(2).toList();
    return lines.size() == 1 ? lines.getFirst() : key;
  }

  private static String withoutNumbers(String line) {
    return cut(line.replaceAll("-?\\d+(\\.\\d+)?(E-?\\d+)?", "#"));
  }

  private static String cut(String text) {
    return text.length() <= WIDTH ? text : text.substring(0, WIDTH) + "...";
  }

  /** The last line of the first two that say something, without counts and names of nodes. */
  private static String line(String reason) {
    List<String> lines = reason.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    String line =
        lines.isEmpty()
            ? "no reason"
            : lines.size() > 1 && lines.getFirst().contains("cannot be imported")
                ? lines.get(1)
                : lines.getFirst();
    return line.replaceFirst("^\\d+ x ", "").replaceAll(", (first )?at [^:]*:", ":");
  }
}
