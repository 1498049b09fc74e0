package org.relaxvm.vmcore.program;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * Reads a JSON document (RFC 8259): objects as {@link Map}, arrays as {@link List}, strings as
 * {@link String}, integers as the narrowest of {@link Integer}, {@link Long} and {@link
 * BigInteger}, other numbers as {@link Double}, and {@code true}, {@code false} and {@code null}.
 * The names of an object must differ. For one document; not thread-safe.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does vm-core parse JSON itself?"
 */
final class JsonReader {
  private static final int MOST_NESTED = 200;
  private static final int LONGEST_NUMBER = 1000;
  private static final int LONG_DIGITS = 18;

  private final String document;
  private final String json;
  private int at;
  private int depth;

  private JsonReader(String document, String json) {
    this.document = document;
    this.json = json;
  }

  /**
   * The value of a document.
   *
   * @param document its name in messages
   * @throws MalformedFileException a {@code ValueError} that names line and column of what is not
   *     JSON, or nested more than 200 deep
   */
  static @Nullable Object read(String document, String json) {
    JsonReader reader = new JsonReader(document, json);
    reader.skipSpace();
    Object value = reader.value();
    reader.skipSpace();
    if (reader.at < json.length()) {
      throw reader.expected("the end of the document");
    }
    return value;
  }

  private @Nullable Object value() {
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> literal("true", true);
      case 'f' -> literal("false", false);
      case 'n' -> literal("null", null);
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw expected("a value");
    };
  }

  private Map<String, @Nullable Object> object() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    enter();
    while (hasNext('}', fields.isEmpty())) {
      int start = at;
      if (peek() != '"') {
        throw expected("a name in quotes");
      }
      String name = string();
      skipSpace();
      take(':', "':'");
      skipSpace();
      if (fields.containsKey(name)) {
        at = start;
        throw expected("a name other than the earlier \"" + name + "\"");
      }
      fields.put(name, value());
    }
    return fields;
  }

  private List<@Nullable Object> array() {
    List<@Nullable Object> items = new ArrayList<>();
    enter();
    while (hasNext(']', items.isEmpty())) {
      items.add(value());
    }
    return items;
  }

  private void enter() {
    if (++depth > MOST_NESTED) {
      throw expected("at most " + MOST_NESTED + " nested objects and arrays");
    }
    at++;
  }

  /** Goes to the next item of an object or array, or beyond its end. */
  private boolean hasNext(char end, boolean isFirst) {
    skipSpace();
    if (peek() == end) {
      at++;
      depth--;
      return false;
    }
    if (!isFirst) {
      take(',', "',' or '" + end + "'");
      skipSpace();
    }
    return true;
  }

  private String string() {
    int start = ++at;
    StringBuilder text = null;
    while (true) {
      char c = peek();
      if (c == '"') {
        String last = json.substring(start, at++);
        return text == null ? last : text.append(last).toString();
      }
      if (c < ' ') {
        throw expected(at < json.length() ? "an escaped control character" : "'\"'");
      }
      if (c == '\\') {
        text = text == null ? new StringBuilder() : text;
        text.append(json, start, at++).append(escaped());
        start = at;
      } else {
        at++;
      }
    }
  }

  /** The character of an escape sequence, whose backslash has been read. */
  private char escaped() {
    char c = peek();
    int index = "\"\\/bfnrt".indexOf(c);
    if (index >= 0) {
      at++;
      return "\"\\/\b\f\n\r\t".charAt(index);
    }
    if (c != 'u') {
      throw expected("one of \"\\/bfnrtu after a backslash");
    }
    int code = 0;
    for (int i = 0; i < 4; i++) {
      at++;
      int digit = Character.digit(peek(), 16);
      if (digit < 0 || peek() > 'f') {
        throw expected("four hexadecimal digits");
      }
      code = code * 16 + digit;
    }
    at++;
    return (char) code;
  }

  private Number number() {
    int start = at;
    if (peek() == '-') {
      at++;
    }
    int integer = at;
    digits();
    if (json.charAt(integer) == '0' && at > integer + 1) {
      at = integer + 1;
      throw expected("no digit after a leading zero");
    }
    boolean isInteger = true;
    if (peek() == '.') {
      isInteger = false;
      at++;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      isInteger = false;
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digits();
    }
    if (at - start > LONGEST_NUMBER) {
      at = start;
      throw expected("a number of at most " + LONGEST_NUMBER + " characters");
    }
    String text = json.substring(start, at);
    return isInteger ? integer(text) : (Number) Double.valueOf(text);
  }

  private static Number integer(String text) {
    if (text.length() <= LONG_DIGITS) {
      long value = Long.parseLong(text);
      return value == (int) value ? (Number) (int) value : (Number) value;
    }
    BigInteger value = new BigInteger(text);
    return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
  }

  private void digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    if (at == start) {
      throw expected("a digit");
    }
  }

  private @Nullable Object literal(String text, @Nullable Object value) {
    if (!json.startsWith(text, at)) {
      throw expected("a value");
    }
    at += text.length();
    return value;
  }

  private void take(char c, String what) {
    if (peek() != c) {
      throw expected(what);
    }
    at++;
  }

  private void skipSpace() {
    while (at < json.length()) {
      char c = json.charAt(at);
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        return;
      }
      at++;
    }
  }

  /** The next character; 0 at the end of the document. */
  private char peek() {
    return at < json.length() ? json.charAt(at) : 0;
  }

  private MalformedFileException expected(String what) {
    int line = 1;
    int start = 0;
    for (int i = 0; i < at; i++) {
      if (json.charAt(i) == '\n') {
        line++;
        start = i + 1;
      }
    }
    String got;
    if (at >= json.length()) {
      got = "the end of the document";
    } else if (peek() < ' ' || peek() > '~') {
      got = "the character U+%04X".formatted((int) peek());
    } else {
      got = "'" + peek() + "'";
    }
    return new MalformedFileException(
        ErrorKind.VALUE,
        document
            + " is not valid JSON: line "
            + line
            + ", column "
            + (at - start + 1)
            + ": expected "
            + what
            + ", but got "
            + got);
  }
}
