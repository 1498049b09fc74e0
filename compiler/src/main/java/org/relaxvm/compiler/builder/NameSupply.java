package org.relaxvm.compiler.builder;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Makes names unique by a number after them: {@code lv}, {@code lv1}, {@code lv2}. */
final class NameSupply {
  private final Set<String> taken = new HashSet<>();
  private final Map<String, Integer> next = new HashMap<>();

  /** Takes a name; false when it is taken. */
  boolean take(String name) {
    return taken.add(name);
  }

  /** Gives a name back. */
  void release(String name) {
    taken.remove(name);
  }

  /** Takes the name itself, or the first one with a number after it that is free. */
  String unique(String hint) {
    String name = hint;
    while (!taken.add(name)) {
      int number = next.merge(hint, 1, Integer::sum);
      name = hint + number;
    }
    return name;
  }
}
