package org.relaxvm.compiler.pass.memory;

import java.util.Set;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.rewrite.LiveVars;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.TypeEquality;

/**
 * Removes other names of variables, so that each value has one name, and bindings without calls
 * that nothing uses. Source: docs/spec/passes.md, section 10.3, first step.
 *
 * <p>CanonicalizeBindings also makes dataflow variables and replaces symbols by known extents, and
 * leaves what nothing uses to DeadCodeElimination, which removes calls too. Here memory is planned:
 * calls write it, and only names may change.
 */
final class TrivialBindings {
  private TrivialBindings() {}

  static IRModule removeFrom(IRModule module) {
    IRModule named = new Renaming(module).run();
    return new Cleaning(named).run();
  }

  /** Replaces other names of variables by the variables. */
  private static final class Renaming extends ExprMutator {
    Renaming(IRModule module) {
      super(module);
    }

    @Override
    protected void rewrite(Binding binding) {
      Expr same =
          switch (binding) {
            case VarBinding(RelaxVar var, RelaxVar value) -> value;
            case VarBinding(RelaxVar var, TupleGetItem item) -> field(item);
            case VarBinding other -> other.var();
            case MatchCast(RelaxVar var, RelaxVar value, Type target)
                when TypeEquality.exact().same(value.type(), target) ->
                value;
            case MatchCast cast -> cast.var();
          };
      if (same instanceof RelaxVar var && !var.equals(binding.var())) {
        replace(binding.var(), current(var));
      } else {
        super.rewrite(binding);
      }
    }

    /** The variable that is a field of a tuple made here; else the item itself. */
    private Expr field(TupleGetItem item) {
      Expr tuple = item.tuple() instanceof RelaxVar var ? lookup(var).orElse(var) : item.tuple();
      return tuple instanceof Tuple(var fields) ? fields.get(item.index()) : item;
    }
  }

  /** Drops what nothing uses. */
  private static final class Cleaning extends ExprMutator {
    private Set<RelaxVar> live = Set.of();

    Cleaning(IRModule module) {
      super(module);
    }

    @Override
    public IRModule run() {
      IRModule start = builder.module();
      start
          .relaxFunctions()
          .forEach(
              (name, function) -> {
                live = LiveVars.of(function, Cleaning::mayGo);
                RelaxFunction clean = rewrite(name, function);
                builder.put(name, clean);
              });
      return builder.module();
    }

    @Override
    protected void rewrite(Binding binding) {
      boolean isDead =
          binding instanceof VarBinding(RelaxVar var, Expr value)
              && mayGo(value)
              && !live.contains(var);
      if (!isDead) {
        super.rewrite(binding);
      }
    }

    private static boolean mayGo(Expr value) {
      return value.isLeaf() || value instanceof TupleGetItem;
    }
  }
}
