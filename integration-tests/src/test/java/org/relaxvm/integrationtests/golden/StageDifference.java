package org.relaxvm.integrationtests.golden;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.relaxvm.api.Tensor;

/**
 * A place where our module and that of the original compiler are not the same.
 *
 * @param function the function, of kernels without a number
 * @param what {@link #BODY}, or lines: those of the original behind {@code -}, ours behind {@code
 *     +}
 */
record StageDifference(String function, String what) {
  /** The statements of a kernel are others. */
  static final String BODY = "body";

  /** All differences of two modules. */
  static Set<StageDifference> between(CanonicalModule original, CanonicalModule ours) {
    Set<StageDifference> found = new LinkedHashSet<>();
    for (String name : names(original.functions(), ours.functions())) {
      List<String> before = original.functions().getOrDefault(name, List.of());
      List<String> after = ours.functions().getOrDefault(name, List.of());
      addLines(name, LineDifference.between(before, after), found);
    }
    for (String name : names(original.kernels(), ours.kernels())) {
      CanonicalKernel before = original.kernels().get(name);
      CanonicalKernel after = ours.kernels().get(name);
      String base = name.replaceAll("#\\d+$", "");
      if (before == null || after == null) {
        addLines(base, List.of(before == null ? "+ kernel" : "- kernel"), found);
        continue;
      }
      addLines(
          base,
          LineDifference.between(List.of(before.signature()), List.of(after.signature())),
          found);
      addLines(base, notes(before, after), found);
      if (!before.body().equals(after.body())) {
        found.add(new StageDifference(base, BODY));
      }
    }
    addLines("constants", constants(original.constants(), ours.constants()), found);
    return found;
  }

  private static Set<String> names(Map<String, ?> before, Map<String, ?> after) {
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(after.keySet());
    return names;
  }

  private static void addLines(String function, List<String> lines, Set<StageDifference> found) {
    if (!lines.isEmpty()) {
      found.add(new StageDifference(function, String.join("\n", lines)));
    }
  }

  /** Notes that only one has by their names, others with their values. */
  private static List<String> notes(CanonicalKernel before, CanonicalKernel after) {
    Set<String> names = new TreeSet<>(before.notes().keySet());
    names.addAll(after.notes().keySet());
    List<String> lines = new ArrayList<>();
    for (String name : names) {
      Object old = before.notes().get(name);
      Object now = after.notes().get(name);
      if (now == null) {
        lines.add("- note " + name);
      } else if (old == null) {
        lines.add("+ note " + name);
      } else if (!old.equals(now)) {
        lines.add("- note " + name + "=" + old);
        lines.add("+ note " + name + "=" + now);
      }
    }
    return lines;
  }

  private static List<String> constants(List<Tensor> before, List<Tensor> after) {
    if (before.size() != after.size()) {
      return List.of("- " + before.size(), "+ " + after.size());
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      Tensor x = before.get(i);
      Tensor y = after.get(i);
      if (!x.shape().equals(y.shape())
          || !x.dtype().equals(y.dtype())
          || x.segment().mismatch(y.segment()) >= 0) {
        lines.add("- " + i + ": " + x);
        lines.add("+ " + i + ": " + y);
      }
    }
    return lines;
  }
}
