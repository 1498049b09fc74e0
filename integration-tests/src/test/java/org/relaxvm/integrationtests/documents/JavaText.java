package org.relaxvm.integrationtests.documents;

import java.util.ArrayList;
import java.util.List;

/**
 * What people read in a Java source.
 *
 * @param javadoc the Javadoc comments, each on one line
 * @param strings the string literals; those that are joined by {@code +} are one
 */
record JavaText(List<String> javadoc, List<String> strings) {
  static JavaText of(String source) {
    return new Reader(source).read();
  }

  private static final class Reader {
    private final String source;
    private final List<String> javadoc = new ArrayList<>();
    private final List<String> strings = new ArrayList<>();
    private int at;
    private boolean joined;

    Reader(String source) {
      this.source = source;
    }

    JavaText read() {
      while (at < source.length()) {
        if (source.startsWith("//", at)) {
          skipTo("\n");
        } else if (source.startsWith("/*", at)) {
          int start = at;
          at += 2;
          skipTo("*/");
          if (source.startsWith("/**", start) && at - start > 4) {
            String comment = source.substring(start + 3, at - 2);
            javadoc.add(comment.replaceAll("\\s*\\n\\s*\\*?\\s*", " ").strip());
          }
        } else if (source.startsWith("\"\"\"", at)) {
          int start = at + 3;
          at = start;
          skipTo("\"\"\"");
          add(source.substring(start, at - 3).replaceAll("\\s+", " "));
        } else if (source.charAt(at) == '"') {
          add(literal('"'));
        } else if (source.charAt(at) == '\'') {
          literal('\'');
          joined = false;
        } else {
          char next = source.charAt(at++);
          joined &= next == '+' || Character.isWhitespace(next);
        }
      }
      return new JavaText(List.copyOf(javadoc), List.copyOf(strings));
    }

    private void add(String text) {
      if (joined) {
        strings.add(strings.removeLast() + text);
      } else {
        strings.add(text);
      }
      joined = true;
    }

    private String literal(char quote) {
      int start = ++at;
      while (source.charAt(at) != quote) {
        at += source.charAt(at) == '\\' ? 2 : 1;
      }
      return source.substring(start, at++);
    }

    private void skipTo(String end) {
      int found = source.indexOf(end, at);
      at = found < 0 ? source.length() : found + end.length();
    }
  }
}
