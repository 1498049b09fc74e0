package org.relaxvm.tir.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.text.Token.Kind;

/**
 * Reads a kernel. Types of parameters may use what is declared in front of the body, so that these
 * lines are read first.
 */
final class FunctionParser {
  private final TokenStream tokens;
  private final Scope scope;
  private final ExprParser exprs;
  private final StmtParser statements;
  private final Map<String, Parameter> parameters = new LinkedHashMap<>();
  private final Set<String> extents = new LinkedHashSet<>();
  private final Map<String, Object> attrs = new LinkedHashMap<>();
  private final List<Buffer> allocated = new ArrayList<>();
  private boolean hasAttributes;

  /** A parameter of the list; what it is shows later, of handles in the body only. */
  private static final class Parameter {
    final Token name;
    final int type;
    final boolean isHandle;
    @Nullable Param param;

    Parameter(Token name, int type, boolean isHandle) {
      this.name = name;
      this.type = type;
      this.isHandle = isHandle;
    }
  }

  private record Decorator(boolean isPrivate, @Nullable String name) {}

  /**
   * A parser of one kernel, which comes next.
   *
   * @param symbols names that are extents of the kernel where it does not define them
   */
  FunctionParser(TokenStream tokens, Set<String> symbols) {
    this.tokens = tokens;
    this.scope = new Scope(symbols);
    this.exprs = new ExprParser(tokens, scope);
    this.statements = new StmtParser(tokens, scope, exprs);
  }

  /** A kernel, and the name that the text gives it. */
  EmbeddedText.Kernel parse() {
    Decorator decorator = parseDecorator();
    tokens.expect("def");
    Token name = expectName();
    String realName = decorator.name() == null ? name.text() : decorator.name();
    parseParameters();
    DType returnType = tokens.accept("->") ? parseReturnType() : DType.VOID;
    statements.openBody();
    parseDeclarations();
    Stmt body = parseBody();
    if (!decorator.isPrivate()) {
      attrs.putIfAbsent(FunctionPrinter.GLOBAL_SYMBOL, realName);
    }
    List<Param> params = new ArrayList<>();
    for (Parameter parameter : parameters.values()) {
      if (parameter.param == null) {
        throw tokens.error(
            parameter.name,
            "the parameter '"
                + parameter.name.text()
                + "' is a T.handle, but no T.match_buffer says which buffer it is");
      }
      params.add(parameter.param);
    }
    PrimFunc function =
        tokens.make(name, () -> new PrimFunc(realName, params, returnType, body, attrs));
    return new EmbeddedText.Kernel(name, function);
  }

  /**
   * A name; those of functions of the text form are free here, for they are no names of kernels.
   */
  private Token expectName() {
    boolean isFree =
        tokens.peek().is("min") || tokens.peek().is("max") || tokens.peek().is("range");
    return isFree ? tokens.next() : tokens.expectNewName("a kernel");
  }

  private Decorator parseDecorator() {
    tokens.expect("@");
    Token function = tokens.expectFunction();
    if (!function.is("prim_func")) {
      throw tokens.unknown(function, "decorator", "T.prim_func");
    }
    boolean isPrivate = false;
    @Nullable String name = null;
    boolean more = tokens.accept("(") && !tokens.accept(")");
    while (more) {
      Token argument = tokens.expect(Kind.NAME, "an argument such as private=True");
      tokens.expect("=");
      switch (argument.text()) {
        case "private" -> isPrivate = parseBoolean();
        case "s_tir", "check_well_formed" -> {
          boolean unused = parseBoolean();
        }
        case "name" -> name = tokens.expect(Kind.STRING, "a name in quotes").text();
        default ->
            throw tokens.unknown(argument, "argument", "private, name, s_tir, check_well_formed");
      }
      more = tokens.another(")");
    }
    tokens.expectLineEnd();
    return new Decorator(isPrivate, name);
  }

  private boolean parseBoolean() {
    if (!tokens.peek().is("True") && !tokens.peek().is("False")) {
      throw tokens.unexpected("True or False");
    }
    return tokens.next().is("True");
  }

  private void parseParameters() {
    tokens.expect("(");
    boolean more = !tokens.accept(")");
    while (more) {
      Token name = tokens.expectNewName("a parameter");
      if (parameters.containsKey(name.text())) {
        throw tokens.error(name, "the parameter '" + name.text() + "' is there twice");
      }
      tokens.expect(":");
      parameters.put(name.text(), parseParameter(name));
      more = tokens.another(")");
    }
  }

  private Parameter parseParameter(Token name) {
    int mark = tokens.mark();
    Token type = tokens.expectFunction();
    if (type.text().equals("handle")) {
      return new Parameter(name, mark, true);
    }
    Parameter parameter = new Parameter(name, mark, false);
    if (Literals.isDType(type.text())) {
      Var var = new Var(name.text(), DType.parse(type.text()));
      parameter.param = new Param.OfScalar(var);
      scope.define(name.text(), var);
      return parameter;
    }
    if (!type.is("Buffer")) {
      throw tokens.unknown(
          type, "type of a parameter", "T.Buffer, T.handle, and dtypes such as T.int64");
    }
    tokens.reset(mark);
    extents.addAll(TypeParser.skipType(tokens));
    return parameter;
  }

  private DType parseReturnType() {
    if (tokens.accept("None")) {
      return DType.VOID;
    }
    Token name = tokens.expectFunction();
    try {
      DType dtype = DType.parse(name.text());
      if (dtype.toString().equals(name.text())) {
        return dtype;
      }
    } catch (RelaxException e) {
      // Said below, together with dtypes that have another name.
    }
    throw tokens.unknown(name, "type", "dtypes such as T.int64");
  }

  /** Lines such as {@code m = T.int64()} first, then types of parameters. */
  private void parseDeclarations() {
    int body = tokens.mark();
    List<Integer> buffers = new ArrayList<>();
    while (isDeclaration()) {
      int line = tokens.mark();
      if (tokens.comes("T")) {
        tokens.skipLine();
        continue;
      }
      Token name = tokens.expectNewName("a variable or buffer");
      tokens.expect("=");
      Token function = tokens.expectFunction();
      if (Literals.isDType(function.text())) {
        declareVar(name, DType.parse(function.text()));
      } else {
        if (function.is("Buffer")) {
          buffers.add(line);
        }
        tokens.skipLine();
      }
    }
    for (String extent : extents) {
      if (scope.find(extent) == null) {
        scope.define(extent, Var.index(extent));
      }
    }
    for (int line : buffers) {
      tokens.reset(line);
      declareBuffer();
    }
    for (Parameter parameter : parameters.values()) {
      if (parameter.param == null && !parameter.isHandle) {
        tokens.reset(parameter.type);
        Token unused = tokens.expectFunction();
        tokens.expect("(");
        parameter.param = new Param.OfBuffer(parseBuffer(parameter.name, parameter.name));
      }
    }
    tokens.reset(body);
  }

  private boolean isDeclaration() {
    return tokens.comes("T", ".", "func_attr")
        || (tokens.peek().kind() == Kind.NAME && tokens.peek(1).is("="));
  }

  private void declareVar(Token name, DType dtype) {
    tokens.expect("(");
    if (tokens.comes("is_size_var", "=")) {
      tokens.next();
      tokens.next();
      boolean unused = parseBoolean();
    }
    tokens.expect(")");
    tokens.expectLineEnd();
    requireUndeclared(name);
    Object known = scope.find(name.text());
    if (known instanceof Var var && !var.dtype().equals(dtype)) {
      throw tokens.error(
          name, "the parameter '" + name.text() + "' is " + var.dtype() + ", not " + dtype);
    }
    scope.declare(name.text(), known != null ? known : new Var(name.text(), dtype));
  }

  private void requireUndeclared(Token name) {
    if (scope.isDeclared(name.text())) {
      throw tokens.error(name, "'" + name.text() + "' is declared twice");
    }
  }

  private void declareBuffer() {
    Token name = tokens.next();
    requireUndeclared(name);
    tokens.expect("=");
    Token unused = tokens.expectFunction();
    tokens.expect("(");
    Buffer buffer = new TypeParser(tokens, scope, exprs).parse(name);
    tokens.expectLineEnd();
    scope.declare(name.text(), buffer);
  }

  private Buffer parseBuffer(Token name, Token token) {
    Buffer buffer = new TypeParser(tokens, scope, exprs).parse(name);
    if (scope.isDeclared(name.text())) {
      return buffer;
    }
    if (scope.find(name.text()) != null) {
      throw tokens.error(
          token, "'" + name.text() + "' is an extent or parameter already, and cannot be a buffer");
    }
    scope.define(name.text(), buffer);
    return buffer;
  }

  private Stmt parseBody() {
    while (isDeclaration()) {
      Token name = tokens.next();
      if (name.is("T")) {
        parseAttributes();
        continue;
      }
      tokens.expect("=");
      Token function = tokens.expectFunction();
      switch (function.text()) {
        case "match_buffer" -> {
          matchBuffer(name);
          tokens.expectLineEnd();
        }
        case "alloc_buffer", "sblock_alloc_buffer" -> {
          allocated.add(new BlockParser(tokens, scope, exprs, statements).allocate(name));
          tokens.expectLineEnd();
        }
        case String text when text.equals("Buffer") || Literals.isDType(text) -> tokens.skipLine();
        default ->
            throw tokens.unknown(
                function,
                "declaration",
                "T.match_buffer, T.alloc_buffer, T.Buffer, and dtypes such as T.int64");
      }
    }
    defineHandles();
    Stmt body = statements.parseRemaining(allocated.isEmpty() ? 0 : 1);
    return allocated.isEmpty() ? body : Block.root(allocated, body);
  }

  /** Parameters that are handles, and no buffers, are those of a host function. */
  private void defineHandles() {
    if (parameters.values().stream().allMatch(each -> each.isHandle && each.param == null)) {
      parameters.forEach(
          (name, parameter) -> {
            Handle handle = new Handle(name);
            parameter.param = new Param.OfHandle(handle);
            scope.define(name, handle);
          });
    }
  }

  private void parseAttributes() {
    tokens.expect(".");
    Token function = tokens.next();
    tokens.expect("(");
    if (hasAttributes) {
      throw tokens.error(function, "T.func_attr is there twice");
    }
    hasAttributes = true;
    attrs.putAll(new LiteralParser(tokens).annotations());
    tokens.expect(")");
    tokens.expectLineEnd();
  }

  private void matchBuffer(Token name) {
    tokens.expect("(");
    Token handle = tokens.expect(Kind.NAME, "a parameter that is a T.handle");
    Parameter parameter = parameters.get(handle.text());
    if (parameter == null || !parameter.isHandle) {
      throw tokens.unknown(handle, "T.handle", handles());
    }
    if (parameter.param != null) {
      throw tokens.error(handle, "the parameter '" + handle.text() + "' has a buffer already");
    }
    tokens.expect(",");
    parameter.param = new Param.OfBuffer(parseBuffer(name, name));
  }

  private String handles() {
    return Scope.listed(
        parameters.values().stream()
            .filter(parameter -> parameter.isHandle)
            .map(parameter -> parameter.name.text())
            .collect(Collectors.toSet()));
  }
}
