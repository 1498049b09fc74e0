package org.relaxvm.tir.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;
import org.relaxvm.tir.text.Token.Kind;

/** Reads statements. */
final class StmtParser {
  private final TokenStream tokens;
  private final Scope scope;
  private final ExprParser exprs;
  private final BlockParser blocks;
  private final PackedCallParser calls;
  private int nesting;

  StmtParser(TokenStream tokens, Scope scope, ExprParser exprs) {
    this.tokens = tokens;
    this.scope = scope;
    this.exprs = exprs;
    this.blocks = new BlockParser(tokens, scope, exprs, this);
    this.calls = new PackedCallParser(tokens, scope, exprs);
  }

  /** The statements to the end of the indented lines: one alone is itself. */
  Stmt parseRemaining(int extraLevels) {
    enter(1 + extraLevels);
    Stmt body = Seq.of(parseItems());
    nesting -= 1 + extraLevels;
    return body;
  }

  /** A colon, and the statements in the indented lines below. */
  Stmt parseBody(int levels) {
    openBody();
    return parseRemaining(levels - 1);
  }

  void openBody() {
    tokens.expect(":");
    tokens.expectLineEnd();
    tokens.expect(Kind.INDENT, "an indented line");
  }

  private void enter(int levels) {
    nesting += levels;
    if (nesting > Limits.STATEMENT_DEPTH) {
      throw tokens.error(
          tokens.peek(), "statements are nested more than " + Limits.STATEMENT_DEPTH + " deep");
    }
  }

  private List<Stmt> parseItems() {
    List<Stmt> items = new ArrayList<>();
    do {
      items.add(parse());
    } while (tokens.peek().kind() != Kind.DEDENT && tokens.peek().kind() != Kind.END);
    if (tokens.peek().kind() == Kind.DEDENT) {
      tokens.next();
    }
    return items;
  }

  private Stmt parse() {
    int mark = scope.open();
    Token start = tokens.peek();
    Stmt stmt =
        start.kind() != Kind.NAME
            ? null
            : switch (start.text()) {
              case "for" -> parseFor();
              case "if" -> parseIf();
              case "with" -> parseWith();
              case "pass" -> {
                tokens.next();
                yield endOfLine(new Seq(List.of()));
              }
              case "return" -> {
                tokens.next();
                yield endOfLine(new Return(exprs.parse()));
              }
              case "T" -> endOfLine(parseCall());
              case "break", "continue" -> {
                boolean breaks = tokens.next().is("break");
                yield endOfLine(breaks ? LoopJump.BREAK : LoopJump.CONTINUE);
              }
              default -> Names.isReserved(start.text()) ? null : parseStore();
            };
    if (stmt == null) {
      throw tokens.unexpected("a statement");
    }
    scope.close(mark);
    return stmt;
  }

  private Stmt endOfLine(Stmt stmt) {
    tokens.expectLineEnd();
    return stmt;
  }

  private Stmt parseStore() {
    Token name = tokens.next();
    if (tokens.peek().is("=") || tokens.peek().is(",")) {
      throw tokens.error(
          name,
          "expected a statement, but got a declaration; declarations stand in front of the"
              + " statements of a function or block");
    }
    if (!tokens.peek().is("[")) {
      throw tokens.unexpected("'[' and the indices of a store");
    }
    Buffer buffer = exprs.buffer(name);
    List<PrimExpr> indices = new ArrayList<>();
    int unused = exprs.indices(indices);
    tokens.expect("=");
    PrimExpr value = exprs.parse(buffer.dtype());
    return endOfLine(tokens.make(name, () -> new BufferStore(buffer, value, indices)));
  }

  private Stmt parseCall() {
    if (calls.comes()) {
      return calls.parse();
    }
    Token function = tokens.expectFunction();
    tokens.expect("(");
    switch (function.text()) {
      case "ret" -> {
        PrimExpr value = exprs.parse();
        tokens.expect(")");
        return new Return(value);
      }
      case "evaluate" -> {
        if (tokens.peek().kind() == Kind.INTEGER) {
          tokens.next();
          tokens.expect(")");
          return new Seq(List.of());
        }
        if (!calls.comes() && !tokens.comes("T", ".", "ret")) {
          throw tokens.unexpected("T.call_packed or T.ret");
        }
        Stmt inner = parseCall();
        tokens.expect(")");
        return inner;
      }
      case "func_attr" ->
          throw tokens.error(function, "T.func_attr stands once, in front of the body");
      case "where", "reads", "writes", "block_attr", "sblock_attr" ->
          throw tokens.error(
              function,
              "T." + function.text() + " stands once, in front of the statements of a block");
      default -> throw tokens.unknown(function, "statement", "T.call_packed, T.evaluate, T.ret");
    }
  }

  private Stmt parseIf() {
    Token token = tokens.next();
    PrimExpr condition = exprs.parse();
    Stmt whenTrue = parseBody(1);
    Optional<Stmt> whenFalse = Optional.empty();
    if (tokens.peek().is("elif")) {
      enter(1);
      whenFalse = Optional.of(parseIf());
      nesting--;
    } else if (tokens.accept("else")) {
      whenFalse = Optional.of(parseBody(1));
    }
    Optional<Stmt> otherwise = whenFalse;
    return tokens.make(token, () -> new IfThenElse(condition, whenTrue, otherwise));
  }

  private Stmt parseWith() {
    tokens.expect("with");
    Token function = tokens.expectFunction();
    tokens.expect("(");
    switch (function.text()) {
      case "block", "sblock" -> {
        Token name = tokens.expect(Kind.STRING, "the name of the block in quotes");
        tokens.expect(")");
        return blocks.parse(name);
      }
      case "LetStmt" -> {
        if (calls.comes()) {
          return parseLetCall();
        }
        PrimExpr value = exprs.parse();
        tokens.expect(",");
        tokens.expect("var");
        tokens.expect("=");
        Token name = tokens.expectNewName("a variable");
        tokens.expect(")");
        Var var = define(name, value.dtype());
        Stmt body = parseBody(1);
        return tokens.make(name, () -> new Let(var, value, body));
      }
      case "Seq" -> {
        tokens.expect(")");
        openBody();
        enter(1);
        List<Stmt> items = parseItems();
        nesting--;
        return new Seq(items);
      }
      case "init" ->
          throw tokens.error(function, "T.init stands once, in front of the statements of a block");
      default -> throw tokens.unknown(function, "scope", "T.block, T.sblock, T.LetStmt, T.Seq");
    }
  }

  private Stmt parseLetCall() {
    CallPacked call = calls.parse();
    tokens.expect(",");
    tokens.expect("var");
    tokens.expect("=");
    Token name = tokens.expectNewName("a variable");
    DType dtype = DType.BOOL;
    if (tokens.accept(",")) {
      tokens.expect("dtype");
      tokens.expect("=");
      dtype = exprs.dtype();
    }
    tokens.expect(")");
    Var var = define(name, dtype);
    Stmt body = parseBody(1);
    return tokens.make(name, () -> new LetCall(var, call, body));
  }

  /** A new variable, or the one that is declared under this name. */
  Var define(Token name, DType dtype) {
    if (scope.isDeclared(name.text())) {
      if (scope.find(name.text()) instanceof Var declared) {
        return declared;
      }
      throw tokens.error(name, "'" + name.text() + "' is declared above as a buffer");
    }
    Var var = tokens.make(name, () -> new Var(name.text(), dtype));
    scope.define(name.text(), var);
    return var;
  }

  private Stmt parseFor() {
    tokens.expect("for");
    List<Token> names = new ArrayList<>();
    do {
      names.add(tokens.expectNewName("a loop counter"));
    } while (tokens.accept(","));
    tokens.expect("in");
    Token function = tokens.peek().is("range") ? tokens.next() : tokens.expectFunction();
    tokens.expect("(");
    if (function.text().equals("grid")) {
      return parseGrid(function, names);
    }
    if (names.size() > 1) {
      throw tokens.error(names.get(1), "only T.grid has several counters");
    }
    return parseLoop(function, names.getFirst());
  }

  private Stmt parseGrid(Token function, List<Token> names) {
    List<PrimExpr> extents = ExprParser.list(tokens, ")", unused -> exprs.parse());
    if (extents.size() != names.size()) {
      throw tokens.error(
          function,
          "T.grid has "
              + Count.of(extents.size(), "extent", "extents")
              + " for "
              + Count.of(names.size(), "counter", "counters"));
    }
    List<Var> counters = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      PrimExpr extent = extents.get(i);
      Var counter = define(names.get(i), extent.dtype());
      scope.setLoop(counter, new Range(zero(function, extent), extent));
      counters.add(counter);
    }
    Stmt body = parseBody(names.size());
    for (int i = names.size() - 1; i >= 0; i--) {
      Stmt inner = body;
      int axis = i;
      body =
          tokens.make(names.get(i), () -> For.serial(counters.get(axis), extents.get(axis), inner));
    }
    return body;
  }

  private PrimExpr zero(Token token, PrimExpr extent) {
    return tokens.make(token, () -> new IntImm(extent.dtype(), 0));
  }

  private Stmt parseLoop(Token function, Token name) {
    ForKind kind = kind(function);
    PrimExpr first = exprs.parse();
    @Nullable PrimExpr second = null;
    @Nullable ThreadAxis thread = null;
    @Nullable Map<String, Object> given = null;
    while (tokens.another(")")) {
      Token argument = tokens.peek();
      if (!tokens.peek(1).is("=") && second == null && thread == null && given == null) {
        second = exprs.parse();
      } else if (argument.is("thread") && thread == null) {
        tokens.next();
        tokens.expect("=");
        thread = threadAxis();
      } else if (argument.is("annotations") && given == null) {
        tokens.next();
        tokens.expect("=");
        given = new LiteralParser(tokens).annotations();
      } else {
        throw tokens.unexpected("thread= or annotations=, each once");
      }
    }
    PrimExpr stop = second;
    Range bounds =
        stop == null
            ? new Range(zero(function, first), first)
            : new Range(first, tokens.make(function, () -> Ranges.extent(first, stop)));
    Var counter = define(name, first.dtype());
    scope.setLoop(counter, bounds);
    Stmt body = parseBody(1);
    Optional<ThreadAxis> axis = Optional.ofNullable(thread);
    Map<String, Object> annotations = given == null ? Map.of() : given;
    return tokens.make(
        name, () -> new For(counter, bounds.min(), bounds.extent(), kind, axis, body, annotations));
  }

  private ForKind kind(Token function) {
    if (function.is("range")) {
      return ForKind.SERIAL;
    }
    return Arrays.stream(ForKind.values())
        .filter(kind -> kind.text().equals(function.text()))
        .findFirst()
        .orElseThrow(
            () ->
                tokens.unknown(
                    function,
                    "loop",
                    Stream.concat(
                            Stream.of("range", "T.grid"),
                            Arrays.stream(ForKind.values()).map(kind -> "T." + kind.text()))
                        .collect(Collectors.joining(", "))));
  }

  private ThreadAxis threadAxis() {
    Token axis = tokens.expect(Kind.STRING, "a thread axis in quotes, such as \"threadIdx.x\"");
    return ThreadAxis.of(axis.text())
        .orElseThrow(
            () ->
                tokens.unknown(
                    axis,
                    "thread axis",
                    Arrays.stream(ThreadAxis.values())
                        .map(ThreadAxis::text)
                        .collect(Collectors.joining(", "))));
  }
}
