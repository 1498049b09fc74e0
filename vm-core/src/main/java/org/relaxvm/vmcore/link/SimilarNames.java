package org.relaxvm.vmcore.link;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Suggests names that somebody may have meant. */
public final class SimilarNames {
  private static final int MOST = 3;

  private SimilarNames() {}

  /** The nearest names, at most three, that differ in few letters. */
  public static List<String> of(String name, Collection<String> known) {
    record Candidate(String name, int distance) {}
    return known.stream()
        .filter(other -> Math.abs(other.length() - name.length()) <= allowed(name))
        .map(other -> new Candidate(other, distance(name, other)))
        .filter(candidate -> candidate.distance() <= allowed(name))
        .sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
        .limit(MOST)
        .map(Candidate::name)
        .toList();
  }

  private static int allowed(String name) {
    return Math.clamp(name.length() / 2, 1, 3);
  }

  /** Edit distance (Levenshtein 1966), two rows at a time. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above, row[j - 1]));
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
