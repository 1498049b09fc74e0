package org.relaxvm.integrationtests.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Java code in a document. A block is announced by a comment: {@code <!-- snippet: NAME -->}
 * stands for a part of {@link GuideSnippets}, {@code <!-- code: PATH -->} for a whole source file
 * without its package line.
 */
final class MarkdownCode {
  private static final Pattern BLOCK =
      Pattern.compile("<!-- (snippet|code): (\\S+) -->\n```java\n(.*?)```\n", Pattern.DOTALL);

  private final Path root;

  MarkdownCode(Path root) {
    this.root = root;
  }

  /** The blocks of a document that differ from their source; all are corrected when told to. */
  List<String> stale(Path document, boolean update) throws IOException {
    String text = Files.readString(document);
    List<String> stale = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(text);
    StringBuilder corrected = new StringBuilder();
    while (matcher.find()) {
      String source =
          matcher.group(1).equals("code") ? file(matcher.group(2)) : snippet(matcher.group(2));
      if (!matcher.group(3).equals(source)) {
        stale.add(document.getFileName() + ": " + matcher.group(2));
      }
      String block =
          "<!-- "
              + matcher.group(1)
              + ": "
              + matcher.group(2)
              + " -->\n```java\n"
              + source
              + "```\n";
      matcher.appendReplacement(corrected, Matcher.quoteReplacement(block));
    }
    matcher.appendTail(corrected);
    if (update) {
      Files.writeString(document, corrected);
      return List.of();
    }
    return stale;
  }

  private String file(String path) throws IOException {
    String source = Files.readString(root.resolve(path));
    return source.replaceFirst("(?s)^package [^\n]*\n\n", "");
  }

  private String snippet(String name) throws IOException {
    Path source =
        root.resolve(
            "integration-tests/src/test/java/org/relaxvm/integrationtests/documents/"
                + "GuideSnippets.java");
    String begin = "// snippet: " + name + "\n";
    String text = Files.readString(source);
    int from = text.indexOf(begin);
    if (from < 0) {
      throw new IllegalStateException("no snippet '" + name + "' in " + source);
    }
    int bodyStart = from + begin.length();
    return text.substring(bodyStart, text.indexOf("    // end", bodyStart)).stripIndent();
  }
}
