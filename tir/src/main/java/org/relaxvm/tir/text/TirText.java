package org.relaxvm.tir.text;

import java.util.List;
import org.relaxvm.tir.PrimFunc;

/**
 * Kernels as text in a subset of TVMScript, for people and for files of programs. What is printed
 * is read back as equal kernels ({@link org.relaxvm.tir.rewrite.StructuralEquality}) of the same
 * names.
 *
 * <p>The first line, {@code # relaxvm tir 1}, has the version of the form. Where the text says more
 * than TVMScript does:
 *
 * <ul>
 *   <li>Names that stand alone as extents in the types of parameters are int64 variables. Lines
 *       such as {@code m = T.int64()} and {@code C = T.Buffer((m,), "float32")} in front of the
 *       body declare others. A loop, axis, let or allocation of a name that is declared so is about
 *       that variable or buffer; of any other name it makes a new one.
 *   <li>{@code min:stop} and {@code range(min, stop)} have the extent {@code e} where {@code stop}
 *       is {@code min + e}, the difference of two constants, and {@code stop - min} otherwise.
 *   <li>A body of several lines is a {@code Seq}, of one line that statement, {@code pass} the
 *       empty {@code Seq}; {@code with T.Seq():} holds any other. Nothing puts a block around a
 *       body, except that allocations of the function make the block {@code root}.
 *   <li>A plain number next to an operand or argument of another dtype has that dtype; else
 *       integers are int64 and others float64.
 *   <li>Without {@code private=True} the kernel has the attribute {@code global_symbol}: its name,
 *       unless {@code T.func_attr} has another. {@code name=} is the name of a kernel that Python
 *       could not have there.
 * </ul>
 *
 * <p>Kernels as TVM prints them are read too: {@code s_tir=True}, {@code T.sblock}, {@code
 * T.sblock_alloc_buffer}, {@code T.sblock_attr}, {@code T.match_buffer}, {@code T.grid}, {@code
 * T.axis.remap}, {@code T.Add} and the like. {@link EmbeddedText} reads and prints kernels inside
 * larger texts.
 *
 * <p>Stateless; safe for concurrent use. Source: docs/spec/relax-ir.md, section 12.
 */
public final class TirText {
  /** The version of the form that this release writes, and the newest that it reads. */
  public static final int VERSION = 1;

  private static final String HEADER = "# relaxvm tir ";

  private TirText() {}

  /**
   * A kernel as a text of its own.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when a parameter is there twice, when
   *     bounds have two dtypes, or when expressions or statements are nested too deeply to be read
   *     again (128 and 64)
   */
  public static String print(PrimFunc function) {
    return print(List.of(function));
  }

  /**
   * Kernels as one text. All keep their names, those of one name too.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException as {@link #print(PrimFunc)}
   */
  public static String print(List<PrimFunc> functions) {
    StringBuilder out = new StringBuilder(HEADER).append(VERSION).append('\n');
    Names names = new Names();
    for (int i = 0; i < functions.size(); i++) {
      PrimFunc function = functions.get(i);
      out.append(i == 0 ? "" : "\n");
      FunctionPrinter.print(function, names.define(new Object(), function.name()), 0, out);
    }
    return out.toString();
  }

  /**
   * The kernels of a text, in order.
   *
   * @param source where the text comes from, such as the name of a file, for messages
   * @throws org.relaxvm.api.error.MalformedFileException a {@code ValueError} at the first place
   *     that is wrong: source, line, column, what was expected and what is there
   */
  public static List<PrimFunc> parse(String text, String source) {
    SourceText whole = new SourceText(source, text);
    requireVersion(whole);
    return FileParser.parse(whole);
  }

  private static void requireVersion(SourceText source) {
    String text = source.text();
    if (!text.startsWith(HEADER)) {
      return;
    }
    int end = text.indexOf('\n');
    String version = text.substring(HEADER.length(), end < 0 ? text.length() : end).strip();
    if (!version.equals(Integer.toString(VERSION))) {
      String shown = version.length() <= 20 ? version : version.substring(0, 20) + "...";
      throw source.error(
          HEADER.length(),
          "this release reads kernels of version "
              + VERSION
              + ", but the version of this text is "
              + Quoting.quote(shown)
              + "; a newer release may read it");
    }
  }
}
