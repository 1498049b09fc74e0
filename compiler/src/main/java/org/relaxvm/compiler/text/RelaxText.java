package org.relaxvm.compiler.text;

import java.util.List;
import java.util.Map;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.op.OpRegistry;
import org.relaxvm.tir.text.SourceText;
import org.relaxvm.tir.text.TokenStream;

/**
 * Modules as text, in a form that looks like Python:
 *
 * <pre>{@code
 * @I.ir_module
 * class Module:
 *     @R.function
 *     def main(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
 *         with R.dataflow():
 *             y: R.Tensor((n, 4), dtype="float32") = R.add(x, R.const(1.0, "float32"))
 *             R.output(y)
 *         return y
 * }</pre>
 *
 * <p>What is printed is read as a structurally equal module, if the module is in normal form. Texts
 * that Apache TVM prints are read too, in its spelling of 2023 ({@code out_sinfo}, {@code
 * R.Object}) and of 2026 ({@code out_ty}, {@code R.Any}).
 *
 * <p>Small constants stand in the text as {@code R.const}; it names others by their place in a
 * list: {@code metadata["relax.expr.Constant"][0]}. Statements, types and expressions may be nested
 * 64 deep. Reading takes time in proportion to the length of the text.
 *
 * <p>Stateless; safe for concurrent use. Source: docs/spec/relax-ir.md, section 12.
 */
public final class RelaxText {
  private RelaxText() {}

  /**
   * A text and what it names.
   *
   * @param constants the tensors that {@code metadata["relax.expr.Constant"]} has, in order; they
   *     are those of the module, not copies
   */
  public record Printed(String text, List<Tensor> constants) {
    /** Copies the list. */
    public Printed {
      constants = List.copyOf(constants);
    }
  }

  /**
   * Reads a module whose constants all stand in the text.
   *
   * @param sourceName of the file or other source, for messages
   * @param ops the operators that the text may name
   * @throws org.relaxvm.api.error.MalformedFileException a {@code ValueError} at the first place
   *     that is wrong: source, line, column, what was expected and what is there
   * @throws org.relaxvm.api.error.InvalidProgramException at the first place where a rule about
   *     types refuses what the text says; also with source, line and column
   */
  public static IRModule parse(String text, String sourceName, OpRegistry ops) {
    return parse(text, sourceName, ops, List.of());
  }

  /**
   * Reads a module.
   *
   * @param constants what {@code metadata["relax.expr.Constant"]} stands for: tensors in host
   *     memory, which become those of the module and must stay open as long as it is in use
   * @throws org.relaxvm.api.error.MalformedFileException as {@link #parse(String, String,
   *     OpRegistry)}
   */
  public static IRModule parse(
      String text, String sourceName, OpRegistry ops, List<Tensor> constants) {
    TokenStream tokens = new TokenStream(new SourceText(sourceName, text));
    return new ModuleReader(new Reading(tokens, ops, constants)).read();
  }

  /**
   * A module as text. Where a constant is large, the text only says which one it is.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException a {@code ValueError} when a function is
   *     not in normal form, or nested too deep
   */
  public static String print(IRModule module) {
    return printWithConstants(module).text();
  }

  /**
   * A module as text together with the constants that the text names.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException as {@link #print(IRModule)}
   */
  public static Printed printWithConstants(IRModule module) {
    ConstantText constants = new ConstantText();
    String text = new ModulePrinter(module, constants).print();
    return new Printed(text, constants.tensors());
  }

  /**
   * A function as the text of a module has it, from the first column on.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException as {@link #print(IRModule)}
   */
  public static String print(RelaxFunction function) {
    String name = function.attrs().text(RelaxFunction.GLOBAL_SYMBOL).orElse("function");
    StringBuilder out = new StringBuilder();
    new FunctionPrinter(new ConstantText(), Map.of(), 0).print(function, name, name, out);
    return out.toString();
  }
}
