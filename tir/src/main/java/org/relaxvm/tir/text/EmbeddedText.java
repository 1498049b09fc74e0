package org.relaxvm.tir.text;

import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Kernels, expressions and annotations inside a larger text, such as that of a whole module, whose
 * other parts someone else reads and prints. All read where a {@link TokenStream} of the larger
 * text stands and leave it after what they read, so that errors name lines and columns of that
 * text.
 *
 * <p>The form is that of {@link TirText}. Stateless; safe for concurrent use on different streams.
 * Source: docs/spec/relax-ir.md, section 12.
 */
public final class EmbeddedText {
  /**
   * A kernel that was read.
   *
   * @param name that the text gives it after {@code def}, and by which the rest of the text calls
   *     it; the name of the kernel is another one where its decorator has {@code name=}
   */
  public record Kernel(Token name, PrimFunc function) {}

  private EmbeddedText() {}

  /**
   * Reads a kernel, from the {@code @} of its decorator to the end of its indented lines.
   *
   * @param symbols names that the text around declares as extents, as in {@code n = TypeVar("n")}:
   *     where the kernel uses one that it does not define, that is an int64 variable of its own
   * @throws org.relaxvm.api.error.MalformedFileException a {@code ValueError} at the first position
   *     that is wrong: source, line, column, what was expected and what is there
   */
  public static Kernel parseKernel(TokenStream tokens, Set<String> symbols) {
    return new FunctionParser(tokens, symbols).parse();
  }

  /**
   * Appends the lines of a kernel.
   *
   * @param name for it in this text, such as one of {@link Names#define}; where it is not the
   *     kernel's own, {@code name=} keeps that
   * @param indent of its decorator, in steps of four spaces
   * @throws org.relaxvm.api.error.InvalidProgramException as {@link TirText#print(PrimFunc)}
   */
  public static void printKernel(PrimFunc function, String name, int indent, StringBuilder out) {
    FunctionPrinter.print(function, name, indent, out);
  }

  /**
   * Reads an expression, such as an extent; one in quotes too. Plain integers are int64, other
   * numbers float64, unless another operand has another dtype.
   *
   * @param symbols what names mean
   * @throws org.relaxvm.api.error.MalformedFileException as {@link #parseKernel}
   */
  public static PrimExpr parseExpr(TokenStream tokens, Map<String, Var> symbols) {
    Scope scope = new Scope(Set.of());
    symbols.forEach(scope::define);
    return new ExprParser(tokens, scope).parseExtent();
  }

  /**
   * An expression as {@link #parseExpr} reads it.
   *
   * @param names has a name for each variable and buffer
   * @throws IllegalStateException when one has none
   */
  public static String printExpr(PrimExpr expr, Names names) {
    return ExprPrinter.print(expr, names);
  }

  /**
   * Reads annotations in braces, such as {@code {"op_pattern": 4, "tirx.noalias": True}}: strings,
   * longs, doubles and booleans by name, in order.
   *
   * @throws org.relaxvm.api.error.MalformedFileException as {@link #parseKernel}
   */
  public static Map<String, Object> parseAnnotations(TokenStream tokens) {
    return new LiteralParser(tokens).annotations();
  }

  /** Annotations as {@link #parseAnnotations} reads them. */
  public static String printAnnotations(Map<String, Object> annotations) {
    return Literals.print(annotations);
  }
}
