package org.relaxvm.compiler.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.EmbeddedText;
import org.relaxvm.tir.text.Names;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.Token.Kind;
import org.relaxvm.tir.text.TokenStream;

/** Reads scalar expressions over symbolic extents. */
final class SymbolReader {
  private static final int PLAIN_DIGITS = 18;

  private final Reading reading;
  private final TokenStream tokens;
  private final Scope scope;

  SymbolReader(Reading reading, Scope scope) {
    this.reading = reading;
    this.tokens = reading.tokens;
    this.scope = scope;
  }

  /** What stands in brackets that are open. */
  private enum Bracket {
    /** The arguments of {@code R.Tensor} or {@code R.Shape}. */
    TYPE,
    EXTENTS,
    OTHER
  }

  /**
   * Defines the symbols that stand alone as extents in the types that come next, up to the end of
   * the line, a {@code ->} or the bracket that closes around them. Takes nothing.
   */
  void define() {
    int mark = tokens.mark();
    Deque<Bracket> open = new ArrayDeque<>();
    Token last = tokens.peek();
    for (boolean isFirst = true; !ends(tokens.peek(), open); isFirst = false) {
      Token token = tokens.next();
      Bracket around = open.isEmpty() ? Bracket.OTHER : open.getFirst();
      if (opens(token)) {
        open.push(isFirst ? Bracket.OTHER : inside(around, last));
      } else if (closes(token)) {
        open.pop();
      } else if (around == Bracket.EXTENTS
          && isSymbolName(token)
          && (opens(last) || last.is(","))
          && (tokens.peek().is(",") || closes(tokens.peek()))) {
        scope.defineIfNew(token.text());
      }
      last = token;
    }
    tokens.reset(mark);
  }

  private static Bracket inside(Bracket around, Token before) {
    if (before.is("Tensor") || before.is("Shape")) {
      return Bracket.TYPE;
    }
    return around == Bracket.TYPE && before.kind() == Kind.SYMBOL ? Bracket.EXTENTS : Bracket.OTHER;
  }

  private static boolean ends(Token token, Deque<Bracket> open) {
    return token.kind() == Kind.NEWLINE
        || token.kind() == Kind.END
        || (open.isEmpty() && (closes(token) || token.is("->")));
  }

  private static boolean opens(Token token) {
    return token.is("(") || token.is("[") || token.is("{");
  }

  private static boolean closes(Token token) {
    return token.is(")") || token.is("]") || token.is("}");
  }

  private static boolean isSymbolName(Token token) {
    boolean isWord = token.kind() == Kind.NAME || token.kind() == Kind.STRING;
    return isWord && Names.plain(token.text()).equals(token.text());
  }

  /** Extents up to a closing bracket, whose opening one was taken. */
  List<PrimExpr> list(String close) {
    List<PrimExpr> items = new ArrayList<>();
    boolean more = !tokens.accept(close);
    while (more) {
      items.add(read());
      more = tokens.another(close);
    }
    return items;
  }

  /** An expression, perhaps in quotes. */
  PrimExpr read() {
    Token first = tokens.peek();
    boolean alone = tokens.peek(1).is(",") || closes(tokens.peek(1));
    if (alone && first.kind() == Kind.INTEGER && first.text().length() <= PLAIN_DIGITS) {
      return IntImm.of(Long.parseLong(tokens.next().text()));
    }
    if (alone && first.kind() == Kind.NAME && !Names.isReserved(first.text())) {
      return symbol(tokens.next());
    }
    if (first.kind() == Kind.STRING) {
      TokenStream quoted = tokens.in(tokens.next());
      PrimExpr expr = EmbeddedText.parseExpr(quoted, used(quoted));
      if (quoted.peek().kind() != Kind.NEWLINE) {
        throw quoted.unexpected("the end of the expression in quotes");
      }
      return expr;
    }
    return EmbeddedText.parseExpr(tokens, used(tokens));
  }

  /** What the names mean that come next, up to the end of the expression. Takes nothing. */
  private Map<String, Var> used(TokenStream stream) {
    Map<String, Var> used = new HashMap<>();
    int mark = stream.mark();
    int depth = 0;
    while (true) {
      Token token = stream.peek();
      boolean ends = depth == 0 && (closes(token) || token.is(",") || token.is(":"));
      if (ends || token.kind() == Kind.NEWLINE || token.kind() == Kind.END) {
        break;
      }
      stream.next();
      depth += opens(token) ? 1 : closes(token) ? -1 : 0;
      if (token.is("T") && stream.peek().is(".")) {
        stream.next();
        stream.next();
      } else if (token.kind() == Kind.NAME && !Names.isReserved(token.text())) {
        used.put(token.text(), symbol(token));
      }
    }
    stream.reset(mark);
    return used;
  }

  private Var symbol(Token name) {
    Var symbol = scope.symbol(name.text());
    if (symbol == null) {
      throw reading.unknown(name, "symbol", name.text(), scope.symbolNames());
    }
    return symbol;
  }
}
