package org.relaxvm.integrationtests.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The code in a document. A block is announced by a comment:
 *
 * <ul>
 *   <li>{@code <!-- code: PATH -->} stands for a whole file, for Java without its package line;
 *   <li>{@code <!-- code: PATH#NAME -->} for the lines of it between {@code snippet: NAME} and
 *       {@code end}, each the only text of a comment;
 *   <li>{@code <!-- snippet: NAME -->} for such lines of {@link GuideSnippets}.
 * </ul>
 */
final class MarkdownCode {
  private static final String GUIDE_SNIPPETS =
      "integration-tests/src/test/java/org/relaxvm/integrationtests/documents/GuideSnippets.java";
  private static final Pattern ANNOUNCEMENT =
      Pattern.compile("<!-- (snippet|code): ([^\\s#]+)(?:#(\\S+))? -->\n");
  private static final Pattern BLOCK = Pattern.compile("(```\\w*\n)(.*?)```\n", Pattern.DOTALL);

  private final Path root;

  MarkdownCode(Path root) {
    this.root = root;
  }

  /** The blocks of a document that differ from their source; all are corrected when told to. */
  List<String> stale(Path document, boolean update) throws IOException {
    String text = Files.readString(document);
    List<String> stale = new ArrayList<>();
    Matcher announced = ANNOUNCEMENT.matcher(text);
    Matcher block = BLOCK.matcher(text);
    StringBuilder corrected = new StringBuilder();
    int done = 0;
    while (announced.find()) {
      block.region(announced.end(), text.length());
      if (!block.lookingAt()) {
        throw new IllegalStateException(
            document + ": no code block follows " + announced.group().strip());
      }
      String source = source(announced);
      if (!block.group(2).equals(source)) {
        stale.add(document.getFileName() + ": " + announced.group().strip());
      }
      corrected.append(text, done, block.start(2)).append(source);
      done = block.end(2);
    }
    corrected.append(text, done, text.length());
    if (update) {
      Files.writeString(document, corrected);
      return List.of();
    }
    return stale;
  }

  private String source(Matcher announced) throws IOException {
    if (announced.group(1).equals("snippet")) {
      return excerpt(root.resolve(GUIDE_SNIPPETS), announced.group(2));
    }
    Path file = root.resolve(announced.group(2));
    if (announced.group(3) != null) {
      return excerpt(file, announced.group(3));
    }
    return Files.readString(file).replaceFirst("(?s)^package [^\n]*\n\n", "");
  }

  private static String excerpt(Path file, String name) throws IOException {
    Pattern lines =
        Pattern.compile(
            "^ *(?://|<!--) snippet: "
                + Pattern.quote(name)
                + "(?: -->)?\n(.*?)^ *(?://|<!--) end\\b",
            Pattern.DOTALL | Pattern.MULTILINE);
    Matcher matcher = lines.matcher(Files.readString(file));
    if (!matcher.find()) {
      throw new IllegalStateException("no snippet '" + name + "' in " + file);
    }
    return matcher.group(1).stripTrailing().stripIndent() + "\n";
  }
}
