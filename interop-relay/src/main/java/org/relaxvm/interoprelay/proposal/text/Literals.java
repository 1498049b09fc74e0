package org.relaxvm.interoprelay.proposal.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.proposal.text.Token.Kind;

/**
 * Constants as text: integers, floats, strings, and tensors such as {@code tensor(float32,[2],[1.0,
 * 2.0])}. Elements without a notation are a string of base64 digits.
 */
final class Literals {
  private static final String LITERAL =
      "a constant: an integer, a float, a \"string\" or 'tensor(float32,[2],[1.0, 2.0])'";

  private Literals() {}

  static void print(StringBuilder text, Object constant) {
    switch (constant) {
      case Long number -> text.append(number);
      case Double number -> text.append(TensorElements.print(number));
      case String string -> text.append(Quoting.quote(string));
      case Tensor tensor -> tensor(text, tensor);
      default ->
          throw new InvalidProgramException(
              ErrorKind.TYPE,
              "a constant cannot be "
                  + TypeKeys.describe(constant)
                  + "\n  expected: a tensor, an integer, a float or a string");
    }
  }

  private static void tensor(StringBuilder text, Tensor constant) {
    boolean plain = constant.device().isHost() && constant.isContiguous();
    Tensor tensor = plain ? constant : constant.toHost();
    text.append("tensor(").append(tensor.dtype()).append(',').append(tensor.shape()).append(',');
    text.append(TensorElements.print(tensor).orElseGet(() -> base64(tensor))).append(')');
  }

  private static String base64(Tensor tensor) {
    byte[] bytes = tensor.segment().toArray(ValueLayout.JAVA_BYTE);
    return '"' + Base64.getEncoder().encodeToString(bytes) + '"';
  }

  static Object parse(TokenStream tokens) {
    Token token = tokens.peek();
    if (token.kind() == Kind.STRING) {
      return tokens.next().text();
    }
    if (token.kind() == Kind.NAME && token.text().equals("tensor")) {
      tokens.next();
      return tensor(tokens);
    }
    boolean number = token.kind() == Kind.NUMBER || token.text().matches("nan|inf");
    if (!number) {
      throw tokens.unexpected(LITERAL);
    }
    tokens.next();
    try {
      return token.text().matches("[-+]?[0-9]+")
          ? (Object) Long.parseLong(token.text())
          : (Object) TensorElements.number(token.text());
    } catch (NumberFormatException e) {
      throw tokens.error(
          token, "expected an integer of 64 bits or a double, but got " + token.describe());
    }
  }

  private static Tensor tensor(TokenStream tokens) {
    tokens.expect('(', "after 'tensor'");
    DType dtype = tokens.dtype();
    tokens.expect(',', "after the dtype of a tensor");
    Token token = tokens.peek();
    Shape shape = tokens.shape();
    long bytes;
    try {
      bytes = dtype.byteSize(shape.elementCount());
    } catch (CallException e) {
      throw tokens.error(token, e.summary());
    }
    tokens.expect(',', "after the shape of a tensor");
    Tensor tensor =
        tokens.peek().kind() == Kind.STRING
            ? ofBase64(tokens, token, dtype, shape, bytes)
            : ofElements(tokens, token, dtype, shape);
    tokens.expect(')', "after the elements of a tensor");
    return tensor;
  }

  private static Tensor ofBase64(
      TokenStream tokens, Token start, DType dtype, Shape shape, long bytes) {
    Token digits = tokens.next();
    byte[] given;
    try {
      given = Base64.getDecoder().decode(digits.text());
    } catch (IllegalArgumentException e) {
      throw tokens.error(digits, "malformed base64: " + e.getMessage());
    }
    if (given.length != bytes) {
      throw tokens.error(
          start, dtype.toString() + shape + " has " + bytes + " bytes, but got " + given.length);
    }
    return Tensor.of(given, dtype, shape);
  }

  private static Tensor ofElements(TokenStream tokens, Token start, DType dtype, Shape shape) {
    if (!TensorElements.supports(dtype)) {
      throw tokens.error(
          start, "elements of " + dtype + " have no notation; give their bytes as base64");
    }
    tokens.expect('[', "and the elements in row-major order");
    List<Token> items = new ArrayList<>();
    while (!tokens.accept(']')) {
      if (!items.isEmpty()) {
        tokens.expect(',', "or ']' among the elements");
      }
      if (tokens.peek().kind() != Kind.NUMBER && tokens.peek().kind() != Kind.NAME) {
        throw tokens.unexpected("an element of " + dtype);
      }
      items.add(tokens.next());
    }
    // The count is compared before memory is taken: a shape can claim anything.
    if (items.size() != shape.elementCount()) {
      throw tokens.error(
          start,
          "shape " + shape + " has " + shape.elementCount() + " elements, but got " + items.size());
    }
    Tensor tensor = Tensor.zeros(dtype, shape);
    ByteBuffer elements =
        ByteBuffer.allocate((int) tensor.byteSize()).order(ByteOrder.LITTLE_ENDIAN);
    for (Token item : items) {
      try {
        TensorElements.parse(dtype, item.text(), elements);
      } catch (NumberFormatException e) {
        throw tokens.error(
            item, "expected an element of " + dtype + ", but got " + item.describe());
      }
    }
    tensor.segment().copyFrom(MemorySegment.ofArray(elements.array()));
    return tensor;
  }
}
