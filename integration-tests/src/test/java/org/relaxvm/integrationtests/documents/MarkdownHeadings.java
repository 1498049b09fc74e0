package org.relaxvm.integrationtests.documents;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The headings of a Markdown document.
 *
 * @param titles the text of each heading
 * @param sections the numbers with which numbered headings start, such as {@code 2.4}
 * @param anchors the fragment identifiers that a web view gives to the headings
 */
record MarkdownHeadings(Set<String> titles, Set<String> sections, Set<String> anchors) {
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+?)\\s*$");
  private static final Pattern NUMBER = Pattern.compile("^(\\d+(?:\\.\\d+)*)\\.? ");

  static MarkdownHeadings of(String markdown) {
    Set<String> titles = new LinkedHashSet<>();
    Set<String> sections = new LinkedHashSet<>();
    Set<String> anchors = new LinkedHashSet<>();
    Matcher headings = HEADING.matcher(CODE.matcher(markdown).replaceAll(""));
    while (headings.find()) {
      String title = headings.group(1);
      titles.add(title);
      anchors.add(anchor(title));
      Matcher number = NUMBER.matcher(title);
      if (number.find()) {
        sections.add(number.group(1));
      }
    }
    return new MarkdownHeadings(titles, sections, anchors);
  }

  private static String anchor(String title) {
    return title.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }
}
