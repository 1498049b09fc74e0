package org.relaxvm.compiler;

import org.relaxvm.compiler.codegen.ProgramBuilder;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.PassPipeline;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.compiler.wellformed.WellFormed;
import org.relaxvm.vmcore.program.Program;

/**
 * Compiles programs in Relax IR for the virtual machine.
 *
 * <pre>{@code
 * Program program = Compiler.compile(module);
 * RvmWriter.write(program, Path.of("model.rvm"));
 * }</pre>
 *
 * <p>The program has bytecode, constants, and kernels that are not scheduled: each device compiles
 * a kernel at its first call, or when the virtual machine is warmed up. Constants are those of the
 * module and must stay open while the program is in use.
 *
 * <p>Stateless; safe for concurrent use.
 */
public final class Compiler {
  private Compiler() {}

  /**
   * Compiles a program.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the module is not well formed, or
   *     has an operator that cannot be lowered, with the function and the binding
   */
  public static Program compile(IRModule module) {
    return compile(module, CompileOptions.DEFAULT);
  }

  /** Compiles a program with options. */
  public static Program compile(IRModule module, CompileOptions options) {
    WellFormed.check(module);
    IRModule lowered = pipeline(options).run(module, options.context(), options.observer());
    String ir = RelaxText.print(module);
    return ProgramBuilder.build(
        lowered,
        options.execMode(),
        metadata -> {
          metadata.ir(ir);
          options.metadata().accept(metadata);
        });
  }

  /** The passes that the options select. */
  public static PassPipeline pipeline(CompileOptions options) {
    PassPipeline passes = StandardPipelines.standard();
    if (!options.fuses()) {
      passes = passes.without("FuseOps").without("FuseTIR");
    }
    if (!options.plansMemory()) {
      passes = passes.without("StaticPlanBlockMemory");
    }
    return options.pipeline().apply(passes);
  }
}
