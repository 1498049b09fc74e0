package org.relaxvm.tir.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.CallLinkage;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.text.Token.Kind;

/** Reads packed calls. */
final class PackedCallParser {
  private static final String GET_ITEM = "anylist_getitem";

  private final TokenStream tokens;
  private final Scope scope;
  private final ExprParser exprs;

  PackedCallParser(TokenStream tokens, Scope scope, ExprParser exprs) {
    this.tokens = tokens;
    this.scope = scope;
    this.exprs = exprs;
  }

  /** Whether a packed call comes next. */
  boolean comes() {
    return tokens.comes("T", ".")
        && (linkage(tokens.peek(2)) != null || storingLinkage(tokens.peek(2)) != null);
  }

  private static @Nullable CallLinkage linkage(Token function) {
    for (CallLinkage each : CallLinkage.values()) {
      if (function.is(each.text())) {
        return each;
      }
    }
    return null;
  }

  private static @Nullable CallLinkage storingLinkage(Token function) {
    for (CallLinkage each : CallLinkage.values()) {
      if (function.is(each.storingText())) {
        return each;
      }
    }
    return null;
  }

  /** A call, which {@link #comes}. */
  CallPacked parse() {
    Token function = tokens.expectFunction();
    tokens.expect("(");
    CallLinkage plain = linkage(function);
    CallLinkage storing = storingLinkage(function);
    Optional<AnyListItem> result = Optional.empty();
    if (storing != null) {
      result = Optional.of(cell());
      tokens.expect(",");
    }
    Token name = tokens.expect(Kind.STRING, "the name of a function in quotes");
    List<PackedArg> args = new ArrayList<>();
    while (tokens.another(")")) {
      args.add(parseArgument());
    }
    CallLinkage linkage = plain != null ? plain : storing != null ? storing : CallLinkage.PACKED;
    return new CallPacked(name.text(), args, linkage, result);
  }

  private AnyListItem cell() {
    Token list = tokens.expect(Kind.NAME, "a list that is a T.handle");
    if (!(scope.find(list.text()) instanceof Handle handle)) {
      throw tokens.error(list, "'" + list.text() + "' is no T.handle of this function");
    }
    tokens.expect(",");
    Token index = tokens.expect(Kind.INTEGER, "the number of a cell");
    return tokens.make(index, () -> new AnyListItem(handle, number(index)));
  }

  private int number(Token index) {
    try {
      return Integer.parseInt(index.text());
    } catch (NumberFormatException e) {
      throw tokens.error(index, "the number of a cell must fit 32 bits");
    }
  }

  private PackedArg parseArgument() {
    Token start = tokens.peek();
    if (start.kind() == Kind.STRING) {
      return new PackedArg.OfText(tokens.next().text());
    }
    if (tokens.accept("None")) {
      return new PackedArg.OfNull();
    }
    if (tokens.comes("T", ".", GET_ITEM)) {
      Token unused = tokens.expectFunction();
      tokens.expect("(");
      AnyListItem item = cell();
      tokens.expect(")");
      return new PackedArg.OfItem(item);
    }
    boolean isName = start.kind() == Kind.NAME && !tokens.peek(1).is("[");
    Object named = isName ? scope.find(start.text()) : null;
    if (named instanceof Buffer buffer) {
      tokens.next();
      return new PackedArg.OfBuffer(buffer);
    }
    if (named instanceof Handle handle) {
      tokens.next();
      return new PackedArg.OfHandle(handle);
    }
    return new PackedArg.OfScalar(exprs.parse());
  }
}
