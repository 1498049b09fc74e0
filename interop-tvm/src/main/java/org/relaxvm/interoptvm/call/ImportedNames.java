package org.relaxvm.interoptvm.call;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.interoptvm.abi.FunctionHandles;

/**
 * The names of functions that a library's code calls, numbered as it asks for them. Shared by all
 * bindings of the library. Thread-safe.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why are function handles numbers of names?"
 */
public final class ImportedNames {
  /** Gives null and does nothing else: compiled code calls it at the end of each life. */
  private static final String NULL_FUNCTION = "vm.builtin.null_value";

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

  /** The handle of a name that {@link #indexOf} numbered. */
  static long handle(String name, int index) {
    return (name.equals(NULL_FUNCTION) ? FunctionHandles.OF_NULL : FunctionHandles.TAG) | index;
  }

  static boolean isHandle(long word) {
    return (word & FunctionHandles.TAG_MASK) == FunctionHandles.TAG;
  }

  static int index(long handle) {
    return (int) handle;
  }
}
