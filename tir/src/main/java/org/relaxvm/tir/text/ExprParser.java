package org.relaxvm.tir.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.Token.Kind;

/** Reads expressions. Makes the tree that is written: nothing is folded. */
final class ExprParser {
  private static final Map<String, BinaryOp> FUNCTIONS =
      Map.of(
          "min", BinaryOp.MIN,
          "max", BinaryOp.MAX,
          "truncdiv", BinaryOp.DIV,
          "truncmod", BinaryOp.MOD,
          "floordiv", BinaryOp.FLOOR_DIV,
          "floormod", BinaryOp.FLOOR_MOD);

  /** What TVM prints where Python would compute the result of an operator, and of integers. */
  private static final Map<String, BinaryOp> OPERATORS =
      Map.ofEntries(
          Map.entry("Add", BinaryOp.ADD),
          Map.entry("Sub", BinaryOp.SUB),
          Map.entry("Mul", BinaryOp.MUL),
          Map.entry("Div", BinaryOp.DIV),
          Map.entry("FloorDiv", BinaryOp.FLOOR_DIV),
          Map.entry("FloorMod", BinaryOp.FLOOR_MOD),
          Map.entry("EQ", BinaryOp.EQ),
          Map.entry("NE", BinaryOp.NE),
          Map.entry("LT", BinaryOp.LT),
          Map.entry("LE", BinaryOp.LE),
          Map.entry("GT", BinaryOp.GT),
          Map.entry("GE", BinaryOp.GE),
          Map.entry("And", BinaryOp.AND),
          Map.entry("Or", BinaryOp.OR));

  /**
   * An expression; plain ones are numbers without a dtype, or choices of such, which take that of
   * the other side.
   */
  private record Node(PrimExpr expr, int depth, boolean plain) {}

  private final TokenStream tokens;
  private final Scope scope;
  private final LiteralParser literals;
  private final Map<String, BinaryOp> infix = new HashMap<>();
  private final Map<String, Intrinsic> intrinsics = new HashMap<>();
  private int nesting;
  private int lastDepth;

  ExprParser(TokenStream tokens, Scope scope) {
    this.tokens = tokens;
    this.scope = scope;
    this.literals = new LiteralParser(tokens);
    for (BinaryOp op : BinaryOp.values()) {
      if (Precedence.isInfix(op)) {
        infix.put(op.text(), op);
      }
    }
    for (Intrinsic op : Intrinsic.values()) {
      intrinsics.put(op.text(), op);
    }
  }

  /** An expression. */
  PrimExpr parse() {
    Node node = parseNode();
    lastDepth = node.depth();
    return node.expr();
  }

  /** An expression; a plain number gets this dtype. */
  PrimExpr parse(DType dtype) {
    Token token = tokens.peek();
    return adapt(token, parseNode(), dtype).expr();
  }

  /** The depth of the expression that was read last. */
  int lastDepth() {
    return lastDepth;
  }

  /** An extent: an expression, or one in quotes. */
  PrimExpr parseExtent() {
    if (tokens.peek().kind() != Kind.STRING) {
      return parse();
    }
    TokenStream quoted = tokens.in(tokens.next());
    ExprParser inner = new ExprParser(quoted, scope);
    PrimExpr extent = inner.parse();
    if (quoted.peek().kind() != Kind.NEWLINE) {
      throw quoted.unexpected("the end of the expression in quotes");
    }
    lastDepth = inner.lastDepth;
    return extent;
  }

  /** Items up to a closing bracket. */
  static <T> List<T> list(TokenStream tokens, String close, Function<TokenStream, T> item) {
    List<T> items = new ArrayList<>();
    boolean more = !tokens.accept(close);
    while (more) {
      items.add(item.apply(tokens));
      more = tokens.another(close);
    }
    return items;
  }

  /** The buffer of a name. */
  Buffer buffer(Token name) {
    return switch (scope.use(name.text())) {
      case Buffer buffer -> buffer;
      case null -> throw unknown(name);
      case Handle handle -> throw isHandle(name);
      default -> throw tokens.error(name, "'" + name.text() + "' is a variable, not a buffer");
    };
  }

  private RuntimeException isHandle(Token name) {
    return tokens.error(
        name, "'" + name.text() + "' is a T.handle, which only packed calls take as an argument");
  }

  private RuntimeException unknown(Token name) {
    return tokens.unknown(name, "name", scope.existing());
  }

  private Node parseNode() {
    enter();
    Node node = parse(Precedence.LOWEST);
    nesting--;
    return node;
  }

  private void enter() {
    if (++nesting > Limits.EXPRESSION_DEPTH) {
      throw tooDeep(tokens.peek());
    }
  }

  private RuntimeException tooDeep(Token token) {
    return tokens.error(
        token, "expressions are nested more than " + Limits.EXPRESSION_DEPTH + " deep");
  }

  private Node node(Token token, PrimExpr expr, int operandDepth) {
    if (operandDepth >= Limits.EXPRESSION_DEPTH) {
      throw tooDeep(token);
    }
    return new Node(expr, operandDepth + 1, false);
  }

  private Node parse(int least) {
    Token start = tokens.peek();
    Node left = start.is("not") ? parseNot(least) : parseOperand();
    boolean compared = false;
    while (true) {
      Token operator = tokens.peek();
      BinaryOp op = operator.kind() == Kind.STRING ? null : infix.get(operator.text());
      if (op == null || Precedence.of(op) < least) {
        return left;
      }
      if (op.kind() == BinaryOp.Kind.COMPARISON && compared) {
        throw tokens.error(operator, "comparisons in a row need parentheses to say which is first");
      }
      compared = op.kind() == BinaryOp.Kind.COMPARISON;
      tokens.next();
      left = binary(operator, op, left, parse(Precedence.of(op) + 1));
    }
  }

  private Node parseNot(int least) {
    Token token = tokens.next();
    if (least > Precedence.NOT) {
      throw tokens.error(token, "'not' needs parentheses around it here");
    }
    enter();
    Node operand = parse(Precedence.NOT);
    nesting--;
    return node(token, tokens.make(token, () -> new Not(operand.expr())), operand.depth());
  }

  private Node binary(Token token, BinaryOp op, Node a, Node b) {
    Node left = adapt(token, a, b.expr().dtype());
    Node right = adapt(token, b, left.expr().dtype());
    int depth = Math.max(a.depth(), b.depth());
    return node(token, tokens.make(token, () -> new Binary(op, left.expr(), right.expr())), depth);
  }

  private Node adapt(Token token, Node node, DType dtype) {
    if (!node.plain() || node.expr().dtype().equals(dtype)) {
      return node;
    }
    PrimExpr expr = tokens.make(token, () -> convert(node.expr(), dtype));
    return new Node(expr, node.depth(), false);
  }

  private static PrimExpr convert(PrimExpr plain, DType dtype) {
    return switch (plain) {
      case IntImm imm when dtype.isFloat() -> new FloatImm(dtype, (double) imm.value());
      case IntImm imm when DTypes.isInteger(dtype) -> new IntImm(dtype, imm.value());
      case FloatImm imm when dtype.isFloat() -> new FloatImm(dtype, imm.value());
      case Select(PrimExpr condition, PrimExpr a, PrimExpr b) ->
          new Select(condition, convert(a, dtype), convert(b, dtype));
      case Call(Intrinsic op, List<PrimExpr> args) when isChoice(op) ->
          new Call(
              op, List.of(args.get(0), convert(args.get(1), dtype), convert(args.get(2), dtype)));
      default -> plain;
    };
  }

  private static boolean isChoice(Intrinsic op) {
    return op.rule() == Intrinsic.Rule.CHOICE;
  }

  /** Arguments of one dtype, from this one on: plain ones get that of another. */
  private List<Node> adaptAll(Token token, List<Node> args, int from) {
    for (Node model : args.subList(Math.min(from, args.size()), args.size())) {
      if (!model.plain()) {
        List<Node> adapted = new ArrayList<>(args);
        ListIterator<Node> remaining = adapted.listIterator(from);
        while (remaining.hasNext()) {
          Node arg = remaining.next();
          remaining.set(adapt(token, arg, model.expr().dtype()));
        }
        return adapted;
      }
    }
    return args;
  }

  /** A choice between values that are plain numbers is one, too. */
  private Node choice(Node choice, List<Node> args) {
    boolean plain = args.get(1).plain() && args.get(2).plain();
    return new Node(choice.expr(), choice.depth(), plain);
  }

  private Node parseOperand() {
    Token token = tokens.peek();
    if (token.kind() == Kind.NAME && Literals.isDType(token.text()) && tokens.peek(1).is("(")) {
      throw tokens.error(
          token,
          "expected an expression, but got '" + token.text() + "'; is it T." + token.text() + "?");
    }
    PrimExpr literal = literals.tryPlain();
    if (literal != null) {
      return new Node(literal, 1, !literal.dtype().equals(DType.BOOL));
    }
    if (tokens.accept("(")) {
      Node inner = parseNode();
      tokens.expect(")");
      return inner;
    }
    if (tokens.comes("T", ".")) {
      return parseFunction(tokens.expectFunction());
    }
    if ((token.is("min") || token.is("max")) && tokens.peek(1).is("(")) {
      return parseFunction(tokens.next());
    }
    if (token.kind() != Kind.NAME || Names.isReserved(token.text())) {
      throw tokens.unexpected("an expression");
    }
    return parseName(tokens.next());
  }

  private Node parseName(Token name) {
    switch (scope.use(name.text())) {
      case Var var -> {
        if (tokens.peek().is("[")) {
          throw tokens.error(name, "'" + name.text() + "' is a variable, not a buffer");
        }
        return new Node(var, 1, false);
      }
      case Handle handle -> throw isHandle(name);
      case Buffer buffer -> {
        if (!tokens.peek().is("[")) {
          throw tokens.error(name, "the buffer '" + name.text() + "' needs indices here");
        }
        List<PrimExpr> indices = new ArrayList<>();
        int depth = Math.max(scope.depth(buffer), indices(indices));
        return node(name, tokens.make(name, () -> new BufferLoad(buffer, indices)), depth);
      }
      case null, default -> throw unknown(name);
    }
  }

  /** Indices in brackets; {@code [()]} for none. Returns the greatest depth. */
  int indices(List<PrimExpr> indices) {
    int depth = 0;
    tokens.expect("[");
    if (tokens.comes("(", ")", "]")) {
      tokens.next();
      tokens.next();
    } else if (tokens.peek().is("]")) {
      throw tokens.unexpected("an expression");
    }
    for (Node node : list(tokens, "]", unused -> parseNode())) {
      indices.add(node.expr());
      depth = Math.max(depth, node.depth());
    }
    return depth;
  }

  private Node parseFunction(Token name) {
    tokens.expect("(");
    String text = name.text();
    if (Literals.isDType(text)) {
      return parseOfDType(name, DType.parse(text));
    }
    @Nullable DType dtype = null;
    if (text.equals("Cast")) {
      dtype = dtype();
      tokens.expect(",");
    }
    DType target = dtype;
    List<Node> given = list(tokens, ")", unused -> parseNode());
    BinaryOp op = FUNCTIONS.getOrDefault(text, OPERATORS.get(text));
    if (op != null) {
      requireCount(name, 2, given.size());
      return binary(name, op, given.get(0), given.get(1));
    }
    Intrinsic intrinsic = intrinsics.get(text);
    boolean isSelect = text.equals("Select");
    boolean isChoice = isSelect || (intrinsic != null && isChoice(intrinsic));
    List<Node> args = adaptAll(name, given, isChoice ? 1 : 0);
    int depth = args.stream().mapToInt(Node::depth).max().orElse(0);
    List<PrimExpr> exprs = args.stream().map(Node::expr).toList();
    if (isSelect) {
      requireCount(name, 3, args.size());
      PrimExpr select =
          tokens.make(name, () -> new Select(exprs.get(0), exprs.get(1), exprs.get(2)));
      return choice(node(name, select, depth), args);
    }
    if (target != null) {
      requireCount(name, 1, args.size());
      return node(name, tokens.make(name, () -> new Cast(target, exprs.getFirst())), depth);
    }
    if (intrinsic == null) {
      throw tokens.error(
          name, "unknown function 'T." + text + "'\n  what there is: " + functions());
    }
    Node call = node(name, tokens.make(name, () -> new Call(intrinsic, exprs)), depth);
    return isChoice ? choice(call, args) : call;
  }

  private void requireCount(Token name, int expected, int count) {
    if (count != expected) {
      String arguments = expected == 1 ? " argument" : " arguments";
      throw tokens.error(
          name, name.text() + " takes " + expected + arguments + ", but got " + count);
    }
  }

  private String functions() {
    TreeSet<String> all = new TreeSet<>(intrinsics.keySet());
    all.addAll(FUNCTIONS.keySet());
    all.add("Select");
    all.add("Cast");
    return String.join(", ", all) + ", and dtypes such as float32";
  }

  private Node parseOfDType(Token token, DType dtype) {
    PrimExpr constant = literals.tryOf(dtype);
    Node node;
    if (constant != null) {
      node = new Node(constant, 1, false);
    } else {
      Node value = parseNode();
      node = node(token, tokens.make(token, () -> new Cast(dtype, value.expr())), value.depth());
    }
    tokens.expect(")");
    return node;
  }

  /** A dtype in quotes. */
  DType dtype() {
    Token name = tokens.expect(Kind.STRING, "a dtype in quotes, such as \"float32\"");
    return Optional.of(name.text())
        .filter(Literals::isDType)
        .map(DType::parse)
        .orElseThrow(() -> tokens.unknown(name, "dtype", DTypes.NAMES));
  }
}
