package org.relaxvm.integrationtests.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.ProjectRoot;
import org.relaxvm.integrationtests.SourceFiles;

/** Files hold one idea each. */
class FileSizeTest {
  private static final int LONGEST = 600;
  private static final int LONG = 300;
  private static final int MEDIAN = 100;

  private static TreeMap<String, Integer> lineCounts;

  @BeforeAll
  static void countLines() throws IOException {
    TreeMap<String, Integer> counts = new TreeMap<>();
    Path root = ProjectRoot.path();
    for (Path file : SourceFiles.withExtension(".java")) {
      if (file.toString().contains("/src/")) {
        counts.put(file.toString(), Files.readAllLines(root.resolve(file)).size());
      }
    }
    lineCounts = counts;
  }

  @Test
  void everyFileOverSixHundredLinesHasItsReason() throws IOException {
    String reasons = rationale();
    List<String> unexplained = new ArrayList<>();
    lineCounts.forEach(
        (file, lines) -> {
          if (lines > LONGEST && !reasons.contains("`" + Path.of(file).getFileName() + "`")) {
            unexplained.add(file + ": " + lines + " lines");
          }
        });
    assertThat(unexplained)
        .as(
            "files over %d lines that docs/rationale does not name: split them, or say why",
            LONGEST)
        .isEmpty();
  }

  private static String rationale() throws IOException {
    StringBuilder reasons = new StringBuilder();
    try (Stream<Path> files = Files.list(ProjectRoot.path().resolve("docs/rationale"))) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        reasons.append(Files.readString(file));
      }
    }
    return reasons.toString();
  }

  @Test
  void nineInTenFilesAreUnderThreeHundredLines() {
    assertThat(quantile(0.9)).as("ninth decile of lines per file").isLessThan(LONG);
  }

  @Test
  void medianFileIsUnderOneHundredLines() {
    assertThat(quantile(0.5)).as("median lines per file").isLessThan(MEDIAN);
  }

  private static int quantile(double part) {
    int[] sorted = lineCounts.values().stream().mapToInt(Integer::intValue).toArray();
    Arrays.sort(sorted);
    return sorted[(int) (part * (sorted.length - 1))];
  }
}
