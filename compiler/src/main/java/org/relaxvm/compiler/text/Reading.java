package org.relaxvm.compiler.text;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.op.OpRegistry;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.Token.Kind;
import org.relaxvm.tir.text.TokenStream;
import org.relaxvm.vmcore.link.SimilarNames;

/**
 * What all readers of one text share: the words, what the text may name, and the program so far.
 */
final class Reading {
  private static final int SHOWN = 20;
  private static final int TELLING = 3;

  final TokenStream tokens;
  final OpRegistry ops;
  final BlockBuilder builder = new BlockBuilder();

  /** Names by which the functions of the module are called. */
  final Set<String> modules = new HashSet<>(Set.of("cls"));

  /** Names that stand for a symbol of its own in each function. */
  final Set<String> symbols = new HashSet<>();

  /** The functions by their names in the text. */
  final Map<String, GlobalVar> functions = new LinkedHashMap<>();

  /** Functions whose results are not known yet: the text does not say them, and they come later. */
  final Set<String> unknownResults = new HashSet<>();

  private final List<Tensor> tensors;
  private final Map<Integer, Constant> constants = new HashMap<>();
  private @Nullable Token scalar;

  Reading(TokenStream tokens, OpRegistry ops, List<Tensor> tensors) {
    this.tokens = tokens;
    this.ops = ops;
    this.tensors = tensors;
  }

  /** Remembers a plain number that is an argument, for {@link #located}. */
  void sawScalar(Token number) {
    scalar = number;
  }

  /** Begins a statement. */
  void beginStatement() {
    scalar = null;
  }

  /** What the IR makes of it; where a rule refuses, the error names this position of the text. */
  <T> T located(Token token, Supplier<T> step) {
    try {
      return step.get();
    } catch (InvalidProgramException e) {
      String hint =
          scalar != null && e.kind() == ErrorKind.TYPE
              ? "\n  a plain number is a scalar; a tensor is R.const("
                  + scalar.text()
                  + ", \"float32\")"
              : "";
      throw new InvalidProgramException(
          e.kind(), tokens.error(token, e.summary() + hint).summary(), e);
    }
  }

  /** The error that a name means nothing: names like it, or else all that there are. */
  MalformedFileException unknown(Token token, String what, String name, Collection<String> known) {
    return unknown(token, what, name, "", known);
  }

  /** The error that a name means nothing there, such as {@code of R.add}. */
  MalformedFileException unknown(
      Token token, String what, String name, String where, Collection<String> known) {
    // Short names are all similar.
    List<String> similar = name.length() < TELLING ? List.of() : SimilarNames.of(name, known);
    String suggestion =
        similar.isEmpty()
            ? "\n  what there is: " + listed(known)
            : "\n  similar: " + String.join(", ", similar);
    return tokens.error(token, "unknown " + what + " '" + name + "'" + where + suggestion);
  }

  private static String listed(Collection<String> names) {
    if (names.isEmpty()) {
      return "nothing";
    }
    int more = names.size() - SHOWN;
    return String.join(", ", names.stream().limit(SHOWN).toList())
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** The constant of an index; the same one each time. */
  Constant constant(Token token, long index) {
    if (index < 0 || index >= tensors.size()) {
      throw tokens.error(
          token,
          "the constant "
              + index
              + " is not beside the text; it is read with "
              + Count.of(tensors.size(), "constant", "constants")
              + ", counted from 0");
    }
    return constants.computeIfAbsent((int) index, unused -> new Constant(tensors.get((int) index)));
  }

  /** Takes a string. */
  String string(String expected) {
    return tokens.expect(Kind.STRING, expected).text();
  }

  /** Takes {@code True} or {@code False}. */
  boolean bool() {
    if (!tokens.peek().is("True") && !tokens.peek().is("False")) {
      throw tokens.unexpected("True or False");
    }
    return tokens.next().is("True");
  }

  /** Takes an integer with its sign. */
  long integer(String expected) {
    Token start = tokens.peek();
    boolean negative = tokens.accept("-");
    Token digits = tokens.expect(Kind.INTEGER, expected);
    try {
      return Long.parseLong((negative ? "-" : "") + digits.text());
    } catch (NumberFormatException e) {
      throw tokens.error(start, "the number does not fit int64");
    }
  }

  /** Takes a dtype in quotes. */
  DType dtype() {
    return dtype(tokens.expect(Kind.STRING, "a dtype in quotes, such as \"float32\""));
  }

  /** The dtype of this name. */
  DType dtype(Token name) {
    try {
      return DType.parse(name.text());
    } catch (RelaxException e) {
      throw tokens.unknown(
          name, "dtype", "bool, int8 to int64, uint8 to uint64, float16, float32...");
    }
  }

  /** Takes a keyword and the sign after it when they come next: its name, else null. */
  @Nullable Token keyword() {
    if (tokens.peek().kind() != Kind.NAME || !tokens.peek(1).is("=")) {
      return null;
    }
    Token name = tokens.next();
    tokens.expect("=");
    return name;
  }

  /** Takes what is left of a line. */
  void skipLine() {
    while (tokens.peek().kind() != Kind.NEWLINE && tokens.peek().kind() != Kind.END) {
      tokens.next();
    }
    tokens.next();
  }

  /** Takes {@code :}, the end of the line and the indentation that follow a head. */
  void openBody() {
    tokens.expect(":");
    tokens.expectLineEnd();
    tokens.expect(Kind.INDENT, "an indented line");
  }
}
