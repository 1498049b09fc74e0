package org.relaxvm.compiler.text;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Small tensors as text: a number, {@code true}, {@code false}, or nested lists of these, such as
 * {@code [[1, 2], [3, 4]]}. Stateless; safe for concurrent use.
 */
public final class TensorLiteral {
  private static final int MOST_AXES = 16;

  private final String text;
  private final DType dtype;
  private final List<Long> dims = new ArrayList<>();
  private final List<String> elements = new ArrayList<>();
  private int at;

  private TensorLiteral(String text, DType dtype) {
    this.text = text;
    this.dtype = dtype;
  }

  /**
   * The tensor that a text stands for, in host memory.
   *
   * @throws InvalidProgramException a {@code ValueError} when the text is no tensor, its lists
   *     differ in length, or an element does not fit the dtype
   */
  public static Tensor parse(String text, DType dtype) {
    return new TensorLiteral(text, dtype).tensor();
  }

  private Tensor tensor() {
    if (!Elements.hasLiterals(dtype)) {
      throw malformed("no literal is " + dtype);
    }
    item(0);
    skipSpaces();
    if (at < text.length()) {
      throw malformed("unexpected '" + text.charAt(at) + "' at position " + at);
    }
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(elements.size(), dtype.elementByteSize()))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (String element : elements) {
      if (!Elements.put(bytes, dtype, element)) {
        throw malformed("'" + element + "' is no " + dtype);
      }
    }
    long[] shape = dims.stream().mapToLong(Long::longValue).toArray();
    return Tensor.of(bytes.array(), dtype, Shape.of(shape));
  }

  private void item(int depth) {
    skipSpaces();
    if (at < text.length() && text.charAt(at) == '[') {
      list(depth);
      return;
    }
    int start = at;
    while (at < text.length() && ",[] ".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    if (start == at) {
      throw malformed("an element is missing at position " + at);
    }
    if (dims.size() > depth) {
      throw malformed("lists are nested to different depths");
    }
    elements.add(
        switch (text.substring(start, at)) {
          case "true" -> "True";
          case "false" -> "False";
          default -> text.substring(start, at);
        });
  }

  private void list(int depth) {
    if (depth == MOST_AXES) {
      throw malformed("lists are nested deeper than " + MOST_AXES);
    }
    boolean isFirst = dims.size() == depth;
    if (isFirst && !elements.isEmpty()) {
      throw malformed("lists are nested to different depths");
    }
    if (isFirst) {
      dims.add(-1L);
    }
    at++;
    long length = 0;
    skipSpaces();
    boolean isEmpty = at < text.length() && text.charAt(at) == ']';
    while (!isEmpty) {
      item(depth + 1);
      length++;
      skipSpaces();
      if (at >= text.length() || text.charAt(at) != ',') {
        break;
      }
      at++;
    }
    if (at >= text.length() || text.charAt(at) != ']') {
      throw malformed("']' is missing at position " + at);
    }
    at++;
    if (dims.get(depth) < 0) {
      dims.set(depth, length);
    } else if (dims.get(depth) != length) {
      throw malformed("lists differ in length");
    }
  }

  private void skipSpaces() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private InvalidProgramException malformed(String problem) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "malformed tensor: "
            + problem
            + "\n"
            + "  expected: a number, true, false, or lists of these, such as [[1, 2], [3, 4]], of "
            + dtype
            + "\n  got: "
            + text);
  }
}
