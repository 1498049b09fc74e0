package org.relaxvm.cli.output;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Class scores as labelled bars, the best first. */
public final class ScoreBars {
  private static final int WIDTH = 30;

  private ScoreBars() {}

  /** A class and its score. */
  public record Score(String label, double score) {}

  /** The classes by falling score; ties keep their order. */
  public static List<Score> ranked(List<String> labels, float[] scores) {
    return IntStream.range(0, scores.length)
        .mapToObj(i -> new Score(labels.get(i), scores[i]))
        .sorted(Comparator.comparingDouble(Score::score).reversed())
        .toList();
  }

  /**
   * One line a class: label, bar, score; bars are relative to the best score, or to 1 if larger.
   */
  public static List<String> lines(List<Score> ranked, Console console) {
    int labelWidth = ranked.stream().mapToInt(s -> s.label().length()).max().orElse(0);
    double full = Math.max(1, ranked.stream().mapToDouble(Score::score).max().orElse(1));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < ranked.size(); i++) {
      Score score = ranked.get(i);
      double share = Math.clamp(score.score() / full, 0, 1);
      String bar = bar(share);
      String line =
          String.format(
              Locale.ROOT,
              "  %-" + Math.max(1, labelWidth) + "s  %s  %.4f",
              score.label(),
              bar,
              score.score());
      lines.add(i == 0 ? console.styled(Console.Style.GOOD, line) : line);
    }
    return lines;
  }

  private static String bar(double share) {
    int eighths = (int) Math.round(share * WIDTH * 8);
    StringBuilder bar = new StringBuilder();
    bar.repeat('█', eighths / 8);
    if (eighths % 8 != 0) {
      bar.append(" ▏▎▍▌▋▊▉".charAt(eighths % 8));
    }
    return bar.repeat(' ', WIDTH - bar.length()).toString();
  }
}
