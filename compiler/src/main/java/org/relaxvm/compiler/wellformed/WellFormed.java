package org.relaxvm.compiler.wellformed;

import java.util.IdentityHashMap;
import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.tir.expr.Var;

/** Checks whole programs. Source: docs/spec/relax-ir.md, section 10. */
public final class WellFormed {
  private WellFormed() {}

  /** Whether a module keeps all rules. */
  public static boolean isWellFormed(IRModule module) {
    try {
      check(module);
      return true;
    } catch (InvalidProgramException e) {
      return false;
    }
  }

  /**
   * Checks a module.
   *
   * @throws InvalidProgramException for the first violation of a rule, with the function, the
   *     binding, and the bindings around that
   */
  public static void check(IRModule module) {
    Map<RelaxVar, String> vars = new IdentityHashMap<>();
    Map<Var, String> symbols = new IdentityHashMap<>();
    module
        .functions()
        .forEach(
            (name, function) -> {
              switch (function) {
                case RelaxFunction relax -> {
                  requireSymbol(name, relax.attrs().values());
                  new NormalFormCheck(name).visit(relax);
                  new VariableCheck(name, vars).visit(relax);
                  new SymbolCheck(name, symbols).visit(relax);
                  new TypeCheck(name, module).visit(relax);
                  new EffectCheck(name, module).visit(relax);
                }
                case KernelFunction(var kernel) -> requireSymbol(name, kernel.attrs());
                case ExternFunc extern -> {}
              }
            });
  }

  /** WF-03. */
  private static void requireSymbol(GlobalVar name, Map<String, ?> attrs) {
    Object symbol = attrs.getOrDefault(RelaxFunction.GLOBAL_SYMBOL, null);
    if (symbol != null && !symbol.equals(name.name())) {
      InvalidProgramException wrong =
          new InvalidProgramException(
              ErrorKind.VALUE,
              "the function "
                  + name.name()
                  + " is public as "
                  + symbol
                  + "; expected the attribute "
                  + RelaxFunction.GLOBAL_SYMBOL
                  + " to be "
                  + name.name());
      wrong.addLocation("function " + name.name());
      throw wrong;
    }
  }
}
