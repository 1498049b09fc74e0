package org.relaxvm.compiler.text;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.TypeInference;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.BaseCheck;
import org.relaxvm.compiler.type.check.Fit;
import org.relaxvm.compiler.type.check.TypeEquality;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.Token.Kind;
import org.relaxvm.tir.text.TokenStream;

/** Reads statements of a function and emits what they bind. */
final class StatementReader {
  private final Reading reading;
  private final TokenStream tokens;
  private final Scope scope;
  private final ExprReader exprs;
  private final TypeReader types;
  private final FunctionReader functions;
  private int depth;

  /** In a dataflow block the names that are seen after it. */
  private @Nullable Set<String> outputs;

  StatementReader(
      Reading reading,
      Scope scope,
      ExprReader exprs,
      TypeReader types,
      FunctionReader functions,
      int depth) {
    this.reading = reading;
    this.tokens = reading.tokens;
    this.scope = scope;
    this.exprs = exprs;
    this.types = types;
    this.functions = functions;
    this.depth = depth;
  }

  /** Makes and binds the variables of a block. */
  record LocalVars(Reading reading, boolean isDataflow) {
    RelaxVar create(String name, Type type) {
      String unique = reading.builder.uniqueName(name);
      return isDataflow ? new DataflowVar(unique, type) : new RelaxVar(unique, type);
    }

    void bind(RelaxVar var, Expr value) {
      reading.builder.emitNormalized(new VarBinding(var, value));
    }
  }

  /**
   * A binding that was read and is not emitted.
   *
   * @param start the first token of the value
   * @param annotation what the text says of the variable
   * @param target of a match_cast
   */
  private record Bind(
      Token name,
      @Nullable Token annotated,
      @Nullable Type annotation,
      Token start,
      Expr value,
      @Nullable Type target) {}

  /** The result of a branch. */
  private record Branch(SeqExpr body, Bind last) {}

  /**
   * Reads and emits a statement.
   *
   * @param endsBranch whether the last statement is left to the caller
   * @return the binding that ends a branch; null when other statements follow
   */
  @Nullable Bind read(boolean endsBranch) {
    reading.beginStatement();
    if (tokens.peek().is("if")) {
      choice();
    } else if (tokens.peek().is("with")) {
      dataflow();
    } else if (tokens.peek().is("@")) {
      enter();
      functions.local(depth, isDataflowVar(tokens.peek(functionName()).text()));
      depth--;
    } else {
      return binding(endsBranch);
    }
    return null;
  }

  /** How far the name of a function is after its decorator. */
  private int functionName() {
    int ahead = 0;
    while (!tokens.peek(ahead).is("def") && tokens.peek(ahead).kind() != Kind.END) {
      ahead++;
    }
    return ahead + 1;
  }

  private void enter() {
    if (++depth > Limits.STATEMENT_DEPTH) {
      throw tokens.error(
          tokens.peek(), "statements are nested more than " + Limits.STATEMENT_DEPTH + " deep");
    }
  }

  private @Nullable Bind binding(boolean endsBranch) {
    Token name = tokens.peek();
    Token second = tokens.peek(1);
    if (name.kind() != Kind.NAME || !(second.is("=") || second.is(":"))) {
      call();
      return null;
    }
    Bind bind = bind();
    tokens.expectLineEnd();
    if (endsBranch && tokens.peek().kind() == Kind.DEDENT) {
      return bind;
    }
    emit(bind, name.text());
    return null;
  }

  /** A call without a name for its result. */
  private void call() {
    Token start = tokens.peek();
    if (start.kind() != Kind.NAME) {
      throw tokens.unexpected("a statement");
    }
    Expr value = exprs.read();
    if (!(value instanceof Call)) {
      throw tokens.error(
          start, "expected a statement: a binding such as y = R.add(x, x), or a call");
    }
    tokens.expectLineEnd();
    emit(new Bind(start, null, null, start, value, null), "_");
  }

  private Bind bind() {
    Token name = tokens.expectNewName("a variable");
    Token annotated = tokens.peek();
    int annotation = -1;
    if (tokens.accept(":")) {
      annotated = tokens.peek();
      annotation = tokens.mark();
      skipType();
    }
    tokens.expect("=");
    Token start = tokens.peek();
    boolean isCast = tokens.comes("R", ".", "match_cast", "(");
    @Nullable Type target = null;
    Expr value;
    if (isCast) {
      for (int i = 0; i < 4; i++) {
        tokens.next();
      }
      value = exprs.read();
      tokens.expect(",");
      new SymbolReader(reading, scope).define();
      target = types.read();
      tokens.expect(")");
    } else {
      value = exprs.readLine();
    }
    if (annotation < 0) {
      return new Bind(name, null, null, start, value, target);
    }
    // A match_cast says symbols that the annotation in front of it may use.
    int end = tokens.mark();
    tokens.reset(annotation);
    Type type = types.read();
    if (!tokens.peek().is("=")) {
      throw tokens.unexpected("'='");
    }
    tokens.reset(end);
    return new Bind(name, annotated, type, start, value, target);
  }

  /** Takes what stands in front of the {@code =} after a type. */
  private void skipType() {
    int open = 0;
    while (open > 0 || !tokens.peek().is("=")) {
      Token token = tokens.peek();
      if (token.kind() == Kind.NEWLINE || token.kind() == Kind.END) {
        throw tokens.unexpected("'='");
      }
      boolean opens = token.is("(") || token.is("[") || token.is("{");
      boolean closes = token.is(")") || token.is("]") || token.is("}");
      open += opens ? 1 : closes ? -1 : 0;
      tokens.next();
    }
  }

  private boolean isDataflowVar(String name) {
    return outputs != null && !outputs.contains(name);
  }

  private void emit(Bind bind, String hint) {
    boolean isDataflowVar = isDataflowVar(bind.name().text());
    RelaxVar var = emit(bind, hint, isDataflowVar);
    if (!hint.equals("_") || bind.name().is("_")) {
      scope.define(bind.name().text(), var);
    }
  }

  private RelaxVar emit(Bind bind, String hint, boolean isDataflowVar) {
    Type target = bind.target();
    BlockBuilder builder = reading.builder;
    boolean isOutput = outputs != null && !isDataflowVar;
    if (target == null && bind.annotation() == null) {
      return reading.located(
          bind.start(),
          () ->
              isOutput ? builder.emitOutput(bind.value(), hint) : builder.emit(bind.value(), hint));
    }
    if (target == null) {
      Expr value = reading.located(bind.start(), () -> builder.normalize(bind.value()));
      Type derived = reading.located(bind.start(), () -> TypeInference.of(value, builder));
      LocalVars vars = new LocalVars(reading, isDataflowVar);
      RelaxVar var = vars.create(hint, varType(bind, derived));
      vars.bind(var, value);
      return var;
    }
    Type unused = varType(bind, target);
    return reading.located(
        bind.start(),
        () ->
            isOutput
                ? builder.emitMatchCastOutput(bind.value(), target, hint)
                : builder.emitMatchCast(bind.value(), target, hint));
  }

  /** The type that the text gives a variable; where it gives none, that of its value. */
  private Type varType(Bind bind, Type derived) {
    Type annotation = bind.annotation();
    Token declared = bind.annotated();
    if (annotation == null || declared == null) {
      return derived;
    }
    Fit fit = new BaseCheck(reading.builder.analyzer()).check(annotation, derived);
    if (fit != Fit.PASS) {
      String hint =
          fit == Fit.IMPOSSIBLE
              ? ""
              : "\n  to check it when the program runs: "
                  + bind.name().text()
                  + " = R.match_cast(..., "
                  + annotation
                  + ")";
      String message =
          "the type of "
              + bind.name().text()
              + " is given as "
              + annotation
              + ", but its value is "
              + derived
              + hint;
      throw new InvalidProgramException(ErrorKind.TYPE, tokens.error(declared, message).summary());
    }
    return annotation;
  }

  // ---------------------------------------------------------------- dataflow blocks

  private void dataflow() {
    Token start = tokens.next();
    if (outputs != null) {
      throw tokens.error(start, "a dataflow block cannot stand in another one");
    }
    tokens.expect("R");
    tokens.expect(".");
    tokens.expect("dataflow");
    tokens.expect("(");
    tokens.expect(")");
    reading.openBody();
    int outside = scope.open();
    Set<String> names = outputNames();
    reading.builder.endBlock();
    reading.builder.beginBlock(true);
    outputs = names;
    while (!tokens.comes("R", ".", "output")) {
      if (tokens.peek().kind() == Kind.DEDENT) {
        throw tokens.unexpected("R.output(...) at the end of the dataflow block");
      }
      Bind unused = read(false);
    }
    outputs = null;
    Map<String, RelaxVar> seen = output();
    reading.builder.endBlock();
    reading.builder.beginBlock(false);
    scope.closeVars(outside);
    seen.forEach(scope::define);
  }

  /** The names in the last line of the block that comes next. Takes nothing. */
  private Set<String> outputNames() {
    int mark = tokens.mark();
    Set<String> names = new HashSet<>();
    int open = 1;
    while (open > 0 && tokens.peek().kind() != Kind.END) {
      if (open == 1 && tokens.comes("R", ".", "output", "(")) {
        while (tokens.peek().kind() != Kind.NEWLINE && tokens.peek().kind() != Kind.END) {
          names.add(tokens.next().text());
        }
      }
      Token token = tokens.next();
      open += token.kind() == Kind.INDENT ? 1 : token.kind() == Kind.DEDENT ? -1 : 0;
    }
    tokens.reset(mark);
    return names;
  }

  private Map<String, RelaxVar> output() {
    for (int i = 0; i < 3; i++) {
      tokens.next();
    }
    tokens.expect("(");
    Map<String, RelaxVar> seen = new LinkedHashMap<>();
    boolean more = !tokens.accept(")");
    while (more) {
      Token name = tokens.expect(Kind.NAME, "the name of a variable of the block");
      RelaxVar var = scope.var(name.text());
      if (var == null) {
        throw reading.unknown(name, "name", name.text(), scope.varNames());
      }
      seen.put(name.text(), var);
      more = tokens.another(")");
    }
    tokens.expectLineEnd();
    if (tokens.peek().kind() != Kind.DEDENT) {
      throw tokens.unexpected("the end of the block, for R.output is its last statement");
    }
    tokens.next();
    return seen;
  }

  // ---------------------------------------------------------------- choices

  private void choice() {
    Token start = tokens.next();
    if (outputs != null) {
      throw tokens.error(start, "a dataflow block has no choices; end it in front of the if");
    }
    enter();
    Token conditionStart = tokens.peek();
    Expr condition = exprs.read();
    Expr leaf = reading.located(conditionStart, () -> reading.builder.argument(condition));
    Branch whenTrue = branch("_then");
    tokens.expect("else");
    Branch whenFalse = branch("_else");
    depth--;
    String name = whenTrue.last().name().text();
    if (!whenFalse.last().name().is(name)) {
      throw tokens.error(
          whenFalse.last().name(),
          "both branches end with a binding of the same name; expected '"
              + name
              + "', but got '"
              + whenFalse.last().name().text()
              + "'");
    }
    If value = If.of(leaf, whenTrue.body(), whenFalse.body());
    Type a = whenTrue.last().annotation();
    Type b = whenFalse.last().annotation();
    boolean isAnnotated = a != null && b != null && TypeEquality.exact().same(a, b);
    Bind last = whenTrue.last();
    emit(
        new Bind(
            last.name(),
            isAnnotated ? last.annotated() : null,
            isAnnotated ? a : null,
            conditionStart,
            value,
            null),
        name);
  }

  private Branch branch(String suffix) {
    reading.openBody();
    int outside = scope.open();
    reading.builder.beginSequence();
    reading.builder.beginBlock(false);
    @Nullable Bind last = null;
    while (last == null) {
      if (tokens.peek().kind() == Kind.DEDENT || tokens.peek().kind() == Kind.END) {
        throw tokens.unexpected("a binding of the result of the branch, such as y = x");
      }
      last = read(true);
    }
    tokens.next();
    Expr result = result(last, suffix);
    reading.builder.endBlock();
    SeqExpr body = reading.located(last.start(), () -> reading.builder.endSequence(result));
    scope.close(outside);
    return new Branch(body, last);
  }

  /** A value that is no leaf gets a variable of its own in the branch. */
  private Expr result(Bind last, String suffix) {
    if (last.target() == null && last.value().isLeaf()) {
      Expr leaf = reading.located(last.start(), () -> reading.builder.argument(last.value()));
      Type unused =
          varType(
              last, reading.located(last.start(), () -> TypeInference.of(leaf, reading.builder)));
      return leaf;
    }
    return emit(last, last.name().text() + suffix, false);
  }
}
