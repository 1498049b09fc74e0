package org.relaxvm.testsupport;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses members of a corpus by name, such as {@code -Drelaxvm.kernel=softmax*,add_float32_*}: any
 * of the globs, in which {@code *} is any text and {@code ?} any character. Immutable.
 *
 * @param property the system property that gives the globs, for messages
 * @param globs what names are compared with; empty where all names match
 */
public record NameFilter(String property, List<String> globs) {
  /** Copies the list. */
  public NameFilter {
    globs = List.copyOf(globs);
  }

  /** The filter that a system property gives, globs separated by commas. */
  public static NameFilter of(String property) {
    return new NameFilter(
        property,
        Stream.of(System.getProperty(property, "").split(",", -1))
            .map(String::strip)
            .filter(glob -> !glob.isEmpty())
            .toList());
  }

  /** Whether names are chosen at all. What is asked for by name is no longer sampled. */
  public boolean isGiven() {
    return !globs.isEmpty();
  }

  /** Whether a name is chosen. */
  public boolean matches(String name) {
    return globs.isEmpty()
        || globs.stream().anyMatch(glob -> pattern(glob).matcher(name).matches());
  }

  private static Pattern pattern(String glob) {
    return Pattern.compile(
        glob.codePoints()
            .mapToObj(
                c ->
                    switch (c) {
                      case '*' -> ".*";
                      case '?' -> ".";
                      default -> Pattern.quote(Character.toString(c));
                    })
            .collect(Collectors.joining()));
  }

  /** As it is given on the command line; empty where it is not. */
  @Override
  public String toString() {
    return isGiven() ? "-D" + property + "=" + String.join(",", globs) : "";
  }
}
