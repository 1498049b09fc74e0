package org.relaxvm.compiler.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.Token.Kind;
import org.relaxvm.tir.text.TokenStream;

/** Reads the arguments of calls, from after the opening bracket to the closing one. */
final class CallReader {
  private final Reading reading;
  private final TokenStream tokens;
  private final ExprReader exprs;
  private final TypeReader types;
  private final AttrReader attrs;

  CallReader(Reading reading, ExprReader exprs, TypeReader types) {
    this.reading = reading;
    this.tokens = reading.tokens;
    this.exprs = exprs;
    this.types = types;
    this.attrs = new AttrReader(reading);
  }

  /** An argument as it stands in the text; what {@code None} gives is null. */
  private record Given(Token start, @Nullable Expr value) {}

  /** What a call has beside its callee. */
  private static final class Parts {
    final List<Given> positional = new ArrayList<>();
    final Map<String, Given> named = new LinkedHashMap<>();
    final Map<String, Object> attrs = new LinkedHashMap<>();
    @Nullable List<Type> typeArgs;
    boolean hasNames;

    List<Type> typeArgs() {
      return typeArgs == null ? List.of() : typeArgs;
    }
  }

  /** A call of a packed function. */
  Call packed() {
    String symbol = reading.string("the name of a packed function in quotes");
    Parts parts = new Parts();
    while (tokens.another(")")) {
      argument(parts);
    }
    return call(new ExternFunc(symbol), parts);
  }

  /** A call of a function that is a value. */
  Call ofValue(Expr callee) {
    Parts parts = new Parts();
    boolean more = !tokens.accept(")");
    while (more) {
      argument(parts);
      more = tokens.another(")");
    }
    return call(callee, parts);
  }

  private static Call call(Expr callee, Parts parts) {
    List<Expr> args = new ArrayList<>();
    parts.positional.forEach(
        given -> args.add(given.value() == null ? Tuple.EMPTY : given.value()));
    return Call.of(callee, args, new Attrs(parts.attrs), parts.typeArgs());
  }

  /** An argument of a function, which has no names for them; with a name it is an attribute. */
  private void argument(Parts parts) {
    Token keyword = reading.keyword();
    parts.hasNames |= keyword != null;
    if (keyword == null) {
      parts.positional.add(positional(parts));
    } else if (!isTypes(parts, keyword)) {
      Object value = attrs.read();
      if (value != null) {
        putOnce(parts.attrs, keyword, value);
      }
    }
  }

  private Given positional(Parts parts) {
    requirePositional(parts);
    Token start = tokens.peek();
    if (start.is("None")) {
      throw tokens.unexpected("an expression");
    }
    return new Given(start, exprs.read());
  }

  private void requirePositional(Parts parts) {
    if (parts.hasNames) {
      throw tokens.error(tokens.peek(), "an argument without a name follows one with a name");
    }
  }

  private <T> void putOnce(Map<String, T> map, Token name, T value) {
    if (map.put(name.text(), value) != null) {
      throw tokens.error(name, "the argument '" + name.text() + "' is there twice");
    }
  }

  /** Takes what a keyword says of the result; whether it says that. */
  private boolean isTypes(Parts parts, Token keyword) {
    boolean isList = keyword.is("ty_args") || keyword.is("sinfo_args");
    if (!isList && !keyword.is("out_ty") && !keyword.is("out_sinfo")) {
      return false;
    }
    if (parts.typeArgs != null) {
      throw tokens.error(keyword, "what the call gives is said twice");
    }
    parts.typeArgs = isList ? types.several() : output();
    return true;
  }

  /** The type of an output, or types of several in brackets. */
  private List<Type> output() {
    boolean isOne = types.comes(0);
    List<Type> all = types.several();
    return isOne ? all : List.of(new TupleType(all));
  }

  /** A call of an operator. */
  Call ofOperator(OpDef op) {
    Parts parts = new Parts();
    int position = 0;
    boolean more = !tokens.accept(")");
    while (more) {
      Token keyword = reading.keyword();
      parts.hasNames |= keyword != null;
      boolean isBracket = tokens.peek().is("(") || tokens.peek().is("[");
      if (keyword != null) {
        named(op, parts, keyword);
      } else if (parts.typeArgs == null && types.comes(isBracket ? 1 : 0)) {
        parts.typeArgs = output();
      } else {
        positional(op, parts, position++);
      }
      more = tokens.another(")");
    }
    return Call.of(op, arguments(op, parts), new Attrs(parts.attrs), parts.typeArgs());
  }

  private void named(OpDef op, Parts parts, Token keyword) {
    if (isTypes(parts, keyword)) {
      return;
    }
    if (op.argNames().contains(keyword.text())) {
      putOnce(parts.named, keyword, given());
      return;
    }
    Optional<AttrSpec> spec =
        op.attrSpecs().stream().filter(each -> each.name().equals(keyword.text())).findFirst();
    Object value = attrs.read(op, spec.orElseThrow(() -> unknown(op, keyword)));
    if (value != null) {
      putOnce(parts.attrs, keyword, value);
    }
  }

  private RuntimeException unknown(OpDef op, Token keyword) {
    List<String> known = new ArrayList<>(op.argNames());
    op.attrSpecs().forEach(spec -> known.add(spec.name()));
    return reading.unknown(keyword, "argument", keyword.text(), " of R." + op.name(), known);
  }

  /** After the arguments of an operator stand its attributes. */
  private void positional(OpDef op, Parts parts, int position) {
    requirePositional(parts);
    int attr = position - op.argNames().size();
    if (attr < 0 || op.isVariadic() || attr >= op.attrSpecs().size()) {
      parts.positional.add(given());
      return;
    }
    AttrSpec spec = op.attrSpecs().get(attr);
    Object value = attrs.read(op, spec);
    if (value != null) {
      parts.attrs.put(spec.name(), value);
    }
  }

  private Given given() {
    Token start = tokens.peek();
    if (tokens.accept("None")) {
      return new Given(start, null);
    }
    Token number = start.is("-") ? tokens.peek(1) : start;
    if (number.kind() == Kind.INTEGER || number.kind() == Kind.FLOAT) {
      reading.sawScalar(number);
    }
    return new Given(start, exprs.read());
  }

  /** The arguments in the order of the operator. */
  private List<Expr> arguments(OpDef op, Parts parts) {
    List<@Nullable Given> slots = new ArrayList<>();
    List<Given> remaining = new ArrayList<>(parts.positional);
    for (String name : op.argNames()) {
      Given named = parts.named.get(name);
      boolean takesNext = !remaining.isEmpty() && (named == null || !op.isVariadic());
      Given next = takesNext ? remaining.removeFirst() : null;
      if (named != null && next != null) {
        throw tokens.error(named.start(), "the argument '" + name + "' is there twice");
      }
      slots.add(named == null ? next : named);
    }
    slots.addAll(remaining);
    while (!slots.isEmpty() && isAbsent(slots.getLast())) {
      slots.removeLast();
    }
    List<Expr> args = new ArrayList<>();
    for (Given slot : slots) {
      if (slot == null || slot.value() == null) {
        Token token = slot == null ? tokens.peek() : slot.start();
        throw tokens.error(
            token,
            "the argument "
                + op.argName(args.size())
                + " of R."
                + op.name()
                + " is not given, but a later one is");
      }
      args.add(argument(op.argName(args.size()), slot.start(), slot.value()));
    }
    return args;
  }

  private static boolean isAbsent(@Nullable Given given) {
    return given == null || given.value() == null;
  }

  /** What Python's numbers, strings and lists stand for where an operator has such an argument. */
  private Expr argument(String name, Token start, Expr value) {
    boolean isString = start.kind() == Kind.STRING;
    if (isString && name.equals("func") && value instanceof StringImm(String symbol)) {
      return new ExternFunc(symbol);
    }
    if (isString && name.equals("dtype")) {
      DType dtype = reading.dtype(start);
      return new DataTypeImm(dtype);
    }
    boolean isList = start.is("(") || start.is("[");
    if (isList && isShape(name) && value instanceof Tuple(List<Expr> fields)) {
      List<PrimExpr> extents = new ArrayList<>();
      for (Expr field : fields) {
        if (!(field instanceof PrimValue(PrimExpr extent))) {
          return value;
        }
        extents.add(extent);
      }
      return reading.located(start, () -> new ShapeExpr(extents));
    }
    return value;
  }

  /** Whether an argument of this name is a shape, so that a list of numbers is one. */
  static boolean isShape(String name) {
    return name.endsWith("shape") || name.equals("size") || name.equals("tir_vars");
  }
}
