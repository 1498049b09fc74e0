package org.relaxvm.tir.stmt;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Annotations of functions, loops and blocks by name: strings, longs, doubles or booleans, in
 * order.
 */
public final class Annotations {
  private Annotations() {}

  /**
   * An unmodifiable copy.
   *
   * @throws InvalidProgramException when a value is of another type
   */
  public static Map<String, Object> copyOf(Map<String, ?> annotations) {
    if (annotations.isEmpty()) {
      return Map.of();
    }
    for (Map.Entry<String, ?> entry : annotations.entrySet()) {
      Object value = entry.getValue();
      if (!(value instanceof String
          || value instanceof Long
          || value instanceof Double
          || value instanceof Boolean)) {
        throw new InvalidProgramException(
            ErrorKind.TYPE,
            "the annotation "
                + entry.getKey()
                + " must be a string, long, double or boolean, but is of type "
                + value.getClass().getSimpleName());
      }
    }
    return Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
  }
}
