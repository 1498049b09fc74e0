package org.relaxvm.integrationtests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.SourceFiles;

/**
 * Documents, Javadoc and messages use the field's standard terms, which {@code docs/glossary.md}
 * defines.
 */
class WordsTest {
  /** Phrases that are right where they are, with the reason. */
  private static final Map<String, String> EXEMPT =
      Map.of(
          "integration-tests/target/outsider", "the name of a folder",
          "integration-tests/src/test/resources/outsider", "the name of a folder");

  private static final Set<String> UNPUBLISHED =
      Set.of("benchmarks", "examples", "integration-tests");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern FORMER = Pattern.compile("(?m)\\|[^|\\n]*\\|$");

  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> found = new ArrayList<>();

  @Test
  void textThatPeopleReadUsesStandardTerms() {
    SourceFiles.withExtension(".md").forEach(this::document);
    SourceFiles.withExtension(".java").forEach(this::source);
    System.out.println("phrases instead of standard terms: " + counts);
    assertThat(found).as("phrases with a standard term: see docs/glossary.md").isEmpty();
  }

  @Test
  void phrasesAreFoundAcrossLinesOfACommentAndOfAMessage() {
    JavaText text =
        JavaText.of(
            """
            /** Kept in memory of
             * the group. */ // memory of the group
            String s = "takes its" + " turn";
            char c = '"';
            """);
    assertThat(text.javadoc()).containsExactly("Kept in memory of the group.");
    assertThat(text.strings()).containsExactly("takes its turn");
    assertThat(count(text.javadoc().getFirst())).isEqualTo(1);
    assertThat(count(text.strings().getFirst())).isEqualTo(1);
    assertThat(count("It turns out that the rest is in place, behind one interface.")).isZero();
  }

  private static int count(String text) {
    return DialectTerm.ALL.stream().mapToInt(term -> term.count(text)).sum();
  }

  private void document(Path file) {
    String name = file.toString();
    if (name.startsWith("docs/spec")) {
      return;
    }
    String text = CODE.matcher(SourceFiles.text(file)).replaceAll("");
    if (name.equals("docs/glossary.md")) {
      text = FORMER.matcher(text).replaceAll("|");
    }
    count(file, text);
  }

  private void source(Path file) {
    String module = file.getName(0).toString();
    if (!file.toString().contains("/src/main/") || UNPUBLISHED.contains(module)) {
      return;
    }
    JavaText text = JavaText.of(SourceFiles.text(file));
    count(file, String.join("\n\n", text.javadoc()));
    count(file, String.join("\n\n", text.strings()));
  }

  private void count(Path file, String text) {
    String spaced = text.replaceAll("(?<!\\n)\\n(?!\\n)", " ");
    for (String exempt : EXEMPT.keySet()) {
      spaced = spaced.replace(exempt, "");
    }
    for (DialectTerm term : DialectTerm.ALL) {
      counts.merge(term.standard(), term.count(spaced), Integer::sum);
      Matcher phrase = term.phrases().matcher(spaced);
      while (phrase.find()) {
        found.add(file + ": \"" + phrase.group() + "\", better: " + term.standard());
      }
    }
  }
}
