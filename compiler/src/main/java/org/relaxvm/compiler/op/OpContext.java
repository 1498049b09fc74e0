package org.relaxvm.compiler.op;

import java.util.Optional;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.tir.arith.Analyzer;

/** What rules of operators see of the program around a call. */
public interface OpContext {
  /** Knows that extents are not negative. */
  Analyzer analyzer();

  /** The function of a name; empty when the module has none, or none so far. */
  Optional<ModuleFunction> find(GlobalVar name);

  /** What a variable is bound to, unless by a match_cast; empty for parameters. */
  Optional<Expr> lookup(RelaxVar var);
}
