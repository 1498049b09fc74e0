package org.relaxvm.vmcore.text;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.vmcore.text.Token.Kind;

/** Reads constants: numbers, strings, dtypes, shapes and tensors. */
final class LiteralParser {
  private static final String LITERAL =
      "a constant: a number, a \"string\", 'dtype float32', 'shape[2, 3]' or"
          + " 'tensor float32[2] = [1.0, 2.0]'";

  private final TokenStream tokens;

  LiteralParser(TokenStream tokens) {
    this.tokens = tokens;
  }

  /** A value as the constant pool holds it. */
  Object literal() {
    Token token = tokens.peek();
    return switch (token.kind()) {
      case STRING -> tokens.next().text();
      case NUMBER -> number();
      case NAME -> named(token);
      default -> throw tokens.unexpected(LITERAL);
    };
  }

  private Object number() {
    Token token = tokens.next();
    try {
      if (Numbers.isInteger(token.text())) {
        return Numbers.parseLong(token.text());
      }
      return Numbers.parseDouble(token.text());
    } catch (NumberFormatException e) {
      throw tokens.error(
          token, "expected an integer of 64 bits or a double, but got " + token.describe());
    }
  }

  private Object named(Token token) {
    switch (token.text()) {
      case "nan", "inf" -> {
        return Numbers.parseDouble(tokens.next().text());
      }
      case "float" -> {
        tokens.next();
        return floatBits();
      }
      case "dtype" -> {
        tokens.next();
        return dtype();
      }
      case "shape" -> {
        tokens.next();
        return shape();
      }
      case "tensor" -> {
        tokens.next();
        return tensor();
      }
      default -> throw tokens.unexpected(LITERAL);
    }
  }

  private Double floatBits() {
    if (!tokens.acceptName("bits")) {
      throw tokens.unexpected("'bits' and the 64 bits of a double, such as 0x7ff8000000000001");
    }
    String expected = "the 64 bits of a double, such as 0x7ff8000000000001";
    Token token = tokens.expect(Kind.NUMBER, expected);
    try {
      return Double.longBitsToDouble(Numbers.parseUnsignedLong(token.text()));
    } catch (NumberFormatException e) {
      throw tokens.error(token, "expected " + expected + ", but got " + token.describe());
    }
  }

  private DType dtype() {
    if (tokens.accept('(')) {
      Token token = tokens.peek();
      long code = tokens.integer("the code of a dtype");
      tokens.expect(',', "',' and the bits of a dtype");
      long bits = tokens.integer("the bits of a dtype");
      tokens.expect(',', "',' and the lanes of a dtype");
      long lanes = tokens.integer("the lanes of a dtype");
      tokens.expect(')', "')' after the lanes of a dtype");
      try {
        return new DType(
            TypeCode.of(Math.clamp(code, -1, Integer.MAX_VALUE))
                .orElseThrow(() -> tokens.error(token, "unknown dtype code " + code)),
            Math.clamp(bits, -1, Integer.MAX_VALUE),
            Math.clamp(lanes, Integer.MIN_VALUE, Integer.MAX_VALUE));
      } catch (CallException e) {
        throw tokens.error(token, e.summary());
      }
    }
    Token name = tokens.expect(Kind.NAME, "a dtype such as float32");
    try {
      return DType.parse(name.text());
    } catch (CallException e) {
      throw tokens.error(name, e.summary());
    }
  }

  private Shape shape() {
    tokens.expect('[', "'[' and the extents of a shape");
    List<Long> dims = new ArrayList<>();
    while (!tokens.accept(']')) {
      if (!dims.isEmpty()) {
        tokens.expect(',', "',' or ']' in a shape");
      }
      dims.add(tokens.integer("an extent"));
    }
    return Shape.of(dims.stream().mapToLong(Long::longValue).toArray());
  }

  private Tensor tensor() {
    DType dtype = dtype();
    Token token = tokens.peek();
    Shape shape = shape();
    try {
      shape.elementCount();
      dtype.byteSize(shape.elementCount());
    } catch (CallException e) {
      throw tokens.error(token, e.summary());
    }
    if (tokens.acceptName("base64")) {
      return base64(token, dtype, shape);
    }
    tokens.expect('=', "'=' and the elements, or 'base64' and their bytes");
    return elements(token, dtype, shape);
  }

  private Tensor elements(Token token, DType dtype, Shape shape) {
    if (!Elements.supports(dtype)) {
      throw tokens.error(token, "elements of " + dtype + " have no notation; give them as base64");
    }
    tokens.expect('[', "'[' and the elements in row-major order");
    List<Token> items = new ArrayList<>();
    tokens.skipNewlines();
    while (!tokens.accept(']')) {
      if (!items.isEmpty()) {
        tokens.expect(',', "',' or ']' among the elements");
        tokens.skipNewlines();
      }
      if (tokens.peek().kind() != Kind.NUMBER && tokens.peek().kind() != Kind.NAME) {
        throw tokens.unexpected("an element of " + dtype);
      }
      items.add(tokens.next());
      tokens.skipNewlines();
    }
    // The count is compared before memory is taken: a shape can claim anything.
    if (items.size() != shape.elementCount()) {
      throw tokens.error(
          token,
          "shape "
              + shape
              + " has "
              + shape.elementCount()
              + " elements, but "
              + items.size()
              + " are given");
    }
    Tensor tensor = Tensor.zeros(dtype, shape);
    MemorySegment memory = tensor.segment();
    for (int i = 0; i < items.size(); i++) {
      Token item = items.get(i);
      try {
        Elements.parse(dtype, item.text(), memory, i);
      } catch (NumberFormatException e) {
        throw tokens.error(
            item, "expected an element of " + dtype + ", but got " + item.describe());
      }
    }
    return tensor;
  }

  private Tensor base64(Token token, DType dtype, Shape shape) {
    StringBuilder digits = new StringBuilder();
    tokens.skipNewlines();
    Token first = tokens.peek();
    do {
      digits.append(tokens.expect(Kind.STRING, "a string of base64 digits").text());
      skipNewlinesBeforeString();
    } while (tokens.peek().kind() == Kind.STRING);
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(digits.toString());
    } catch (IllegalArgumentException e) {
      throw tokens.error(first, "malformed base64: " + e.getMessage());
    }
    long expected = dtype.byteSize(shape.elementCount());
    if (bytes.length != expected) {
      throw tokens.error(
          token,
          dtype.toString()
              + shape
              + " has "
              + expected
              + " bytes, but "
              + bytes.length
              + " are given");
    }
    Tensor tensor = Tensor.zeros(dtype, shape);
    tensor.segment().copyFrom(MemorySegment.ofArray(bytes));
    return tensor;
  }

  /** Goes to the next line only when the string goes on there. */
  private void skipNewlinesBeforeString() {
    if (tokens.peek().kind() == Kind.NEWLINE && tokens.peekSecond().kind() == Kind.STRING) {
      tokens.next();
    }
  }
}
