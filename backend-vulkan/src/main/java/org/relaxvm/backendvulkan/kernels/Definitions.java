package org.relaxvm.backendvulkan.kernels;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Definitions in GLSL by their names. In text, a line {@code //! name} is in front of each; it may
 * go on with {@code needs} and the names of others, which tells people what is found in the
 * definition itself. Immutable and thread-safe.
 */
final class Definitions {
  /** What marks a line in front of a definition. */
  static final String MARK = "//! ";

  /** Names of definitions, which nothing else in a program begins with. */
  private static final Pattern USE = Pattern.compile("\\brv_\\w+");

  private final Map<String, String> texts;
  private final Map<String, Set<String>> uses = new LinkedHashMap<>();

  private Definitions(Map<String, String> texts) {
    this.texts = texts;
    texts.forEach((name, text) -> uses.put(name, usesIn(text)));
  }

  /** The definitions of a text; what stands in front of the first is none. */
  static Definitions of(String text) {
    Map<String, String> texts = new LinkedHashMap<>();
    String name = "";
    StringBuilder current = new StringBuilder();
    for (String line : text.lines().toList()) {
      if (line.startsWith(MARK)) {
        texts.put(name, current.toString());
        current.setLength(0);
        name = line.substring(MARK.length()).split(" ")[0];
      }
      current.append(line).append('\n');
    }
    texts.put(name, current.toString());
    texts.remove("");
    return new Definitions(texts);
  }

  /** These and others, which come after them. */
  Definitions and(Definitions others) {
    Map<String, String> all = new LinkedHashMap<>(texts);
    all.putAll(others.texts);
    return new Definitions(all);
  }

  /** Their names. */
  Set<String> names() {
    return texts.keySet();
  }

  /** The definition with the line in front of it. */
  String text(String name) {
    return texts.getOrDefault(name, "");
  }

  /** What a program uses, directly or not: each after all that it uses itself. */
  String neededBy(String program) {
    Map<String, String> needed = new LinkedHashMap<>();
    List<String> path = new ArrayList<>();
    usesIn(program).forEach(name -> add(name, needed, path));
    return String.join("", needed.values());
  }

  private void add(String name, Map<String, String> needed, List<String> path) {
    String text = texts.get(name);
    if (text == null || needed.containsKey(name) || path.contains(name)) {
      return;
    }
    path.add(name);
    uses.getOrDefault(name, Set.of()).forEach(use -> add(use, needed, path));
    path.removeLast();
    needed.put(name, text);
  }

  /** The names of definitions in a text but for comments, in alphabetical order. */
  static Set<String> usesIn(String text) {
    Set<String> names = new TreeSet<>();
    text.lines()
        .map(line -> line.contains("//") ? line.substring(0, line.indexOf("//")) : line)
        .forEach(line -> USE.matcher(line).results().map(MatchResult::group).forEach(names::add));
    return names;
  }
}
