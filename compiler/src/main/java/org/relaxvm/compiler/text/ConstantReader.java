package org.relaxvm.compiler.text;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.Token.Kind;
import org.relaxvm.tir.text.TokenStream;

/** Reads constants: numbers in the text, and references to tensors beside it. */
final class ConstantReader {
  private final Reading reading;
  private final TokenStream tokens;
  private final TypeReader types;

  ConstantReader(Reading reading, TypeReader types) {
    this.reading = reading;
    this.tokens = reading.tokens;
    this.types = types;
  }

  /** A number of a literal, as its dtype will read it. */
  private record Element(Token token, String text, DType fallback) {}

  /** {@code metadata["relax.expr.Constant"][0]}. */
  Constant reference() {
    tokens.expect("metadata");
    tokens.expect("[");
    Token kind = tokens.expect(Kind.STRING, "\"relax.expr.Constant\"");
    if (!kind.text().equals("relax.expr.Constant")) {
      throw tokens.error(kind, "expected \"relax.expr.Constant\", but got " + kind.describe());
    }
    tokens.expect("]");
    tokens.expect("[");
    Token token = tokens.peek();
    Constant constant = reading.constant(token, reading.integer("the index of a constant"));
    tokens.expect("]");
    return constant;
  }

  /** The arguments of {@code R.const}, from the value to the closing bracket. */
  Constant arguments(Token start) {
    @Nullable Constant reference = null;
    List<Element> elements = new ArrayList<>();
    List<Long> dims = new ArrayList<>();
    if (tokens.peek().is("metadata")) {
      reference = reference();
    } else {
      read(0, elements, dims);
    }
    @Nullable DType dtype = null;
    Optional<VDevice> vdevice = Optional.empty();
    while (tokens.another(")")) {
      Token keyword = reading.keyword();
      Token token = tokens.peek();
      if (keyword != null && keyword.is("vdevice")) {
        vdevice = Optional.of(types.vdevice());
      } else if (keyword != null && !keyword.is("dtype")) {
        throw reading.unknown(
            keyword, "argument", keyword.text(), " of R.const", List.of("dtype", "vdevice"));
      } else if (types.comes(0)) {
        if (!(types.read() instanceof TensorType type)) {
          throw tokens.error(token, "the type of a constant must be an R.Tensor");
        }
        dtype = type.dtype().orElse(null);
        vdevice = type.vdevice();
      } else {
        dtype = reading.dtype();
      }
    }
    if (reference != null) {
      return vdevice.isEmpty() ? reference : new Constant(reference.data(), vdevice);
    }
    return new Constant(tensor(start, elements, dims, dtype), vdevice);
  }

  private Tensor tensor(
      Token start, List<Element> elements, List<Long> dims, @Nullable DType given) {
    DType dtype = given != null ? given : fallback(elements);
    if (!Elements.hasLiterals(dtype)) {
      throw tokens.error(start, "a constant of dtype " + dtype + " cannot be written as numbers");
    }
    int size = dtype.elementByteSize();
    ByteBuffer bytes = ByteBuffer.allocate(elements.size() * size).order(ByteOrder.LITTLE_ENDIAN);
    for (Element element : elements) {
      if (!Elements.put(bytes, dtype, element.text())) {
        throw tokens.error(
            element.token(), "the constant " + element.text() + " does not fit " + dtype);
      }
    }
    long[] extents = dims.stream().mapToLong(Long::longValue).toArray();
    return Tensor.of(bytes.array(), dtype, Shape.of(extents));
  }

  /** A float among the numbers makes all floats, as in Python; else an integer makes integers. */
  private static DType fallback(List<Element> elements) {
    DType dtype = elements.isEmpty() ? DType.FLOAT32 : DType.BOOL;
    for (Element element : elements) {
      boolean isWider = dtype.equals(DType.BOOL) || element.fallback().equals(DType.FLOAT32);
      dtype = isWider ? element.fallback() : dtype;
    }
    return dtype;
  }

  /** Reads numbers in brackets; all lists of a level have the same length. */
  private void read(int level, List<Element> elements, List<Long> dims) {
    Token start = tokens.peek();
    boolean isList = start.is("[") || start.is("(");
    boolean mustBeList = level < dims.size();
    boolean mustBeNumber = !mustBeList && !elements.isEmpty();
    if ((isList && mustBeNumber) || (!isList && mustBeList)) {
      throw tokens.error(start, "the lists of a constant must be nested equally deep everywhere");
    }
    if (!isList) {
      elements.add(element());
      return;
    }
    if (level >= Limits.DEPTH) {
      throw tokens.error(start, "a constant is nested more than " + Limits.DEPTH + " deep");
    }
    String close = tokens.next().is("[") ? "]" : ")";
    boolean isFirst = !mustBeList;
    if (isFirst) {
      dims.add(-1L);
    }
    long length = 0;
    boolean more = !tokens.accept(close);
    while (more) {
      read(level + 1, elements, dims);
      length++;
      more = tokens.another(close);
    }
    long expected = dims.set(level, length);
    if (expected >= 0 && expected != length) {
      throw tokens.error(
          start,
          "the lists of a constant must be equally long; expected "
              + expected
              + " values, but got "
              + length);
    }
  }

  private Element element() {
    Token token = tokens.peek();
    if (token.is("True") || token.is("False")) {
      return new Element(token, tokens.next().text(), DType.BOOL);
    }
    if (tokens.comes("float", "(")) {
      tokens.next();
      tokens.next();
      Token name = tokens.expect(Kind.STRING, "\"nan\", \"inf\" or \"-inf\"");
      tokens.expect(")");
      return new Element(token, "float(\"" + name.text() + "\")", DType.FLOAT32);
    }
    boolean negative = tokens.accept("-");
    Token number = tokens.peek();
    if (number.kind() != Kind.INTEGER && number.kind() != Kind.FLOAT) {
      throw tokens.unexpected("a number, True, False or a list of them");
    }
    tokens.next();
    DType fallback = number.kind() == Kind.FLOAT ? DType.FLOAT32 : DType.INT32;
    return new Element(token, (negative ? "-" : "") + number.text(), fallback);
  }
}
