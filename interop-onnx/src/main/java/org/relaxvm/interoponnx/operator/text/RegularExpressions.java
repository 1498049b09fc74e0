package org.relaxvm.interoponnx.operator.text;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Regular expressions of RE2 as those of Java. */
final class RegularExpressions {
  private static final Pattern NAMED_CLASS = Pattern.compile("\\[:(\\^?)([a-z]+):\\]");

  private static final Map<String, String> CLASSES =
      Map.ofEntries(
          Map.entry("alnum", "Alnum"),
          Map.entry("alpha", "Alpha"),
          Map.entry("ascii", "ASCII"),
          Map.entry("blank", "Blank"),
          Map.entry("cntrl", "Cntrl"),
          Map.entry("digit", "Digit"),
          Map.entry("graph", "Graph"),
          Map.entry("lower", "Lower"),
          Map.entry("print", "Print"),
          Map.entry("punct", "Punct"),
          Map.entry("space", "Space"),
          Map.entry("upper", "Upper"),
          Map.entry("xdigit", "XDigit"));

  private RegularExpressions() {}

  /** The pattern for Java; a line ends with a line feed only. */
  static String ofJava(String pattern) {
    Matcher classes = NAMED_CLASS.matcher(pattern.replace("(?P<", "(?<"));
    String named =
        classes.replaceAll(
            match -> {
              String name = CLASSES.get(match.group(2));
              String escape = match.group(1).isEmpty() ? "\\p" : "\\P";
              return Matcher.quoteReplacement(
                  name == null ? match.group() : escape + "{" + name + "}");
            });
    return "(?d)" + named;
  }
}
