package org.relaxvm.compiler.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.text.Names;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.Token.Kind;
import org.relaxvm.tir.text.TokenStream;

/** Reads expressions of a function. */
final class ExprReader {
  private static final Set<String> OPERATORS =
      Set.of("+", "-", "*", "/", "//", "%", "<", "<=", ">", ">=", "==", "!=", "and", "or");

  /** Functions of R that are no operators, for messages. */
  private static final List<String> SPECIAL =
      List.of("R.call_packed", "R.const", "R.dtype", "R.prim_value", "R.shape", "R.str", "R.tuple");

  private final Reading reading;
  private final TokenStream tokens;
  private final Scope scope;
  private final SymbolReader symbols;
  private final TypeReader types;
  private final ConstantReader constants;
  private final CallReader calls;
  private int depth;

  ExprReader(Reading reading, Scope scope) {
    this.reading = reading;
    this.tokens = reading.tokens;
    this.scope = scope;
    this.symbols = new SymbolReader(reading, scope);
    this.types = new TypeReader(reading, scope);
    this.constants = new ConstantReader(reading, types);
    this.calls = new CallReader(reading, this, types);
  }

  /** An expression. Calls may be parts of others. */
  Expr read() {
    if (++depth > Limits.DEPTH) {
      throw tokens.error(
          tokens.peek(), "expressions are nested more than " + Limits.DEPTH + " deep");
    }
    boolean isScalar = isScalar();
    Expr expr = isScalar ? new PrimValue(symbols.read()) : withPostfixes(readOperand());
    if (!isScalar && OPERATORS.contains(tokens.peek().text())) {
      throw tokens.error(
          tokens.peek(),
          "expected the end of an expression, but got "
              + tokens.peek().describe()
              + "; operators on tensors are functions here, such as R.add(x, y)");
    }
    depth--;
    return expr;
  }

  /** Whether an expression over numbers and symbols comes next. */
  private boolean isScalar() {
    Token token = tokens.peek();
    Token next = tokens.peek(1);
    boolean isNumber = token.kind() == Kind.INTEGER || token.kind() == Kind.FLOAT;
    if (isNumber || token.is("-") || token.is("True") || token.is("False") || token.is("not")) {
      return true;
    }
    if (token.is("T") || ((token.is("min") || token.is("max")) && next.is("("))) {
      return true;
    }
    if (token.is("(")) {
      return OPERATORS.contains(afterBracket().text());
    }
    boolean isSymbol =
        token.kind() == Kind.NAME && !token.is("R") && scope.symbol(token.text()) != null;
    return isSymbol && (scope.var(token.text()) == null || OPERATORS.contains(next.text()));
  }

  /** What follows the bracket that closes the one that comes next. */
  private Token afterBracket() {
    int open = 0;
    int ahead = 0;
    do {
      Token token = tokens.peek(ahead);
      if (token.kind() == Kind.NEWLINE || token.kind() == Kind.END) {
        return token;
      }
      open += token.is("(") ? 1 : token.is(")") ? -1 : 0;
      ahead++;
    } while (open > 0);
    return tokens.peek(ahead);
  }

  private Expr withPostfixes(Expr first) {
    Expr expr = first;
    int count = 0;
    while (tokens.peek().is("[") || tokens.peek().is("(")) {
      Token bracket = tokens.next();
      if (++count + depth > Limits.DEPTH) {
        throw tokens.error(bracket, "expressions are nested more than " + Limits.DEPTH + " deep");
      }
      if (bracket.is("(")) {
        expr = calls.ofValue(expr);
        continue;
      }
      Expr tuple = expr;
      Token number = tokens.peek();
      long index = reading.integer("the index of a field");
      tokens.expect("]");
      if (index < 0 || index > Integer.MAX_VALUE) {
        throw tokens.error(number, "the index of a field is counted from 0");
      }
      expr = reading.located(bracket, () -> new TupleGetItem(tuple, (int) index));
    }
    return expr;
  }

  private Expr readOperand() {
    Token token = tokens.peek();
    if (token.kind() == Kind.STRING) {
      return new StringImm(tokens.next().text());
    }
    if (tokens.accept("(")) {
      return inBrackets();
    }
    if (tokens.accept("[")) {
      return new Tuple(list("]"));
    }
    if (tokens.comes("R", ".")) {
      return ofR(tokens.next());
    }
    if (tokens.comes("metadata", "[") && tokens.peek(2).kind() == Kind.STRING) {
      return constants.reference();
    }
    if (token.kind() == Kind.NAME && tokens.peek(1).is(".")) {
      return global();
    }
    if (token.kind() != Kind.NAME || Names.isReserved(token.text())) {
      throw tokens.unexpected("an expression");
    }
    RelaxVar var = scope.var(tokens.next().text());
    if (var == null) {
      Set<String> known = new TreeSet<>(scope.varNames());
      known.addAll(scope.symbolNames());
      throw reading.unknown(token, "name", token.text(), known);
    }
    return var;
  }

  private Expr inBrackets() {
    if (tokens.accept(")")) {
      return Tuple.EMPTY;
    }
    Expr first = read();
    if (tokens.accept(")")) {
      return first;
    }
    List<Expr> fields = new ArrayList<>(List.of(first));
    while (tokens.another(")")) {
      fields.add(read());
    }
    return new Tuple(fields);
  }

  /** An expression up to the end of the line; several of them are a tuple without brackets. */
  Expr readLine() {
    Expr first = read();
    if (!tokens.peek().is(",")) {
      return first;
    }
    List<Expr> fields = new ArrayList<>(List.of(first));
    while (tokens.accept(",") && tokens.peek().kind() != Kind.NEWLINE) {
      fields.add(read());
    }
    return new Tuple(fields);
  }

  /** Expressions up to a closing bracket, whose opening one was taken. */
  List<Expr> list(String close) {
    List<Expr> items = new ArrayList<>();
    boolean more = !tokens.accept(close);
    while (more) {
      items.add(read());
      more = tokens.another(close);
    }
    return items;
  }

  /** A function of the module. */
  private GlobalVar global() {
    Token module = tokens.next();
    if (!reading.modules.contains(module.text())) {
      throw reading.unknown(module, "name", module.text(), new TreeSet<>(reading.modules));
    }
    tokens.expect(".");
    Token name = tokens.expect(Kind.NAME, "the name of a function of the module");
    GlobalVar global = reading.functions.get(name.text());
    if (global == null) {
      throw reading.unknown(name, "function", name.text(), reading.functions.keySet());
    }
    if (reading.unknownResults.contains(name.text())) {
      throw tokens.error(
          name,
          "what '"
              + name.text()
              + "' gives is not known here; say it after its parameters: -> R.Tensor(...)");
    }
    return global;
  }

  private Expr ofR(Token start) {
    StringBuilder path = new StringBuilder();
    while (tokens.accept(".")) {
      path.append(path.isEmpty() ? "" : ".");
      path.append(tokens.expect(Kind.NAME, "the name of an operator").text());
    }
    String name = path.toString();
    boolean isCalled = tokens.peek().is("(");
    return switch (isCalled ? name : "") {
      case "const" -> {
        tokens.next();
        yield constants.arguments(start);
      }
      case "shape" -> {
        tokens.next();
        if (!tokens.peek().is("[") && !tokens.peek().is("(")) {
          throw tokens.unexpected("extents in brackets");
        }
        List<PrimExpr> extents = symbols.list(tokens.next().is("(") ? ")" : "]");
        tokens.expect(")");
        yield reading.located(start, () -> new ShapeExpr(extents));
      }
      case "prim_value" -> {
        tokens.next();
        PrimExpr value = symbols.read();
        tokens.expect(")");
        yield new PrimValue(value);
      }
      case "str" -> {
        tokens.next();
        String text = reading.string("a string");
        tokens.expect(")");
        yield new StringImm(text);
      }
      case "dtype" -> {
        tokens.next();
        DType dtype = reading.dtype();
        tokens.expect(")");
        yield new DataTypeImm(dtype);
      }
      case "tuple" -> {
        tokens.next();
        yield new Tuple(list(")"));
      }
      case "ExternFunc" -> {
        tokens.next();
        yield externFunc();
      }
      case "call_packed" -> {
        tokens.next();
        yield calls.packed();
      }
      case "match_cast" ->
          throw tokens.error(
              start, "a match_cast is a binding of its own, such as y = R.match_cast(x, R.Any)");
      default -> {
        OpDef op = operator(start, name);
        yield tokens.accept("(") ? calls.ofOperator(op) : op;
      }
    };
  }

  private OpDef operator(Token start, String name) {
    Optional<OpDef> op = reading.ops.find(name);
    return op.orElseThrow(
        () -> {
          List<String> known = new ArrayList<>(SPECIAL);
          reading.ops.all().keySet().forEach(each -> known.add("R." + each));
          return reading.unknown(start, "operator", "R." + name, known);
        });
  }

  /** The arguments of {@code R.ExternFunc}, up to the closing bracket. */
  ExternFunc externFunc() {
    String symbol = reading.string("the name of a packed function in quotes");
    if (!tokens.another(")")) {
      return new ExternFunc(symbol);
    }
    Token first = tokens.peek();
    if (!(types.read() instanceof FuncType type)) {
      throw tokens.error(first, "the type of a packed function must be an R.Callable");
    }
    tokens.expect(")");
    return new ExternFunc(symbol, type);
  }
}
