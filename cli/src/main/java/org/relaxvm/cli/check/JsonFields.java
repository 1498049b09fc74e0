package org.relaxvm.cli.check;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** Typed access to a JSON object, with messages that say where it stands. */
record JsonFields(String where, Map<?, ?> fields) {
  static Map<?, ?> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  boolean has(String name) {
    return fields.get(name) != null;
  }

  @Nullable Object get(String name) {
    return fields.get(name);
  }

  String string(String name) {
    return fields.get(name) instanceof String string ? string : refuse(name, "a string");
  }

  String stringOr(String name, String fallback) {
    return has(name) ? string(name) : fallback;
  }

  double numberOr(String name, double fallback) {
    if (!has(name)) {
      return fallback;
    }
    return fields.get(name) instanceof Number number
        ? number.doubleValue()
        : refuse(name, "a number");
  }

  List<?> list(String name) {
    return fields.get(name) instanceof List<?> list ? list : refuse(name, "a list");
  }

  private <T> T refuse(String name, String expected) {
    throw new MalformedFileException(
        ErrorKind.VALUE,
        "'"
            + where
            + "': field '"
            + name
            + "' must be "
            + expected
            + ", but is "
            + (fields.containsKey(name) ? String.valueOf(fields.get(name)) : "absent"));
  }
}
