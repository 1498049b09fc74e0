package org.relaxvm.builtins.params;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * A JSON object whose fields are read with their types checked; errors name the location.
 *
 * @param location of the object in the file, such as {@code records[0] of the manifest}
 */
record JsonObject(String location, Map<?, ?> fields) {

  String string(String name) {
    return fields.get(name) instanceof String text ? text : refuse(name, "a string");
  }

  long integer(String name) {
    return integer(fields.get(name), name, "an integer");
  }

  long[] integers(String name) {
    List<?> values = fields.get(name) instanceof List<?> list ? list : refuse(name, "an array");
    long[] integers = new long[values.size()];
    for (int i = 0; i < integers.length; i++) {
      integers[i] = integer(values.get(i), name, "an array of integers");
    }
    return integers;
  }

  List<JsonObject> objects(String name) {
    List<?> values = fields.get(name) instanceof List<?> list ? list : refuse(name, "an array");
    List<JsonObject> objects = new ArrayList<>();
    for (Object value : values) {
      if (!(value instanceof Map<?, ?> object)) {
        return refuse(name, "an array of objects");
      }
      objects.add(new JsonObject(name + "[" + objects.size() + "] of " + location, object));
    }
    return objects;
  }

  private long integer(@Nullable Object value, String name, String expected) {
    return switch (value) {
      case Integer number -> number;
      case Long number -> number;
      case null, default -> refuse(name, expected);
    };
  }

  private <T> T refuse(String name, String expected) {
    String found = fields.containsKey(name) ? "it is " + fields.get(name) : "it is missing";
    throw new MalformedFileException(
        ErrorKind.VALUE,
        "\"" + name + "\" in " + location + " must be " + expected + ", but " + found);
  }
}
