package org.relaxvm.tir.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.text.Token.Kind;

/** Reads blocks: what they declare, then their statements. */
final class BlockParser {
  private final TokenStream tokens;
  private final Scope scope;
  private final ExprParser exprs;
  private final StmtParser statements;

  BlockParser(TokenStream tokens, Scope scope, ExprParser exprs, StmtParser statements) {
    this.tokens = tokens;
    this.scope = scope;
    this.exprs = exprs;
    this.statements = statements;
  }

  /** What a block has declared so far. */
  private static final class Header {
    final List<IterVar> axes = new ArrayList<>();
    final List<PrimExpr> values = new ArrayList<>();
    final List<BufferRegion> reads = new ArrayList<>();
    final List<BufferRegion> writes = new ArrayList<>();
    final List<Buffer> allocated = new ArrayList<>();
    final Set<String> seen = new HashSet<>();
    PrimExpr predicate = IntImm.of(true);
    Map<String, Object> annotations = Map.of();
    @Nullable Stmt init;
  }

  /** The rest of a block after its name. */
  Stmt parse(Token name) {
    statements.openBody();
    Header header = new Header();
    while (parseDeclaration(header)) {}
    Stmt body = statements.parseRemaining(0);
    return tokens.make(
        name,
        () ->
            new BlockRealize(
                header.values,
                header.predicate,
                new Block(
                    name.text(),
                    header.axes,
                    header.reads,
                    header.writes,
                    header.allocated,
                    Optional.ofNullable(header.init),
                    body,
                    header.annotations)));
  }

  private boolean parseDeclaration(Header header) {
    boolean names = tokens.peek(1).is("=") || tokens.peek(1).is(",");
    if (tokens.peek().kind() == Kind.NAME && names) {
      parseNames(header);
      tokens.expectLineEnd();
      return true;
    }
    if (tokens.comes("with", "T", ".", "init", "(", ")")) {
      Token token = tokens.peek();
      requireOnce(header, token, "with T.init");
      tokens.next();
      Token unused = tokens.expectFunction();
      tokens.expect("(");
      tokens.expect(")");
      int mark = scope.open();
      header.init = statements.parseBody(1);
      scope.close(mark);
      return true;
    }
    if (!tokens.comes("T", ".") || !isAnnotation(tokens.peek(2))) {
      return false;
    }
    Token function = tokens.expectFunction();
    requireOnce(header, function, "T." + function.text().replace("sblock", "block"));
    tokens.expect("(");
    switch (function.text()) {
      case "where" -> {
        header.predicate = exprs.parse();
        tokens.expect(")");
      }
      case "reads" -> parseRegions(header.reads);
      case "writes" -> parseRegions(header.writes);
      default -> {
        header.annotations = new LiteralParser(tokens).annotations();
        tokens.expect(")");
      }
    }
    tokens.expectLineEnd();
    return true;
  }

  private static boolean isAnnotation(Token token) {
    return token.is("where")
        || token.is("reads")
        || token.is("writes")
        || token.is("block_attr")
        || token.is("sblock_attr");
  }

  private void requireOnce(Header header, Token token, String what) {
    if (!header.seen.add(what)) {
      throw tokens.error(token, what + " is there twice in this block");
    }
  }

  private void parseNames(Header header) {
    List<Token> names = new ArrayList<>();
    do {
      names.add(tokens.expectNewName("an axis or buffer"));
    } while (tokens.accept(","));
    tokens.expect("=");
    Token function = tokens.expectFunction();
    boolean allocates = function.is("alloc_buffer") || function.is("sblock_alloc_buffer");
    if (allocates && names.size() == 1) {
      header.allocated.add(allocate(names.getFirst()));
      return;
    }
    if (!function.text().equals("axis")) {
      throw tokens.unknown(function, "declaration", "T.axis, T.alloc_buffer");
    }
    tokens.expect(".");
    Token kind = tokens.expect(Kind.NAME, "a kind of axis");
    tokens.expect("(");
    if (kind.text().equals("remap")) {
      parseRemap(header, names);
      return;
    }
    for (IterKind known : IterKind.values()) {
      if (StmtPrinter.function(known).equals(kind.text())) {
        if (names.size() > 1) {
          throw tokens.error(names.get(1), "only T.axis.remap has several axes");
        }
        parseAxis(header, names.getFirst(), known);
        return;
      }
    }
    throw tokens.unknown(kind, "kind of axis", "spatial, reduce, opaque, remap");
  }

  /** Memory of a function or block, from the bracket on. */
  Buffer allocate(Token name) {
    tokens.expect("(");
    Buffer buffer = new TypeParser(tokens, scope, exprs).parse(name);
    if (!scope.isDeclared(name.text())) {
      scope.define(name.text(), buffer);
    }
    return buffer;
  }

  private void parseAxis(Header header, Token name, IterKind kind) {
    Token token = tokens.peek();
    Range domain;
    int mark = tokens.mark();
    tokens.next();
    if (token.is("(") && isPair()) {
      tokens.reset(mark);
      tokens.next();
      PrimExpr min = exprs.parse();
      tokens.expect(",");
      PrimExpr stop = exprs.parse();
      tokens.expect(")");
      domain = new Range(min, tokens.make(token, () -> Ranges.extent(min, stop)));
    } else {
      tokens.reset(mark);
      PrimExpr extent = exprs.parse();
      domain = new Range(tokens.make(token, () -> new IntImm(extent.dtype(), 0)), extent);
    }
    tokens.expect(",");
    PrimExpr value = exprs.parse();
    tokens.expect(")");
    addAxis(header, name, domain, kind, value);
  }

  /** Whether a comma follows in the brackets that are open. */
  private boolean isPair() {
    int brackets = 1;
    while (brackets > 0 && tokens.peek().kind() != Kind.NEWLINE) {
      Token token = tokens.next();
      if (brackets == 1 && token.is(",")) {
        return true;
      }
      brackets += token.is("(") || token.is("[") ? 1 : token.is(")") || token.is("]") ? -1 : 0;
    }
    return false;
  }

  private void addAxis(Header header, Token name, Range domain, IterKind kind, PrimExpr value) {
    Var var = statements.define(name, value.dtype());
    header.axes.add(tokens.make(name, () -> new IterVar(var, domain, kind)));
    header.values.add(value);
  }

  private void parseRemap(Header header, List<Token> names) {
    Token kinds = tokens.expect(Kind.STRING, "the kinds of the axes, such as \"SR\"");
    tokens.expect(",");
    tokens.expect("[");
    List<Token> starts = new ArrayList<>();
    List<PrimExpr> values =
        ExprParser.list(
            tokens,
            "]",
            unused -> {
              starts.add(tokens.peek());
              return exprs.parse();
            });
    tokens.expect(")");
    if (kinds.text().length() != names.size() || values.size() != names.size()) {
      throw tokens.error(
          kinds,
          "T.axis.remap has "
              + Count.axes(names.size())
              + ", but "
              + Count.of(kinds.text().length(), "kind", "kinds")
              + " and "
              + Count.of(values.size(), "loop", "loops"));
    }
    for (int i = 0; i < names.size(); i++) {
      Range domain = values.get(i) instanceof Var counter ? scope.loop(counter) : null;
      if (domain == null) {
        throw tokens.error(starts.get(i), "T.axis.remap takes the counters of loops only");
      }
      addAxis(header, names.get(i), domain, kind(kinds, i), values.get(i));
    }
  }

  private IterKind kind(Token kinds, int index) {
    String letter = kinds.text().substring(index, index + 1);
    for (IterKind kind : IterKind.values()) {
      if (kind.text().equals(letter)) {
        return kind;
      }
    }
    throw tokens.error(
        kinds, "unknown kind of axis " + Quoting.quote(letter) + "\n  what there is: S, R, O");
  }

  /** Regions to the closing bracket, as arguments or as one list. */
  private void parseRegions(List<BufferRegion> regions) {
    if (tokens.accept("[")) {
      regions.addAll(ExprParser.list(tokens, "]", unused -> parseRegion()));
      tokens.expect(")");
    } else {
      regions.addAll(ExprParser.list(tokens, ")", unused -> parseRegion()));
    }
  }

  private BufferRegion parseRegion() {
    Token name = tokens.expect(Kind.NAME, "a buffer");
    Buffer buffer = exprs.buffer(name);
    tokens.expect("[");
    if (tokens.comes("(", ")", "]")) {
      tokens.next();
      tokens.next();
    }
    List<Range> ranges = ExprParser.list(tokens, "]", unused -> parseRange());
    return tokens.make(name, () -> new BufferRegion(buffer, ranges));
  }

  private Range parseRange() {
    Token token = tokens.peek();
    PrimExpr min = exprs.parse();
    if (!tokens.accept(":")) {
      return new Range(min, Ranges.one(min));
    }
    PrimExpr stop = exprs.parse();
    return new Range(min, tokens.make(token, () -> Ranges.extent(min, stop)));
  }
}
