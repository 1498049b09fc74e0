package org.relaxvm.compiler.codegen;

import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.SourceNodes;

/**
 * Makes bytecode of a program that went through all passes: the parameters of a function are its
 * first registers, each value of a call gets a register of its own. A call of a function of itself
 * whose result it returns becomes a jump back.
 *
 * <p>Stateless; safe for concurrent use. Source: docs/spec/vm-codegen.md, sections 2 to 4.
 */
public final class CodeGenVM {
  private CodeGenVM() {}

  /**
   * Bytecode of all functions over tensors, in the order of the module.
   *
   * @throws InvalidProgramException when something is left for which the VM has no instruction, or
   *     a function has no name, with what to run first; and where {@link ExecBuilder#get} says so
   */
  public static VmCode generate(IRModule module) {
    ExecBuilder builder = new ExecBuilder();
    SourceNodes.Builder nodes = new SourceNodes.Builder();
    module
        .relaxFunctions()
        .forEach((name, function) -> emit(module, name, function, builder, nodes));
    return new VmCode(
        builder.get(),
        module.kernels().values().stream().map(KernelFunction::kernel).toList(),
        nodes.build());
  }

  private static void emit(
      IRModule module,
      GlobalVar name,
      RelaxFunction function,
      ExecBuilder builder,
      SourceNodes.Builder nodes) {
    String symbol = symbolOf(name, function);
    List<String> names = function.params().stream().map(RelaxVar::name).toList();
    try {
      builder.emitFunction(symbol, names.size(), names);
      new FunctionCode(module, builder, nodes, name, function).emitBody(function.body());
    } catch (InvalidProgramException e) {
      e.addLocation("function " + name.name());
      throw e;
    }
    builder.endFunction(symbol);
  }

  /** The name of a function in the executable. */
  static String symbolOf(GlobalVar name, RelaxFunction function) {
    return function
        .attrs()
        .text(RelaxFunction.GLOBAL_SYMBOL)
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    "the function "
                        + name.name()
                        + " has no "
                        + RelaxFunction.GLOBAL_SYMBOL
                        + ", the name under which it is linked; run AttachGlobalSymbol first"));
  }
}
