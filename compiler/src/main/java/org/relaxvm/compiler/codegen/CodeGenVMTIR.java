package org.relaxvm.compiler.codegen;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.SourceNodes;

/**
 * Makes compiled functions of a program that went through all passes: the control flow and the
 * calls of each function over tensors are a host function in the kernel IR, which works on the
 * registers, constants and functions of the executable.
 *
 * <p>Stateless; safe for concurrent use. Source: docs/spec/vm-codegen.md, section 5.
 */
final class CodeGenVMTIR {
  private CodeGenVMTIR() {}

  /**
   * An executable without instructions, and the kernels of the module with a host function for each
   * function over tensors.
   *
   * @throws InvalidProgramException as {@link CodeGenVM#generate}, and where a kernel has the name
   *     of a host function
   */
  static VmCode generate(IRModule module) {
    ExecBuilder builder = new ExecBuilder();
    List<PrimFunc> functions = new ArrayList<>();
    module
        .relaxFunctions()
        .forEach((name, each) -> functions.add(emit(module, name, each, builder)));
    module.kernels().values().stream().map(KernelFunction::kernel).forEach(functions::add);
    return new VmCode(builder.get(), functions, SourceNodes.NONE);
  }

  private static PrimFunc emit(
      IRModule module, GlobalVar name, RelaxFunction function, ExecBuilder builder) {
    String symbol = CodeGenVM.symbolOf(name, function);
    String body = FunctionKind.COMPILED_PREFIX + symbol;
    if (module.find(new GlobalVar(body)).isPresent()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the program has a function "
              + body
              + ", which is the name of the compiled body of "
              + symbol
              + "\n  what to do: give one of them another name, or compile to bytecode");
    }
    List<String> names = function.params().stream().map(RelaxVar::name).toList();
    try {
      HostFunctionCode code = new HostFunctionCode(module, builder, name, function);
      PrimFunc host = code.emit(body, function.body());
      builder.compiledFunction(symbol, names.size(), names, code.registers());
      return host;
    } catch (InvalidProgramException e) {
      e.addLocation("function " + name.name());
      throw e;
    }
  }
}
