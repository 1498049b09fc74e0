package org.relaxvm.cli.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * Typed access to a JSON object, with messages that say where it stands.
 *
 * @param where for messages
 * @param fields of the object
 */
public record JsonFields(String where, Map<?, ?> fields) {
  /** The fields of an object; none for another value. */
  public static Map<?, ?> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  /** Whether a field is there and not null. */
  public boolean has(String name) {
    return fields.get(name) != null;
  }

  /** A field of any kind, or null. */
  public @Nullable Object get(String name) {
    return fields.get(name);
  }

  /** A string. */
  public String string(String name) {
    return fields.get(name) instanceof String string ? string : refuse(name, "a string");
  }

  /** A string, or another one where the field is absent. */
  public String stringOr(String name, String fallback) {
    return has(name) ? string(name) : fallback;
  }

  /** A number, or another one where the field is absent. */
  public double numberOr(String name, double fallback) {
    if (!has(name)) {
      return fallback;
    }
    return fields.get(name) instanceof Number number
        ? number.doubleValue()
        : refuse(name, "a number");
  }

  /** A list. */
  public List<?> list(String name) {
    return fields.get(name) instanceof List<?> list ? list : refuse(name, "a list");
  }

  /** A list of strings. */
  public List<String> strings(String name) {
    List<String> strings = new ArrayList<>();
    for (Object item : list(name)) {
      strings.add(item instanceof String string ? string : refuse(name, "a list of strings"));
    }
    return strings;
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
