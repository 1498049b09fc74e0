package org.relaxvm.tir.text;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.text.Token.Kind;

/** Reads the types of buffers. */
final class TypeParser {
  private static final String ARGUMENTS = "dtype, strides, elem_offset, scope";

  private final TokenStream tokens;
  private final Scope scope;
  private final ExprParser exprs;
  private int depth;

  TypeParser(TokenStream tokens, Scope scope, ExprParser exprs) {
    this.tokens = tokens;
    this.scope = scope;
    this.exprs = exprs;
  }

  /** The arguments of {@code T.Buffer} and the like, from the shape on to the closing bracket. */
  Buffer parse(Token name) {
    depth = 0;
    List<PrimExpr> shape = extents("the extents in brackets");
    DType dtype = DType.FLOAT32;
    List<PrimExpr> strides = List.of();
    PrimExpr elemOffset = IntImm.of(0);
    MemoryScope memory = MemoryScope.GLOBAL;
    Set<String> seen = new HashSet<>();
    while (tokens.another(")")) {
      if (tokens.peek().kind() == Kind.STRING && seen.add("dtype")) {
        dtype = exprs.dtype();
        continue;
      }
      Token argument = tokens.expect(Kind.NAME, "one of " + ARGUMENTS);
      tokens.expect("=");
      if (!seen.add(argument.text())) {
        throw tokens.error(argument, "the argument '" + argument.text() + "' is there twice");
      }
      switch (argument.text()) {
        case "dtype" -> dtype = exprs.dtype();
        case "strides" -> strides = extents("the strides in brackets");
        case "elem_offset" -> elemOffset = deepen(exprs.parse());
        case "scope" -> memory = memory();
        default -> throw tokens.unknown(argument, "argument", ARGUMENTS);
      }
    }
    DType elements = dtype;
    List<PrimExpr> steps = strides;
    PrimExpr offset = elemOffset;
    MemoryScope memoryScope = memory;
    Buffer buffer =
        tokens.make(
            name, () -> new Buffer(name.text(), elements, shape, steps, offset, memoryScope));
    if (scope.isDeclared(name.text())) {
      return declared(name, buffer);
    }
    scope.setDepth(buffer, depth);
    return buffer;
  }

  /** The buffer that is declared under this name; its types must agree. */
  private Buffer declared(Token name, Buffer other) {
    Buffer buffer = exprs.buffer(name);
    if (!buffer.dtype().equals(other.dtype())
        || !buffer.shape().equals(other.shape())
        || !buffer.strides().equals(other.strides())
        || !buffer.elemOffset().equals(other.elemOffset())
        || buffer.scope() != other.scope()) {
      throw tokens.error(
          name, "the buffer '" + name.text() + "' is declared above with another type");
    }
    return buffer;
  }

  private List<PrimExpr> extents(String expected) {
    boolean square = tokens.peek().is("[");
    if (!square && !tokens.peek().is("(")) {
      throw tokens.unexpected(expected);
    }
    tokens.next();
    return ExprParser.list(tokens, square ? "]" : ")", unused -> deepen(exprs.parseExtent()));
  }

  private PrimExpr deepen(PrimExpr expr) {
    depth = Math.max(depth, exprs.lastDepth());
    return expr;
  }

  private MemoryScope memory() {
    Token name = tokens.expect(Kind.STRING, "a memory in quotes, such as \"shared\"");
    return Arrays.stream(MemoryScope.values())
        .filter(known -> known.text().equals(name.text()))
        .findFirst()
        .orElseThrow(
            () ->
                tokens.unknown(
                    name,
                    "memory",
                    Arrays.stream(MemoryScope.values())
                        .map(MemoryScope::text)
                        .collect(Collectors.joining(", "))));
  }

  /**
   * The names that stand alone among the extents of the type that comes next, in quotes or not;
   * goes on after the type.
   */
  static Set<String> skipType(TokenStream tokens) {
    Set<String> names = new LinkedHashSet<>();
    int brackets = 0;
    boolean shape = tokens.comes("T", ".", "Buffer", "(");
    Token before = tokens.peek();
    while (tokens.peek().kind() != Kind.END && tokens.peek().kind() != Kind.NEWLINE) {
      Token token = tokens.peek();
      boolean closes = token.is(")") || token.is("]");
      if (brackets == 0 && (closes || token.is(","))) {
        break;
      }
      boolean alone =
          (before.is("(") || before.is("[") || before.is(","))
              && (tokens.peek(1).is(",") || tokens.peek(1).is(")") || tokens.peek(1).is("]"));
      boolean nameLike = token.kind() == Kind.NAME || token.kind() == Kind.STRING;
      if (shape && brackets == 2 && alone && nameLike && isName(token.text())) {
        names.add(token.text());
      }
      if (token.is("(") || token.is("[")) {
        brackets++;
      } else if (closes) {
        brackets--;
        shape &= brackets > 1;
      }
      before = tokens.next();
    }
    return names;
  }

  private static boolean isName(String text) {
    return Names.plain(text).equals(text);
  }
}
