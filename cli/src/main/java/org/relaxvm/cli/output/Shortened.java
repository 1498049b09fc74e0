package org.relaxvm.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Long lists, cut for people. */
public final class Shortened {
  private Shortened() {}

  /** Names with commas: at most so many, then how many more there are. */
  public static String names(List<String> names, int most) {
    return names.size() <= most
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, most)) + " and " + (names.size() - most) + " more";
  }

  /** Indented lines: at most so many, the last of which tells how many more there are. */
  public static List<String> rows(List<String> lines, int most) {
    if (lines.size() <= most) {
      return lines;
    }
    List<String> kept = new ArrayList<>(lines.subList(0, most - 1));
    kept.add("  and " + (lines.size() - kept.size()) + " more; --json has all");
    return kept;
  }
}
