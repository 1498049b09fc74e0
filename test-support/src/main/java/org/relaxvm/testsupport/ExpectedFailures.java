package org.relaxvm.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Members of a corpus that are known to fail, and why. A test that compares them with what failed
 * is red when a member begins to fail, and also when one begins to pass. Immutable.
 *
 * @param reasons by names of members; each is a part of what the failure says
 */
public record ExpectedFailures(Map<String, String> reasons) {
  /** Copies the map. */
  public ExpectedFailures {
    reasons = Map.copyOf(reasons);
  }

  /**
   * Reads a resource with a line for each member: its name, a tab, the reason. Lines that begin
   * with {@code #} are comments.
   *
   * @param owner the class beside which the resource lies
   * @throws IllegalArgumentException if there is no such resource, or a line has no tab
   */
  public static ExpectedFailures read(Class<?> owner, String resource) {
    try (InputStream in = owner.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no " + resource + " beside " + owner);
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }

  /** The failures that lines of text say. */
  static ExpectedFailures parse(String text) {
    Map<String, String> reasons = new TreeMap<>();
    for (String line : text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
      int tab = line.indexOf('\t');
      if (tab < 0) {
        throw new IllegalArgumentException(
            "expected a name, a tab and a reason, but got: '" + line + "'");
      }
      reasons.put(line.substring(0, tab), line.substring(tab + 1).strip());
    }
    return new ExpectedFailures(reasons);
  }

  /**
   * What is not as expected, a line for each member, by name.
   *
   * @param tested the members that were tested; others are not expected to fail
   * @param failures what failed, and what the failure said
   */
  public List<String> differences(Collection<String> tested, Map<String, String> failures) {
    List<String> differences = new ArrayList<>();
    for (String name : tested.stream().sorted().toList()) {
      String expected = reasons.get(name);
      String actual = failures.get(name);
      if (expected == null && actual != null) {
        differences.add(name + " fails: " + actual);
      } else if (expected != null && actual == null) {
        differences.add(name + " passes; expected it to fail: " + expected);
      } else if (expected != null && actual != null && !actual.contains(expected)) {
        differences.add(name + " fails: " + actual + "; expected: " + expected);
      }
    }
    return differences;
  }
}
