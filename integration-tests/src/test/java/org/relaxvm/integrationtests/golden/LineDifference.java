package org.relaxvm.integrationtests.golden;

import java.util.ArrayList;
import java.util.List;

/** What two texts do not have in common, as the fewest lines to take away and to put in. */
final class LineDifference {
  private LineDifference() {}

  /** Lines behind {@code -} that only the first text has, and behind {@code +} only the second. */
  static List<String> between(List<String> before, List<String> after) {
    int[][] common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        common[i][j] =
            before.get(i).equals(after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    List<String> lines = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
        i++;
        j++;
      } else if (j == after.size() || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
        lines.add("- " + before.get(i++).strip());
      } else {
        lines.add("+ " + after.get(j++).strip());
      }
    }
    return lines;
  }
}
