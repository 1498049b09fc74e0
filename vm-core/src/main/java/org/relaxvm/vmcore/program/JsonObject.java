package org.relaxvm.vmcore.program;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** A JSON object with typed fields; every error names the document and the field. Immutable. */
public final class JsonObject {
  private final String location;
  private final Map<?, ?> fields;

  private JsonObject(String location, Map<?, ?> fields) {
    this.location = location;
    this.fields = fields;
  }

  /**
   * Parses a document whose root is an object.
   *
   * @param document its name in messages
   * @throws MalformedFileException a {@code ValueError} when it is not valid JSON, or its root is
   *     no object
   */
  public static JsonObject parse(String document, String json) {
    Object root = JsonReader.read(document, json);
    if (root instanceof Map<?, ?> map) {
      return new JsonObject(document, map);
    }
    throw new MalformedFileException(
        ErrorKind.VALUE, document + ": expected a JSON object, but got " + describe(root));
  }

  /** The text of an object, indented; fields in the map's order. */
  public static String format(Map<String, ?> fields) {
    try {
      return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(fields) + "\n";
    } catch (IOException e) {
      throw new IllegalStateException("a map of plain values has a JSON form", e);
    }
  }

  /** A map that keeps the order of its fields, for {@link #format}. */
  public static Map<String, Object> fields() {
    return new LinkedHashMap<>();
  }

  /** A text, or the default when the field is absent. */
  public String text(String field, String orElse) {
    Object value = fields.get(field);
    return value == null ? orElse : asText(field, value);
  }

  /** A text that must be there. */
  public String text(String field) {
    return asText(field, fields.get(field));
  }

  /** An integer that must be there. */
  public long integer(String field) {
    return asLong(field, fields.get(field));
  }

  /** A number, or the default when the field is absent. */
  public double number(String field, double orElse) {
    Object value = fields.get(field);
    return value == null ? orElse : asDouble(field, value);
  }

  /** A boolean, or the default when the field is absent. */
  public boolean flag(String field, boolean orElse) {
    Object value = fields.get(field);
    if (value == null) {
      return orElse;
    }
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw wrong(field, "true or false", value);
  }

  /** An object, or empty when the field is absent. */
  public Optional<JsonObject> object(String field) {
    Object value = fields.get(field);
    return value == null ? Optional.empty() : Optional.of(asObject(field, value));
  }

  /** A list of texts; empty when the field is absent. */
  public List<String> texts(String field) {
    List<String> texts = new ArrayList<>();
    for (Object item : list(field)) {
      texts.add(asText(field, item));
    }
    return texts;
  }

  /** A list of numbers; empty when the field is absent. */
  public List<Double> numbers(String field) {
    List<Double> numbers = new ArrayList<>();
    for (Object item : list(field)) {
      numbers.add(asDouble(field, item));
    }
    return numbers;
  }

  /** A list of integers; empty when the field is absent. */
  public List<Long> integers(String field) {
    List<Long> integers = new ArrayList<>();
    for (Object item : list(field)) {
      integers.add(asLong(field, item));
    }
    return integers;
  }

  /** A list of objects; empty when the field is absent. */
  public List<JsonObject> objects(String field) {
    List<JsonObject> objects = new ArrayList<>();
    for (Object item : list(field)) {
      objects.add(asObject(field + "[" + objects.size() + "]", item));
    }
    return objects;
  }

  /** A list of anything; empty when the field is absent. */
  public List<?> list(String field) {
    Object value = fields.get(field);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return list;
    }
    throw wrong(field, "a list", value);
  }

  /** The error for a field with the wrong content. */
  public MalformedFileException wrong(String field, String expected, @Nullable Object got) {
    return new MalformedFileException(
        ErrorKind.VALUE,
        location + ": field '" + field + "' must be " + expected + ", but is " + describe(got));
  }

  private JsonObject asObject(String field, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return new JsonObject(location + ": " + field, map);
    }
    throw wrong(field, "an object", value);
  }

  private String asText(String field, @Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw wrong(field, "a text", value);
  }

  private long asLong(String field, @Nullable Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw wrong(field, "an integer of 64 bits", value);
  }

  private double asDouble(String field, @Nullable Object value) {
    if (value instanceof Number number && !(value instanceof BigInteger)) {
      return number.doubleValue();
    }
    throw wrong(field, "a number", value);
  }

  private static String describe(@Nullable Object value) {
    if (value == null) {
      return "absent";
    }
    if (value instanceof Map<?, ?>) {
      return "an object";
    }
    if (value instanceof List<?>) {
      return "a list";
    }
    String text = String.valueOf(value);
    String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
    return value instanceof String ? "\"" + shown + "\"" : shown;
  }
}
