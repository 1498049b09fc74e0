package org.relaxvm.interoponnx.convert;

import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Extents that are written as expressions, such as {@code 2*seq}, {@code past + 1} or {@code
 * floor(h/2)}. A quotient rounds down. Not thread-safe.
 */
final class DimExpressions {
  private static final int MAX_DEPTH = 50;
  private static final int MAX_LENGTH = 500;

  private final String text;
  private final Function<String, Optional<PrimExpr>> symbols;
  private int at;
  private int depth;

  private DimExpressions(String text, Function<String, Optional<PrimExpr>> symbols) {
    this.text = text;
    this.symbols = symbols;
  }

  /**
   * The expression of a string.
   *
   * @param symbols the extents of names
   * @return empty when the text is none, or has a name without an extent
   */
  static Optional<PrimExpr> parse(String text, Function<String, Optional<PrimExpr>> symbols) {
    if (text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    DimExpressions parser = new DimExpressions(text, symbols);
    try {
      PrimExpr result = parser.sum();
      parser.blanks();
      return parser.at == text.length() ? Optional.of(result) : Optional.empty();
    } catch (NotAnExpression | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private PrimExpr sum() {
    PrimExpr left = product();
    while (true) {
      if (take("+")) {
        left = Exprs.add(left, product());
      } else if (take("-")) {
        left = Exprs.sub(left, product());
      } else {
        return left;
      }
    }
  }

  private PrimExpr product() {
    PrimExpr left = factor();
    while (true) {
      if (take("*")) {
        left = Exprs.mul(left, factor());
      } else if (take("//") || take("/")) {
        left = Exprs.floorDiv(left, divisor());
      } else if (take("%")) {
        left = Exprs.floorMod(left, divisor());
      } else {
        return left;
      }
    }
  }

  private PrimExpr divisor() {
    PrimExpr divisor = factor();
    if (divisor instanceof IntImm number && number.value() <= 0) {
      throw new NotAnExpression();
    }
    return divisor;
  }

  private PrimExpr factor() {
    if (++depth > MAX_DEPTH) {
      throw new NotAnExpression();
    }
    try {
      blanks();
      int begin = at;
      while (at < text.length() && isNamePart(text.charAt(at))) {
        at++;
      }
      String word = text.substring(begin, at);
      if (word.isEmpty()) {
        require("(");
        PrimExpr inner = sum();
        require(")");
        return inner;
      }
      if (Character.isDigit(word.charAt(0))) {
        return IntImm.of(Long.parseLong(word));
      }
      return take("(") ? function(word) : symbols.apply(word).orElseThrow(NotAnExpression::new);
    } finally {
      depth--;
    }
  }

  private PrimExpr function(String name) {
    PrimExpr first = sum();
    switch (name) {
      case "floor" -> {
        require(")");
        return first;
      }
      case "max", "min" -> {
        require(",");
        PrimExpr second = sum();
        require(")");
        return name.equals("max") ? Exprs.max(first, second) : Exprs.min(first, second);
      }
      default -> throw new NotAnExpression();
    }
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.';
  }

  private void blanks() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private boolean take(String token) {
    blanks();
    if (!text.startsWith(token, at)) {
      return false;
    }
    at += token.length();
    return true;
  }

  private void require(String token) {
    if (!take(token)) {
      throw new NotAnExpression();
    }
  }

  private static final class NotAnExpression extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotAnExpression() {
      super("not an expression", null, false, false);
    }
  }
}
