package org.relaxvm.compiler.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.Token.Kind;
import org.relaxvm.tir.text.TokenStream;

/** Reads values of attributes. */
final class AttrReader {
  private final Reading reading;
  private final TokenStream tokens;
  private int depth;

  AttrReader(Reading reading) {
    this.reading = reading;
    this.tokens = reading.tokens;
  }

  /** Annotations in braces. */
  static Map<String, Object> entries(Reading reading) {
    return new AttrReader(reading).map();
  }

  /** The value of an attribute of an operator; null for {@code None} that gives none. */
  @Nullable Object read(OpDef op, AttrSpec spec) {
    Token token = tokens.peek();
    if (tokens.comes("I", ".", "vdevice") && spec.kind() == AttrSpec.Kind.TEXT) {
      return new TypeReader(reading, new Scope(reading.symbols)).vdevice().toString();
    }
    Object value = read();
    if (value == null) {
      return spec.kind() == AttrSpec.Kind.INTEGER_OR_NONE ? Attrs.Nothing.NONE : null;
    }
    if (spec.kind() == AttrSpec.Kind.DTYPE && token.kind() == Kind.STRING) {
      return reading.dtype(token);
    }
    if (!fits(spec.kind(), value)) {
      throw tokens.error(
          token,
          "the attribute "
              + spec.name()
              + " of R."
              + op.name()
              + " must be "
              + spec.kind().text()
              + ", but is "
              + AttrText.print(value));
    }
    return value;
  }

  private static boolean fits(AttrSpec.Kind kind, Object value) {
    return switch (kind) {
      case INTEGER, INTEGER_OR_NONE -> value instanceof Long;
      case REAL -> value instanceof Long || value instanceof Double;
      case BOOL -> value instanceof Boolean || value instanceof Long;
      case TEXT -> value instanceof String;
      case DTYPE -> value instanceof DType || value instanceof String;
      case INTEGERS ->
          value instanceof Long
              || (value instanceof List<?> list && list.stream().allMatch(Long.class::isInstance));
      case REALS ->
          value instanceof Number
              || (value instanceof List<?> list
                  && list.stream().allMatch(Number.class::isInstance));
      case ANY -> true;
    };
  }

  /** A value; null for {@code None}. */
  @Nullable Object read() {
    Token token = tokens.peek();
    if (token.kind() == Kind.STRING) {
      return tokens.next().text();
    }
    if (tokens.accept("None")) {
      return null;
    }
    if (token.is("True") || token.is("False")) {
      return reading.bool();
    }
    if (tokens.comes("T", ".") || tokens.comes("R", ".")) {
      return function();
    }
    if (tokens.comes("float", "(")) {
      return special();
    }
    if (token.is("(") || token.is("[") || token.is("{")) {
      return nested();
    }
    Token number = token.is("-") ? tokens.peek(1) : token;
    if (number.kind() == Kind.FLOAT) {
      tokens.accept("-");
      tokens.next();
      return Double.valueOf((token.is("-") ? "-" : "") + number.text());
    }
    if (number.kind() != Kind.INTEGER) {
      throw tokens.unexpected("a constant, such as a number, a string or a list of them");
    }
    return reading.integer("an integer");
  }

  private Object nested() {
    if (++depth > Limits.DEPTH) {
      throw tokens.error(
          tokens.peek(), "attributes are nested more than " + Limits.DEPTH + " deep");
    }
    Object value = tokens.peek().is("{") ? map() : list(tokens.next().is("(") ? ")" : "]");
    depth--;
    return value;
  }

  private List<Object> list(String close) {
    List<Object> items = new ArrayList<>();
    boolean more = !tokens.accept(close);
    while (more) {
      items.add(present());
      more = tokens.another(close);
    }
    return items;
  }

  private Map<String, Object> map() {
    Map<String, Object> entries = new LinkedHashMap<>();
    tokens.expect("{");
    boolean more = !tokens.accept("}");
    while (more) {
      Token key = tokens.expect(Kind.STRING, "a name in quotes");
      tokens.expect(":");
      if (entries.put(key.text(), present()) != null) {
        throw tokens.error(key, "the name " + key.quoted() + " is there twice");
      }
      more = tokens.another("}");
    }
    return entries;
  }

  private Object present() {
    Token token = tokens.peek();
    Object value = read();
    if (value == null) {
      throw tokens.error(token, "expected a value, but got 'None'");
    }
    return value;
  }

  /** {@code R.dtype("int32")}, {@code R.str("a")}, and numbers such as {@code T.int64(3)}. */
  private Object function() {
    Token namespace = tokens.next();
    tokens.next();
    Token name = tokens.expect(Kind.NAME, "the name of a function");
    boolean isOfR = namespace.is("R");
    tokens.expect("(");
    Object value;
    if (isOfR && name.is("dtype")) {
      value = reading.dtype();
    } else if (isOfR && name.is("str")) {
      value = reading.string("a string");
    } else if (isOfR) {
      throw reading.unknown(namespace, "constant", "R." + name.text(), List.of("R.dtype", "R.str"));
    } else {
      DType dtype = reading.dtype(name);
      Token token = tokens.peek();
      value = token.kind() == Kind.STRING ? special(tokens.next()) : present();
      if (dtype.isFloat() && value instanceof Long number) {
        value = (double) number;
      }
      if (!(value instanceof Number) && !(value instanceof Boolean)) {
        throw tokens.error(token, "expected a number, but got " + token.describe());
      }
    }
    tokens.expect(")");
    return value;
  }

  private Object special() {
    tokens.next();
    tokens.next();
    double value = special(tokens.expect(Kind.STRING, "\"nan\", \"inf\" or \"-inf\""));
    tokens.expect(")");
    return value;
  }

  private double special(Token text) {
    return switch (text.text()) {
      case "nan" -> Double.NaN;
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default ->
          throw tokens.error(
              text, "expected \"nan\", \"inf\" or \"-inf\", but got " + text.describe());
    };
  }
}
