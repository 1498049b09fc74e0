package org.relaxvm.compiler.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.Token.Kind;
import org.relaxvm.tir.text.TokenStream;

/** Reads types. */
final class TypeReader {
  private static final Set<String> NAMES =
      Set.of("Any", "Object", "Tensor", "Shape", "Tuple", "Callable", "Prim");
  private static final List<String> LISTED =
      List.of("R.Tensor", "R.Shape", "R.Tuple", "R.Prim", "R.Callable", "R.Any", "T.int64");

  private final Reading reading;
  private final TokenStream tokens;
  private final Scope scope;
  private final SymbolReader symbols;
  private int depth;
  private int callables;

  TypeReader(Reading reading, Scope scope) {
    this.reading = reading;
    this.tokens = reading.tokens;
    this.scope = scope;
    this.symbols = new SymbolReader(reading, scope);
  }

  /** Whether a type stands after that many words. */
  boolean comes(int ahead) {
    Token name = tokens.peek(ahead + 2);
    if (!tokens.peek(ahead + 1).is(".")) {
      return false;
    }
    return tokens.peek(ahead).is("R")
        ? NAMES.contains(name.text())
        : tokens.peek(ahead).is("T") && !tokens.peek(ahead + 3).is("(");
  }

  /** A type. */
  Type read() {
    if (++depth > Limits.DEPTH) {
      throw tokens.error(tokens.peek(), "types are nested more than " + Limits.DEPTH + " deep");
    }
    Token start = tokens.peek();
    if (!tokens.comes("R", ".") && !tokens.comes("T", ".")) {
      throw tokens.unexpected("a type, such as R.Tensor((n, 4), dtype=\"float32\")");
    }
    tokens.next();
    tokens.next();
    Token name = tokens.expect(Kind.NAME, "the name of a type");
    Type type = start.is("T") ? new PrimType(reading.dtype(name)) : read(start, name);
    depth--;
    return type;
  }

  private Type read(Token start, Token name) {
    boolean hasArgs = tokens.accept("(");
    return switch (name.text()) {
      case "Any", "Object" -> {
        if (hasArgs) {
          tokens.expect(")");
        }
        yield AnyType.ANY;
      }
      case "Tensor" -> hasArgs ? tensor(start) : TensorType.unknown();
      case "Shape" -> hasArgs ? shape(start) : ShapeType.unknown();
      case "Tuple" -> hasArgs ? tuple() : TupleType.VOID;
      case "Callable" -> hasArgs ? callable() : FuncType.opaque(AnyType.ANY, false);
      case "Prim" -> prim(hasArgs);
      default -> throw reading.unknown(start, "type", "R." + name.text(), LISTED);
    };
  }

  /** Several types: in brackets, or one without. */
  List<Type> several() {
    boolean isTuple = tokens.accept("(");
    if (!isTuple && !tokens.accept("[")) {
      return List.of(read());
    }
    return list(isTuple ? ")" : "]");
  }

  private List<Type> list(String close) {
    List<Type> types = new ArrayList<>();
    boolean more = !tokens.accept(close);
    while (more) {
      types.add(read());
      more = tokens.another(close);
    }
    return types;
  }

  private Type tuple() {
    if (tokens.accept("[")) {
      List<Type> types = list("]");
      tokens.expect(")");
      return new TupleType(types);
    }
    return new TupleType(list(")"));
  }

  private Type prim(boolean hasArgs) {
    if (!hasArgs) {
      throw tokens.unexpected("'(' and the dtype of a scalar in quotes");
    }
    Token keyword = reading.keyword();
    DType dtype = keyword != null && keyword.is("value") ? symbols.read().dtype() : reading.dtype();
    tokens.expect(")");
    return new PrimType(dtype);
  }

  private Type shape(Token start) {
    if (tokens.accept(")")) {
      return ShapeType.unknown();
    }
    Token keyword = reading.keyword();
    if (keyword != null && keyword.is("ndim")) {
      long ndim = reading.integer("the number of axes");
      tokens.expect(")");
      return reading.located(start, () -> ShapeType.ofRank((int) ndim));
    }
    List<PrimExpr> dims = extents();
    tokens.expect(")");
    return reading.located(start, () -> ShapeType.of(dims));
  }

  private List<PrimExpr> extents() {
    if (tokens.accept("(")) {
      return symbols.list(")");
    }
    if (!tokens.accept("[")) {
      throw tokens.unexpected("extents in brackets");
    }
    return symbols.list("]");
  }

  /** What is said of a tensor so far. */
  private static final class TensorParts {
    @Nullable Supplier<TensorShape> shape;
    Optional<DType> dtype = Optional.empty();
    @Nullable Long ndim;
    Optional<VDevice> vdevice = Optional.empty();

    TensorType type() {
      Optional<TensorShape> known = Optional.ofNullable(shape).map(Supplier::get);
      long rank = ndim != null ? ndim : known.map(TensorShape::ndim).orElse(ShapeType.UNKNOWN);
      return new TensorType(known, dtype, Math.toIntExact(rank), vdevice);
    }
  }

  private Type tensor(Token start) {
    TensorParts parts = new TensorParts();
    boolean more = !tokens.accept(")");
    int position = 0;
    while (more) {
      Token keyword = reading.keyword();
      Token token = tokens.peek();
      String what =
          keyword != null
              ? keyword.text()
              : position == 0 && token.kind() != Kind.STRING ? "shape" : "dtype";
      position++;
      switch (what) {
        case "shape" -> shape(parts);
        case "dtype" -> parts.dtype = elements();
        case "ndim" -> parts.ndim = reading.integer("the number of axes");
        case "vdevice" -> parts.vdevice = Optional.of(vdevice());
        default ->
            throw reading.unknown(
                keyword == null ? token : keyword,
                "argument",
                what,
                " of R.Tensor",
                List.of("shape", "dtype", "ndim", "vdevice"));
      }
      more = tokens.another(")");
    }
    if (parts.shape != null && parts.ndim != null) {
      throw tokens.error(start, "a tensor has either a shape or ndim=, which the shape says");
    }
    return reading.located(start, parts::type);
  }

  private void shape(TensorParts parts) {
    if (tokens.accept("None")) {
      return;
    }
    if (tokens.peek().kind() != Kind.NAME) {
      List<PrimExpr> dims = extents();
      parts.shape = () -> new TensorShape.Known(dims);
      return;
    }
    Token name = tokens.next();
    RelaxVar var = scope.var(name.text());
    if (var == null) {
      throw reading.unknown(name, "shape", name.text(), scope.varNames());
    }
    parts.shape = () -> new TensorShape.OfVar(var);
  }

  private Optional<DType> elements() {
    if (tokens.accept("None")) {
      return Optional.empty();
    }
    DType dtype = reading.dtype();
    return dtype.equals(DType.VOID) ? Optional.empty() : Optional.of(dtype);
  }

  /**
   * A virtual device: as a string such as {@code "cuda:0:global"}, or as {@code I.vdevice("cuda",
   * 0)}.
   */
  VDevice vdevice() {
    if (!tokens.comes("I", ".", "vdevice")) {
      Token text =
          tokens.expect(Kind.STRING, "a virtual device in quotes, such as \"cuda:0:global\"");
      String[] parts = text.text().split(":", -1);
      boolean isRight = parts.length <= 3 && (parts.length == 1 || parts[1].matches("[0-9]{1,4}"));
      if (!isRight || parts[0].isEmpty()) {
        throw tokens.error(
            text,
            "expected a virtual device such as \"cuda:0:global\", but got " + text.describe());
      }
      int id = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
      return new VDevice(parts[0], id, parts.length > 2 ? parts[2] : "global");
    }
    tokens.next();
    tokens.next();
    tokens.next();
    tokens.expect("(");
    String target = target();
    long id = 0;
    String memory = "global";
    while (tokens.another(")")) {
      Token unused = reading.keyword();
      if (tokens.peek().kind() == Kind.STRING) {
        memory = tokens.next().text();
      } else {
        id = reading.integer("the number of the device");
      }
    }
    return new VDevice(target, Math.toIntExact(id), memory);
  }

  /** The kind of a device: a string, or an entry of a dictionary. */
  private String target() {
    if (!tokens.peek().is("{")) {
      return reading.string("the kind of a device in quotes, such as \"cuda\"");
    }
    Token token = tokens.peek();
    if (AttrReader.entries(reading).get("kind") instanceof String kind) {
      return kind;
    }
    throw tokens.error(token, "expected a target with the attribute \"kind\"");
  }

  private Type callable() {
    if (callables == 0) {
      // Functions have symbols of their own; where the function around has one, it is that.
      symbols.define();
    }
    callables++;
    Type type = callableParts();
    callables--;
    return type;
  }

  private Type callableParts() {
    Optional<List<Type>> params = Optional.empty();
    @Nullable Type result = null;
    @Nullable Boolean isPure = null;
    boolean derives = false;
    boolean isFirst = true;
    boolean more = !tokens.accept(")");
    while (more) {
      Token keyword = reading.keyword();
      if (keyword != null && keyword.is("derive_func")) {
        derives = deriving();
      } else if (tokens.peek().is("True") || tokens.peek().is("False")) {
        isPure = reading.bool();
      } else if (isFirst && tokens.comes(".", ".", ".")) {
        tokens.next();
        tokens.next();
        tokens.next();
      } else if (isFirst && tokens.peek().is("(")) {
        tokens.next();
        params = Optional.of(list(")"));
      } else {
        result = read();
      }
      isFirst = false;
      more = tokens.another(")");
    }
    boolean pure = isPure != null ? isPure : params.isPresent();
    if (result == null && params.isEmpty()) {
      return new FuncType(params, AnyType.ANY, pure, derives);
    }
    if (result == null) {
      throw tokens.error(
          tokens.peek(), "a function type with parameters needs its result after them");
    }
    return new FuncType(params, result, pure, false);
  }

  private boolean deriving() {
    Token at = tokens.peek();
    String name = reading.string("the name of a function in quotes");
    if (!name.equals(FuncType.BY_TYPE_ARGS)) {
      throw tokens.error(
          at,
          "the function "
              + name
              + ", which derives types, is not known; expected "
              + FuncType.BY_TYPE_ARGS);
    }
    return true;
  }
}
