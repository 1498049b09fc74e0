package org.relaxvm.interoptvm.call;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names of functions that a library's code calls, numbered as it asks for them. Shared by all
 * bindings of the library. Thread-safe.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why are function handles numbers of names?"
 */
public final class ImportedNames {
  // No address of a program's memory begins so: such handles are told from all pointers.
  private static final long TAG = 0x5256_4D00_0000_0000L;
  private static final long TAG_MASK = 0xFFFF_FF00_0000_0000L;

  private final Map<String, Integer> indices = new HashMap<>();
  private final List<String> names = new ArrayList<>();

  synchronized int indexOf(String name) {
    Integer known = indices.get(name);
    if (known != null) {
      return known;
    }
    int index = names.size();
    indices.put(name, index);
    names.add(name);
    return index;
  }

  synchronized String name(int index) {
    return names.get(index);
  }

  static long handle(int index) {
    return TAG | index;
  }

  static boolean isHandle(long word) {
    return (word & TAG_MASK) == TAG;
  }

  static int index(long handle) {
    return (int) handle;
  }
}
