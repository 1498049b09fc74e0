package org.relaxvm.integrationtests.documents;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.relaxvm.integrationtests.SourceFiles;

/**
 * Counts standard terms, and words that are used instead, in main Java sources and documents. Run
 * it from the project's folder with the test classes of this module and the classes of {@link
 * org.relaxvm.integrationtests.ProjectRoot} on the class path.
 */
final class TermCounts {
  private static final List<String> WORDS =
      List.of(
          "iterations?",
          "turns?",
          "accumulators?",
          "GEMMs?|GEMVs?",
          "products?",
          "products? of matrices",
          "transpos(?:ed|es?)",
          "turned",
          "places?",
          "work-?groups?",
          "memory of (?:the|a|its) groups?",
          "shared memory",
          "remainders?|tails?",
          "rests?",
          "after",
          "behind",
          "annotations?",
          "notes?",
          "booleans?",
          "truth values?",
          "strings?",
          "texts?",
          "images?",
          "pictures?",
          "convolutions?",
          "tensor cores?",
          "matrix units?");

  private TermCounts() {}

  /** Prints the table; the working directory is inside the project. */
  public static void main(String[] args) {
    print(System.out);
  }

  static void print(PrintStream out) {
    String java = text(".java");
    String documents = text(".md");
    out.printf("%-36s %9s %9s%n", "words", "main Java", "documents");
    for (String word : WORDS) {
      Pattern pattern = Pattern.compile("\\b(?:" + word + ")\\b", Pattern.CASE_INSENSITIVE);
      out.printf("%-36s %9d %9d%n", word, count(pattern, java), count(pattern, documents));
    }
  }

  private static long count(Pattern pattern, String text) {
    return pattern.matcher(text).results().count();
  }

  private static String text(String extension) {
    StringBuilder text = new StringBuilder();
    for (Path file : SourceFiles.withExtension(extension)) {
      String name = file.toString();
      if (extension.equals(".java") ? name.contains("/src/main/") : !name.contains("docs/spec/")) {
        text.append(SourceFiles.text(file)).append('\n');
      }
    }
    return text.toString();
  }
}
