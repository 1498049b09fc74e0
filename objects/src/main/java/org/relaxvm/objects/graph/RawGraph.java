package org.relaxvm.objects.graph;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A graph as its text has it: nodes that refer to each other by index. The data of a node is {@link
 * Marker#ABSENT}, a scalar, a text, {@code long[]} for a list of integers, {@code byte[]} for a
 * decoded text, {@link Fields}, or {@link Marker#OTHER}.
 *
 * @param root index of the root
 * @param types keys, one for each node
 * @param data one for each node
 * @param metadata of the text, scalars and texts by name
 */
record RawGraph(
    long root, @Nullable String[] types, @Nullable Object[] data, Map<String, Object> metadata) {
  /** The keys of all nodes. */
  Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>();
    for (String key : types) {
      if (key != null) {
        keys.add(key);
      }
    }
    return keys;
  }

  /** Data that is none of those. */
  enum Marker {
    /** The node has none. */
    ABSENT,
    /** It has some that no node has, such as a list of lists. */
    OTHER
  }

  /** Named data. Each name is there once. */
  record Fields(String[] names, @Nullable Object[] values) {
    /** The position of a name; -1 if it is not there. */
    int find(String name, int likely) {
      if (likely < names.length && names[likely].equals(name)) {
        return likely;
      }
      for (int i = 0; i < names.length; i++) {
        if (names[i].equals(name)) {
          return i;
        }
      }
      return -1;
    }
  }
}
