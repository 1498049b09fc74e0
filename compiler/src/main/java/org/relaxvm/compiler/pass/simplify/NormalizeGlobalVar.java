package org.relaxvm.compiler.pass.simplify;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.GlobalNames;
import org.relaxvm.tir.PrimFunc;

/**
 * Gives public functions the names by which they are seen outside. A private function whose name
 * one of them has gets another one.
 *
 * <p>Source: docs/spec/passes.md, section 19.
 */
public record NormalizeGlobalVar() implements Pass {
  @Override
  public String name() {
    return "NormalizeGlobalVar";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    Map<GlobalVar, GlobalVar> names = new LinkedHashMap<>();
    Map<String, GlobalVar> symbols = new LinkedHashMap<>();
    module
        .functions()
        .forEach(
            (name, function) ->
                symbol(function)
                    .ifPresent(
                        symbol -> {
                          GlobalVar other = symbols.put(symbol, name);
                          if (other != null) {
                            throw new InvalidProgramException(
                                ErrorKind.VALUE,
                                "the functions "
                                    + other.name()
                                    + " and "
                                    + name.name()
                                    + " both have the global_symbol "
                                    + symbol
                                    + "\n  what to do: give each another one, for it is the"
                                    + " name that programs call it by");
                          }
                          names.put(name, new GlobalVar(symbol));
                        }));
    Set<String> taken = new HashSet<>(symbols.keySet());
    module.functions().keySet().forEach(name -> taken.add(name.name()));
    for (GlobalVar name : module.functions().keySet()) {
      if (!names.containsKey(name) && symbols.containsKey(name.name())) {
        int number = 1;
        while (!taken.add(name.name() + number)) {
          number++;
        }
        names.put(name, new GlobalVar(name.name() + number));
      }
    }
    return GlobalNames.rename(module, names);
  }

  private static Optional<String> symbol(ModuleFunction function) {
    return switch (function) {
      case RelaxFunction relax -> relax.attrs().text(RelaxFunction.GLOBAL_SYMBOL);
      case KernelFunction(PrimFunc kernel) ->
          Optional.ofNullable(kernel.attrs().get(RelaxFunction.GLOBAL_SYMBOL)).map(String::valueOf);
      case ExternFunc extern -> Optional.empty();
    };
  }
}
