package org.relaxvm.compiler.pass.fuse;

import java.util.LinkedHashMap;
import java.util.Map;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.OpPatterns;

/**
 * Annotates each kernel with how its outputs depend on its inputs, by looking at its indices.
 * Source: docs/spec/passes.md, section 3.
 */
public record AnnotateTIROpPattern() implements Pass {

  @Override
  public String name() {
    return "AnnotateTIROpPattern";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    Map<GlobalVar, ModuleFunction> functions = new LinkedHashMap<>(module.functions());
    functions.replaceAll(
        (name, function) ->
            function instanceof KernelFunction(PrimFunc kernel)
                ? new KernelFunction(OpPatterns.annotated(kernel))
                : function);
    return module.withFunctions(functions);
  }
}
