package org.relaxvm.backendsupport.gpu.codegen;

import java.util.Map;
import java.util.TreeMap;
import org.relaxvm.api.DType;

/** The functions that a program contains: those that it uses. Not thread-safe. */
final class Helpers {
  private final Dialect dialect;
  private final Map<String, String> functions = new TreeMap<>();

  Helpers(Dialect dialect) {
    this.dialect = dialect;
  }

  /** The call of a helper, which the program gets. */
  String call(Helper helper, DType dtype, String a, String b) {
    return add(helper, dtype) + "(" + a + ", " + b + ")";
  }

  private String add(Helper helper, DType dtype) {
    String name = helper.nameFor(dialect, dtype);
    if (!functions.containsKey(name)) {
      functions.put(name, dialect.helper(helper, dtype, name));
      helper.needs(dtype).forEach(needed -> add(needed, dtype));
    }
    return name;
  }

  /** All that were asked for; those that others use come first. */
  String text() {
    StringBuilder text = new StringBuilder();
    functions.values().stream().filter(f -> !f.contains("_floor")).forEach(f -> add(text, f));
    functions.values().stream().filter(f -> f.contains("_floor")).forEach(f -> add(text, f));
    return text.toString();
  }

  private static void add(StringBuilder text, String function) {
    text.append(function).append('\n');
  }
}
