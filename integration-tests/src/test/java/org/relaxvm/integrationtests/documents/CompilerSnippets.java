package org.relaxvm.integrationtests.documents;

import static org.relaxvm.compiler.dsl.NnOps.relu;
import static org.relaxvm.compiler.dsl.NnOps.softmax;
import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.matmul;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.dsl.ModuleBuilder;
import org.relaxvm.compiler.file.ModuleFile;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.vm.Results;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** The code of {@code docs/compiler.md}, between its markers, as methods that a test runs. */
final class CompilerSnippets {
  private CompilerSnippets() {}

  static ModuleBuilder model(Tensor weight, Tensor bias) {
    // snippet: model
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, Dim.symbol("n"), Dim.of(4));
    Expr hidden = relu(add(matmul(x, constant(weight)), constant(bias)));
    model.output("probabilities", softmax(hidden, -1));
    // end
    return model;
  }

  static float[] compileAndRun(ModuleBuilder model, Path file) {
    // snippet: compile
    Program program = model.build();
    RvmWriter.write(program, file);
    try (VirtualMachine vm = VirtualMachine.builder(Program.load(file)).device("cpu").build();
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, Shape.of(2, 4));
        Results results = vm.function("main").call(Map.of("x", x))) {
      return results.tensor("probabilities").toFloatArray();
    }
    // end
  }

  static String text(ModuleBuilder model, Path file) {
    // snippet: relax-text
    IRModule module = model.module();
    ModuleFile.write(module, file);
    IRModule again = ModuleFile.read(file);
    String text = RelaxText.print(again);
    // end
    return text;
  }

  // snippet: pass
  /** Counts the functions of a module. */
  record CountFunctions(List<Integer> counts) implements Pass {
    @Override
    public String name() {
      return "CountFunctions";
    }

    @Override
    public IRModule run(IRModule module, PassContext context) {
      counts.add(module.functions().size());
      return module;
    }
  }

  // end

  static List<Integer> pipeline(IRModule module) {
    // snippet: pipeline
    List<Integer> counts = new ArrayList<>();
    CompileOptions options =
        CompileOptions.DEFAULT
            .withPipeline(passes -> passes.after("FuseTIR", new CountFunctions(counts)))
            .withObserver(
                (pass, before, after, nanos) ->
                    System.out.printf("%-24s %6d us%n", pass.name(), nanos / 1000));
    Program program = Compiler.compile(module, options);
    // end
    assert !program.modules().isEmpty();
    return counts;
  }

  static IRModule choice() {
    BlockBuilder program = new BlockBuilder();
    // snippet: choice
    program.function(
        "pick",
        pick -> {
          RelaxVar condition = pick.param("condition", TensorType.of(DType.BOOL));
          RelaxVar x = pick.param("x", TensorType.of(DType.FLOAT32, Var.index("n")));
          return pick.choose(condition, () -> relu(x), () -> add(x, x));
        });
    // end
    return program.module();
  }
}
