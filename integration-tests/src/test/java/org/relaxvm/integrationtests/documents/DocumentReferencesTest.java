package org.relaxvm.integrationtests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.ProjectRoot;
import org.relaxvm.integrationtests.SourceFiles;

/** References from code and documents to documents name files, sections and headings that exist. */
class DocumentReferencesTest {
  private static final String NUMBER = "\\d+(?:\\.\\d+)*";
  private static final String SECTIONS =
      ", sections? (" + NUMBER + "(?:(?:, | and | to |–)" + NUMBER + ")*)";

  /** As in {@code docs/spec/op-set.md, section 2.4}, in comments and in plain text. */
  private static final Pattern CITATION =
      Pattern.compile("\\b(docs/[\\w/-]+\\.md)(?:" + SECTIONS + "|, \"([^\"]+)\")?");

  /** As in {@code [passes](passes.md#section), section 3}. */
  private static final Pattern LINK =
      Pattern.compile("\\]\\(([^)\\s:#]*)(?:#([^)\\s]+))?\\)(?:" + SECTIONS + ")?");

  private static final Pattern COMMENT_BREAK = Pattern.compile("\\s*\\n\\s*(?:\\*|//)\\s*");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\\n]*`");

  private final Map<Path, MarkdownHeadings> headings = new HashMap<>();
  private final List<String> broken = new ArrayList<>();
  private int sections;
  private int reasons;

  @Test
  void everyReferenceInCodeNamesAnExistingSectionOrHeading() {
    for (Path file : SourceFiles.withExtension(".java")) {
      citations(file, COMMENT_BREAK.matcher(SourceFiles.text(file)).replaceAll(" "));
    }
    assertThat(broken).as("references to documents that lead nowhere").isEmpty();
    assertThat(sections).as("references to sections of the specification").isGreaterThan(200);
    assertThat(reasons).as("references to entries of the rationale").isGreaterThanOrEqualTo(60);
  }

  @Test
  void everyReferenceInDocumentsNamesAnExistingSectionOrHeading() {
    for (Path file : SourceFiles.withExtension(".md")) {
      citations(file, SourceFiles.text(file).replace('\n', ' '));
    }
    assertThat(broken).as("references to documents that lead nowhere").isEmpty();
  }

  @Test
  void everyLinkInDocumentsNamesAnExistingFileAndHeading() {
    int links = 0;
    for (Path file : SourceFiles.withExtension(".md")) {
      Matcher link = LINK.matcher(CODE.matcher(SourceFiles.text(file)).replaceAll(""));
      while (link.find()) {
        Path folder = file.resolveSibling("");
        Path target =
            link.group(1).isEmpty()
                ? file
                : folder.resolve(URI.create(link.group(1)).getPath()).normalize();
        check(file, target, link.group(3), null, link.group(2));
        links++;
      }
    }
    assertThat(broken).as("links that lead nowhere").isEmpty();
    assertThat(links).as("links in documents").isGreaterThan(50);
  }

  @Test
  void missingFilesSectionsAndHeadingsAreFound() {
    Path file = Path.of("A.java");
    String folder = "docs" + "/";
    citations(
        file,
        folder
            + "none.md, "
            + folder
            + "spec/README.md, section 99, "
            + folder
            + "glossary.md, \"Why?\"");
    assertThat(broken)
        .containsExactly(
            "A.java: " + folder + "none.md does not exist",
            "A.java: " + folder + "spec/README.md has no section 99",
            "A.java: " + folder + "glossary.md has no heading \"Why?\"");
  }

  private void citations(Path file, String text) {
    Matcher citation = CITATION.matcher(text);
    while (citation.find()) {
      sections += citation.group(2) == null ? 0 : 1;
      reasons += citation.group(3) == null ? 0 : 1;
      check(file, Path.of(citation.group(1)), citation.group(2), citation.group(3), null);
    }
  }

  private void check(
      Path from,
      Path target,
      @Nullable String numbers,
      @Nullable String title,
      @Nullable String anchor) {
    if (!Files.exists(ProjectRoot.path().resolve(target))) {
      broken.add(from + ": " + target + " does not exist");
      return;
    }
    if (!target.toString().endsWith(".md")) {
      return;
    }
    MarkdownHeadings found =
        headings.computeIfAbsent(target, file -> MarkdownHeadings.of(SourceFiles.text(file)));
    if (numbers != null) {
      Matcher number = Pattern.compile(NUMBER).matcher(numbers);
      while (number.find()) {
        if (!found.sections().contains(number.group())) {
          broken.add(from + ": " + target + " has no section " + number.group());
        }
      }
    }
    if (title != null && !found.titles().contains(title)) {
      broken.add(from + ": " + target + " has no heading \"" + title + "\"");
    }
    if (anchor != null && !found.anchors().contains(anchor)) {
      broken.add(from + ": " + target + " has no heading for #" + anchor);
    }
  }
}
