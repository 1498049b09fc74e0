package org.relaxvm.api.io;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.MalformedFileException;

/**
 * Reads the text of a header: a Python dictionary with the keys {@code descr}, {@code
 * fortran_order} and {@code shape} in any order, and nothing else.
 */
final class NpyHeaderText {
  private static final int MAX_RANK = 64;

  private final String text;
  private final NpySource where;
  private int at;

  NpyHeaderText(String text, NpySource where) {
    this.text = text;
    this.where = where;
  }

  NpyHeader parse(long dataOffset) {
    NpyType type = null;
    Boolean columnMajor = null;
    Shape shape = null;
    expect('{', "the start of a dictionary");
    while (!accept('}')) {
      int keyAt = at;
      String key = string("a key");
      expect(':', "a colon");
      switch (key) {
        case "descr" -> {
          requireFirst(type, key);
          type = NpyType.parse(descr(), where);
        }
        case "fortran_order" -> {
          requireFirst(columnMajor, key);
          columnMajor = bool();
        }
        case "shape" -> {
          requireFirst(shape, key);
          shape = shape();
        }
        default -> throw failed(keyAt, "the key '" + key + "'", "descr, fortran_order or shape");
      }
      if (!accept(',')) {
        expect('}', "a comma or the end of the dictionary");
        break;
      }
    }
    if (!text.substring(at).isBlank()) {
      throw failed(at, "more text", "nothing after the dictionary");
    }
    if (type == null || columnMajor == null || shape == null) {
      String missing = type == null ? "descr" : shape == null ? "shape" : "fortran_order";
      throw where.malformed("its header has no '" + missing + "'");
    }
    return new NpyHeader(type, columnMajor, shape, dataOffset);
  }

  private void requireFirst(@Nullable Object value, String key) {
    if (value != null) {
      throw where.malformed("its header has '" + key + "' twice");
    }
  }

  private String descr() {
    skipBlanks();
    if (at < text.length() && text.charAt(at) == '[') {
      throw where.unsupported(
          "its elements are structures of several fields; save each field as an array of its own");
    }
    return string("an element type such as '<f4'");
  }

  private boolean bool() {
    skipBlanks();
    for (String word : new String[] {"True", "False"}) {
      if (text.startsWith(word, at)) {
        at += word.length();
        return word.equals("True");
      }
    }
    throw failed(at, found(), "True or False");
  }

  private Shape shape() {
    expect('(', "a tuple");
    long[] dims = new long[MAX_RANK];
    int rank = 0;
    while (!accept(')')) {
      if (rank == MAX_RANK) {
        throw where.unsupported("it has more than " + MAX_RANK + " axes");
      }
      dims[rank++] = extent();
      if (!accept(',')) {
        // In Python (5) is a number and (5,) a tuple; NumPy never writes the former.
        expect(')', "a comma or the end of the tuple");
        break;
      }
    }
    return Shape.of(Arrays.copyOf(dims, rank));
  }

  private long extent() {
    skipBlanks();
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    String digits = text.substring(start, at);
    if (digits.isEmpty()) {
      throw failed(start, found(), "an extent: a number of at least 0");
    }
    if (at < text.length() && text.charAt(at) == 'L') {
      at++; // as Python 2 wrote long numbers
    }
    // 18 digits always fit; no array is larger.
    if (digits.length() > 18) {
      throw where.malformed(
          "its header has the extent " + abbreviated(digits) + ", which is absurd");
    }
    return Long.parseLong(digits);
  }

  private String string(String expected) {
    skipBlanks();
    char quote = at < text.length() ? text.charAt(at) : ' ';
    int end = quote == '\'' || quote == '"' ? text.indexOf(quote, at + 1) : -1;
    if (end < 0) {
      throw failed(at, found(), expected);
    }
    String value = text.substring(at + 1, end);
    at = end + 1;
    return value;
  }

  private boolean accept(char c) {
    skipBlanks();
    boolean there = at < text.length() && text.charAt(at) == c;
    at += there ? 1 : 0;
    return there;
  }

  private void expect(char c, String meaning) {
    if (!accept(c)) {
      throw failed(at, found(), meaning);
    }
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private String found() {
    return at < text.length() ? "'" + abbreviated(text.substring(at).strip()) + "'" : "the end";
  }

  private static String abbreviated(String text) {
    return text.length() <= 20 ? text : text.substring(0, 20) + "...";
  }

  private MalformedFileException failed(int position, String got, String expected) {
    return where.malformed(
        "its header has " + got + " at character " + position + "; expected " + expected);
  }
}
