package org.relaxvm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.builder.FunctionBuilder;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.rewrite.StructuralEquality;

/** Makes programs of one function, and compares them. */
public final class Programs {
  private Programs() {}

  /** A program with a function {@code main} and kernels, called by their names. */
  public static IRModule main(List<KernelFunction> kernels, Function<FunctionBuilder, Expr> body) {
    BlockBuilder builder = new BlockBuilder();
    kernels.forEach(kernel -> builder.addFunction(kernel, kernel.kernel().name()));
    builder.function("main", body);
    return builder.module();
  }

  /** The function {@code main}. */
  public static RelaxFunction main(IRModule module) {
    return (RelaxFunction) module.require(new GlobalVar("main"));
  }

  /** Compares modules up to the names of variables. */
  public static void assertEqual(IRModule actual, IRModule expected) {
    assertThat(StructuralEquality.areEqual(actual, expected))
        .withFailMessage(
            () ->
                "got\n"
                    + String.join("\n", lines(main(actual)))
                    + "\nexpected\n"
                    + String.join("\n", lines(main(expected))))
        .isTrue();
  }

  /** The bindings and the result of a function, one a line; those of branches indented. */
  public static List<String> lines(RelaxFunction function) {
    List<String> lines = new ArrayList<>();
    append(function.body(), "", lines);
    return lines;
  }

  private static void append(SeqExpr seq, String indent, List<String> lines) {
    for (BindingBlock block : seq.blocks()) {
      String inner = indent;
      if (block.isDataflow()) {
        lines.add(indent + "with R.dataflow():");
        inner += "  ";
      }
      for (Binding binding : block.bindings()) {
        lines.add(inner + binding);
        if (binding instanceof VarBinding(var name, If choice)) {
          append(choice.whenTrue(), inner + "  ", lines);
          lines.add(inner + "else:");
          append(choice.whenFalse(), inner + "  ", lines);
        }
      }
    }
    lines.add(indent + "return " + seq.body());
  }
}
