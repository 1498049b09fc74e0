package org.relaxvm.compiler.pass.lower;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.tir.PrimFunc;

/**
 * Gives each function the name under which it is linked: that in the module, of kernels after the
 * module's attribute {@value #PREFIX}. Source: docs/spec/passes.md, section 14.
 */
public final class AttachGlobalSymbol implements Pass {
  /** The attribute of a module that has what the names of kernels start with. */
  public static final String PREFIX = "system_lib_prefix";

  @Override
  public String name() {
    return "AttachGlobalSymbol";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    String prefix = module.attrs().text(PREFIX).orElse("");
    SequencedMap<GlobalVar, ModuleFunction> named = new LinkedHashMap<>();
    Map<GlobalVar, GlobalVar> renamed = new LinkedHashMap<>();
    module
        .functions()
        .forEach(
            (name, function) -> {
              boolean isKernel = function instanceof KernelFunction;
              GlobalVar symbol = isKernel ? new GlobalVar(prefix + name.name()) : name;
              renamed.put(name, symbol);
              if (named.put(symbol, withSymbol(function, symbol.name())) != null) {
                throw new InvalidProgramException(
                    ErrorKind.VALUE,
                    "two functions would have the name "
                        + symbol.name()
                        + ": a kernel with the prefix '"
                        + prefix
                        + "' and another function; rename one of them");
              }
            });
    IRModule result = module.withFunctions(named);
    return prefix.isEmpty() ? result : new Renaming(result, renamed).run();
  }

  private static ModuleFunction withSymbol(ModuleFunction function, String symbol) {
    return switch (function) {
      case RelaxFunction relax ->
          relax.withAttrs(relax.attrs().with(RelaxFunction.GLOBAL_SYMBOL, symbol));
      case KernelFunction(PrimFunc kernel) -> {
        Map<String, Object> attrs = new LinkedHashMap<>(kernel.attrs());
        attrs.put(RelaxFunction.GLOBAL_SYMBOL, symbol);
        yield new KernelFunction(kernel.withName(symbol).withAttrs(attrs));
      }
      case ExternFunc extern -> extern;
    };
  }

  /** Replaces the old names by the new ones. */
  private static final class Renaming extends ExprMutator {
    private final Map<GlobalVar, GlobalVar> renamed;

    Renaming(IRModule module, Map<GlobalVar, GlobalVar> renamed) {
      super(module);
      this.renamed = renamed;
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      // What a function promises was checked; its body may say less by now.
      RelaxFunction renaming = super.rewrite(name, function);
      return renaming.withBody(renaming.body(), function.resultType());
    }

    @Override
    protected Expr rewrite(Expr expr) {
      return expr instanceof GlobalVar name
          ? renamed.getOrDefault(name, name)
          : super.rewrite(expr);
    }
  }
}
