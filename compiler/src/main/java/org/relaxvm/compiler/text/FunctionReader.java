package org.relaxvm.compiler.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.Token.Kind;
import org.relaxvm.tir.text.TokenStream;

/** Reads functions over tensors: heads first, bodies when the heads of all are known. */
final class FunctionReader {
  private final Reading reading;
  private final TokenStream tokens;
  private final Scope scope;
  private final SymbolReader symbols;
  private final TypeReader types;
  private final ExprReader exprs;

  /** A reader of one function and those inside of it. */
  FunctionReader(Reading reading) {
    this.reading = reading;
    this.tokens = reading.tokens;
    this.scope = new Scope(reading.symbols);
    this.symbols = new SymbolReader(reading, scope);
    this.types = new TypeReader(reading, scope);
    this.exprs = new ExprReader(reading, scope);
  }

  /**
   * What stands in front of a body.
   *
   * @param name as the text has it
   * @param realName that of the function, which may be none of Python
   * @param body where it begins: its indentation was taken
   */
  record Head(
      Token name,
      String realName,
      boolean isPure,
      boolean isPrivate,
      List<RelaxVar> params,
      Optional<Type> result,
      int body) {
    /** What is known of the function before its body is read. */
    FuncType type() {
      List<Type> types = params.stream().map(RelaxVar::type).toList();
      return FuncType.of(types, result.orElse(AnyType.ANY), isPure);
    }
  }

  private record Decorator(boolean isPure, boolean isPrivate, Optional<String> name) {}

  /** Reads a head, from the decorator on, and leaves the body after it unread. */
  Head head() {
    Decorator decorator = decorator();
    tokens.expect("def");
    Token name = tokens.expect(Kind.NAME, "the name of a function");
    declareSymbols();
    List<RelaxVar> params = params();
    Optional<Type> result = tokens.accept("->") ? Optional.of(types.read()) : Optional.empty();
    reading.openBody();
    return new Head(
        name,
        decorator.name().orElse(name.text()),
        decorator.isPure(),
        decorator.isPrivate(),
        params,
        result,
        tokens.mark());
  }

  private Decorator decorator() {
    tokens.expect("@");
    tokens.expect("R");
    tokens.expect(".");
    tokens.expect("function");
    boolean isPure = true;
    boolean isPrivate = false;
    Optional<String> name = Optional.empty();
    boolean more = tokens.accept("(") && !tokens.accept(")");
    while (more) {
      Token keyword = tokens.expect(Kind.NAME, "an argument such as private=True");
      tokens.expect("=");
      switch (keyword.text()) {
        case "pure" -> isPure = reading.bool();
        case "private" -> isPrivate = reading.bool();
        case "name" -> name = Optional.of(reading.string("a name in quotes"));
        case "check_well_formed" -> {
          boolean unused = reading.bool();
        }
        default ->
            throw reading.unknown(
                keyword,
                "argument",
                keyword.text(),
                " of R.function",
                List.of("pure", "private", "name"));
      }
      more = tokens.another(")");
    }
    tokens.expectLineEnd();
    return new Decorator(isPure, isPrivate, name);
  }

  /** Symbols that stand alone in the parameters, and those that the body declares in front. */
  private void declareSymbols() {
    int mark = tokens.mark();
    if (!tokens.peek().is("(")) {
      throw tokens.unexpected("'('");
    }
    symbols.define();
    reading.skipLine();
    if (tokens.peek().kind() == Kind.INDENT) {
      tokens.next();
      while (isIntroduction()) {
        if (isSymbol()) {
          symbol();
        } else {
          reading.skipLine();
        }
      }
    }
    tokens.reset(mark);
  }

  private List<RelaxVar> params() {
    List<RelaxVar> params = new ArrayList<>();
    tokens.expect("(");
    boolean more = !tokens.accept(")");
    while (more) {
      Token name = tokens.expectNewName("a parameter");
      if (params.stream().anyMatch(param -> param.name().equals(name.text()))) {
        throw tokens.error(name, "the parameter '" + name.text() + "' is there twice");
      }
      tokens.expect(":");
      RelaxVar param = new RelaxVar(name.text(), types.read());
      params.add(param);
      scope.define(name.text(), param);
      more = tokens.another(")");
    }
    return params;
  }

  /** Whether a line comes that may stand in front of the statements of a body. */
  private boolean isIntroduction() {
    return isSymbol() || isModule() || tokens.comes("R", ".", "func_attr", "(");
  }

  /** Whether a line such as {@code n = T.int64()} comes. */
  private boolean isSymbol() {
    return tokens.peek(1).is("=")
        && tokens.peek(2).is("T")
        && tokens.peek(3).is(".")
        && tokens.peek(5).is("(")
        && (tokens.peek(6).is(")") || tokens.peek(6).is("is_size_var"));
  }

  /** Whether a line such as {@code cls = Module} comes. */
  private boolean isModule() {
    return tokens.peek().kind() == Kind.NAME
        && tokens.peek(1).is("=")
        && reading.modules.contains(tokens.peek(2).text())
        && tokens.peek(3).kind() == Kind.NEWLINE;
  }

  /** A line such as {@code n = T.int64()}. */
  private void symbol() {
    Token name = tokens.expectNewName("a symbol");
    tokens.expect("=");
    tokens.next();
    tokens.next();
    DType dtype = reading.dtype(tokens.next());
    tokens.expect("(");
    if (reading.keyword() != null) {
      boolean unused = reading.bool();
    }
    tokens.expect(")");
    tokens.expectLineEnd();
    Var known = scope.symbol(name.text());
    if (known == null || !known.dtype().equals(dtype)) {
      reading.located(
          name,
          () -> {
            scope.define(name.text(), new Var(name.text(), dtype));
            return name;
          });
    }
  }

  /** Takes a body that is read later. */
  void skipBody() {
    int open = 1;
    while (open > 0 && tokens.peek().kind() != Kind.END) {
      Token token = tokens.next();
      open += token.kind() == Kind.INDENT ? 1 : token.kind() == Kind.DEDENT ? -1 : 0;
    }
  }

  /** Reads the body of a function of the module. */
  RelaxFunction body(Head head) {
    tokens.reset(head.body());
    Attrs attributes =
        head.isPrivate() ? Attrs.NONE : Attrs.of(RelaxFunction.GLOBAL_SYMBOL, head.realName());
    return body(head, attributes, 0);
  }

  /** Reads a function inside of this one and binds it. */
  void local(int depth, boolean isDataflowVar) {
    int outside = scope.open();
    Token start = tokens.peek();
    Head head = head();
    FuncType declared = head.type();
    StatementReader.LocalVars vars = new StatementReader.LocalVars(reading, isDataflowVar);
    Optional<RelaxVar> self =
        head.result().isPresent()
            ? Optional.of(vars.create(head.name().text(), declared))
            : Optional.empty();
    self.ifPresent(var -> scope.define(head.name().text(), var));
    RelaxFunction function = body(head, Attrs.NONE, depth);
    scope.close(outside);
    RelaxVar var = self.orElseGet(() -> vars.create(head.name().text(), function.functionType()));
    reading.located(
        start,
        () -> {
          vars.bind(var, function);
          return var;
        });
    scope.define(head.name().text(), var);
  }

  private RelaxFunction body(Head head, Attrs start, int depth) {
    reading.builder.beginFunction(head.realName(), head.params());
    reading.builder.beginBlock(false);
    Map<String, Object> attributes = new LinkedHashMap<>(start.values());
    while (isIntroduction()) {
      if (isSymbol()) {
        symbol();
      } else if (isModule()) {
        reading.skipLine();
      } else {
        attributes(attributes);
      }
    }
    StatementReader statements = new StatementReader(reading, scope, exprs, types, this, depth);
    while (!tokens.peek().is("return")) {
      if (tokens.peek().kind() == Kind.DEDENT || tokens.peek().kind() == Kind.END) {
        throw tokens.unexpected("'return' at the end of the function " + head.name().text());
      }
      if (isSymbol()) {
        symbol();
      } else {
        statements.read(false);
      }
    }
    tokens.next();
    reading.beginStatement();
    Token first = tokens.peek();
    Expr result = exprs.readLine();
    tokens.expectLineEnd();
    if (tokens.peek().kind() != Kind.DEDENT) {
      throw tokens.unexpected("the end of the function, for 'return' is its last statement");
    }
    tokens.next();
    return reading.located(
        first,
        () -> {
          reading.builder.endBlock();
          return reading.builder.endFunction(
              head.params(), result, head.result(), head.isPure(), new Attrs(attributes));
        });
  }

  private void attributes(Map<String, Object> attributes) {
    for (int i = 0; i < 4; i++) {
      tokens.next();
    }
    attributes.putAll(AttrReader.entries(reading));
    tokens.expect(")");
    tokens.expectLineEnd();
  }
}
