package org.relaxvm.compiler.pass.simplify;

import java.util.SequencedSet;
import java.util.stream.Collectors;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.tir.expr.Var;

/** Checks of passes that specialize functions. */
final class SymbolChecks {
  private SymbolChecks() {}

  /** A function over tensors of a module. */
  static RelaxFunction requireRelax(IRModule module, GlobalVar name) {
    if (module.require(name) instanceof RelaxFunction function) {
      return function;
    }
    throw new InvalidProgramException(
        ErrorKind.VALUE,
        "the function "
            + name.name()
            + " is a kernel or a packed function, and only functions in Relax IR can be"
            + " specialized; there are "
            + module.relaxFunctions().keySet().stream().map(GlobalVar::name).toList());
  }

  /** Checks that a function mentions no symbolic variable that nothing in it says any more. */
  static void requireDefined(GlobalVar name, RelaxFunction before, RelaxFunction after) {
    SequencedSet<Var> undefined = FreeVars.symbolsOf(after);
    undefined.removeAll(FreeVars.symbolsOf(before));
    if (!undefined.isEmpty()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the function "
              + name.name()
              + " would use "
              + undefined.stream().map(Var::name).collect(Collectors.joining(", "))
              + ", which no parameter and no match_cast says any more\n"
              + "  what to do: bind it to a value as well");
    }
  }
}
