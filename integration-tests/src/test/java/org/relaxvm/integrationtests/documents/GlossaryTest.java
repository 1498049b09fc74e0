package org.relaxvm.integrationtests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.SourceFiles;

/** The glossary is sorted, and the classes that it names exist. */
class GlossaryTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|[^|]*\\|$");
  private static final Pattern CLASS = Pattern.compile("`(\\w+)`");

  @Test
  void everyClassOfTheGlossaryExists() {
    Set<String> sources =
        SourceFiles.withExtension(".java").stream()
            .filter(file -> file.toString().replace('\\', '/').contains("/src/main/"))
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());
    List<String> missing = new ArrayList<>();
    for (Term term : terms()) {
      for (String name : names(term.classes())) {
        if (!sources.contains(name)) {
          missing.add(term.term() + ": " + name);
        }
      }
    }
    assertThat(missing).as("classes of the glossary without a main source file").isEmpty();
  }

  @Test
  void everyTermHasOneRowWithAMeaningAndAClass() {
    List<Term> terms = terms();
    assertThat(terms).hasSizeGreaterThan(80);
    assertThat(terms).allSatisfy(term -> assertThat(names(term.classes())).hasSize(1));
    assertThat(terms).extracting(term -> term.term().toLowerCase(Locale.ROOT)).isSorted();
    assertThat(terms).extracting(Term::term).doesNotHaveDuplicates();
  }

  private static List<Term> terms() {
    String text = SourceFiles.text(Path.of("docs/glossary.md"));
    List<Term> terms = new ArrayList<>();
    String separator = "| --- | --- | --- | --- |";
    Matcher row = ROW.matcher(text.substring(text.indexOf(separator) + separator.length()));
    while (row.find()) {
      terms.add(new Term(row.group(1), row.group(3)));
    }
    return terms;
  }

  private static List<String> names(String cell) {
    return CLASS.matcher(cell).results().map(match -> match.group(1)).toList();
  }

  private record Term(String term, String classes) {}
}
