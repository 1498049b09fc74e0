package org.relaxvm.integrationtests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Documents, Javadoc and messages use the field's standard terms, which {@code docs/glossary.md}
 * defines.
 */
class WordsTest {
  /**
   * How many phrases may remain where cleaning is not finished. A number may only fall; what is not
   * listed has none.
   */
  private static final Map<String, Integer> BUDGET =
      Map.ofEntries(
          Map.entry("api messages", 1),
          Map.entry("backend-cuda messages", 1),
          Map.entry("backend-support messages", 2),
          Map.entry("backend-vulkan messages", 1),
          Map.entry("cli messages", 1),
          Map.entry("compiler messages", 10),
          Map.entry("interop-tvm messages", 3),
          Map.entry("tir messages", 13),
          Map.entry("vm-core messages", 3));

  /** Phrases that are right where they are, with the reason. */
  private static final Map<String, String> EXEMPT =
      Map.of("integration-tests/target/outsider", "the name of a folder");

  private static final Set<String> UNPUBLISHED =
      Set.of("benchmarks", "examples", "integration-tests");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern FORMER = Pattern.compile("(?m)\\|[^|\\n]*\\|$");

  private final Map<String, Map<String, Integer>> counts = new TreeMap<>();
  private final List<String> found = new ArrayList<>();

  @Test
  void textThatPeopleReadUsesStandardTerms() {
    SourceFiles.withExtension(".md").forEach(this::document);
    SourceFiles.withExtension(".java").forEach(this::source);
    counts.forEach((scope, terms) -> System.out.println("words: " + scope + " " + terms));
    TermCounts.print(System.out);

    List<String> over = new ArrayList<>();
    counts.forEach(
        (scope, terms) -> {
          int count = terms.values().stream().mapToInt(Integer::intValue).sum();
          int budget = BUDGET.getOrDefault(scope, 0);
          if (count > budget) {
            over.add(scope + ": " + count + " phrases, " + budget + " may remain");
          }
        });
    assertThat(over)
        .as("phrases with a standard term, among%n%s", String.join("\n", found))
        .isEmpty();
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
    count("documents", file, text);
  }

  private void source(Path file) {
    String module = file.getName(0).toString();
    if (!file.toString().contains("/src/main/") || UNPUBLISHED.contains(module)) {
      return;
    }
    JavaText text = JavaText.of(SourceFiles.text(file));
    count(module + " Javadoc", file, String.join("\n\n", text.javadoc()));
    count(module + " messages", file, String.join("\n\n", text.strings()));
  }

  private void count(String scope, Path file, String text) {
    String spaced = text.replaceAll("(?<!\\n)\\n(?!\\n)", " ");
    for (String exempt : EXEMPT.keySet()) {
      spaced = spaced.replace(exempt, "");
    }
    Set<String> seen = new HashSet<>();
    for (DialectTerm term : DialectTerm.ALL) {
      int count = term.count(spaced);
      if (count > 0) {
        counts
            .computeIfAbsent(scope, any -> new TreeMap<>())
            .merge(term.standard(), count, Integer::sum);
        Matcher phrase = term.phrases().matcher(spaced);
        while (phrase.find() && seen.add(phrase.group())) {
          if (!BUDGET.containsKey(scope)) {
            found.add(file + ": \"" + phrase.group() + "\", better: " + term.standard());
          }
        }
      }
    }
  }
}
