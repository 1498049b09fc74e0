package org.relaxvm.tir.text;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.text.Token.Kind;

/** Reads constants and annotations. */
final class LiteralParser {
  private final TokenStream tokens;

  LiteralParser(TokenStream tokens) {
    this.tokens = tokens;
  }

  /** A number with its sign, or a boolean; null when another thing comes. */
  @Nullable PrimExpr tryPlain() {
    Token start = tokens.peek();
    Token number = start.is("-") ? tokens.peek(1) : start;
    if (start.is("True") || start.is("False")) {
      tokens.next();
      return IntImm.of(start.is("True"));
    }
    if (number.kind() != Kind.INTEGER && number.kind() != Kind.FLOAT) {
      return null;
    }
    boolean negative = tokens.accept("-");
    tokens.next();
    return number.kind() == Kind.INTEGER
        ? integer(start, DType.INT64, number, negative)
        : new FloatImm(DType.FLOAT64, real(number, negative));
  }

  /** What stands in brackets after a dtype when it is a constant; null when it is not. */
  @Nullable PrimExpr tryOf(DType dtype) {
    Token start = tokens.peek();
    boolean negative = start.is("-");
    Token number = negative ? tokens.peek(1) : start;
    if (!tokens.peek(negative ? 2 : 1).is(")")) {
      return null;
    }
    if (dtype.equals(DType.BOOL)) {
      return start.is("True") || start.is("False") ? tryPlain() : null;
    }
    boolean isNumber = number.kind() == Kind.INTEGER || number.kind() == Kind.FLOAT;
    if (dtype.isFloat() && start.kind() == Kind.STRING) {
      return new FloatImm(dtype, special(tokens.next()));
    }
    if (!isNumber || (number.kind() == Kind.FLOAT && !dtype.isFloat())) {
      return null;
    }
    tokens.next();
    if (negative) {
      tokens.next();
    }
    return dtype.isFloat()
        ? new FloatImm(dtype, real(number, negative))
        : integer(start, dtype, number, negative);
  }

  private double special(Token string) {
    return switch (string.text()) {
      case "nan" -> Double.NaN;
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default ->
          throw tokens.error(
              string, "expected \"nan\", \"inf\" or \"-inf\", but got " + string.describe());
    };
  }

  private static double real(Token number, boolean negative) {
    double value = Double.parseDouble(number.text());
    return negative ? -value : value;
  }

  private IntImm integer(Token token, DType dtype, Token number, boolean negative) {
    try {
      String digits = (negative ? "-" : "") + number.text();
      long value =
          dtype.equals(DType.UINT64) && !negative
              ? Long.parseUnsignedLong(digits)
              : Long.parseLong(digits);
      if (dtype.equals(DType.UINT64) && value < 0 && negative) {
        throw doesNotFit(token, dtype, number, negative);
      }
      return tokens.make(token, () -> new IntImm(dtype, value));
    } catch (NumberFormatException e) {
      throw doesNotFit(token, dtype, number, negative);
    }
  }

  private RuntimeException doesNotFit(Token token, DType dtype, Token number, boolean negative) {
    String shown = (negative ? "-" : "") + number.text();
    return tokens.error(token, "the constant " + shown + " does not fit " + dtype);
  }

  /** Annotations as a Python dictionary. */
  Map<String, Object> annotations() {
    Map<String, Object> annotations = new LinkedHashMap<>();
    tokens.expect("{");
    boolean more = !tokens.accept("}");
    while (more) {
      Token key = tokens.expect(Kind.STRING, "the name of an annotation in quotes");
      tokens.expect(":");
      if (annotations.put(key.text(), annotation()) != null) {
        throw tokens.error(key, "the annotation " + key.quoted() + " is there twice");
      }
      more = tokens.another("}");
    }
    return annotations;
  }

  private Object annotation() {
    if (tokens.peek().kind() == Kind.STRING) {
      return tokens.next().text();
    }
    PrimExpr value;
    Token token = tokens.peek();
    if (tokens.comes("T", ".") && Literals.isDType(tokens.peek(2).text())) {
      DType dtype = DType.parse(tokens.expectFunction().text());
      tokens.expect("(");
      token = tokens.peek();
      value = tryOf(dtype);
      tokens.expect(")");
    } else {
      value = tryPlain();
    }
    return switch (value) {
      case IntImm imm when imm.dtype().equals(DType.BOOL) -> imm.value() != 0;
      case IntImm imm -> imm.value();
      case FloatImm imm -> imm.value();
      case null, default ->
          throw tokens.error(
              token, "expected a string, number or boolean, but got " + token.describe());
    };
  }
}
