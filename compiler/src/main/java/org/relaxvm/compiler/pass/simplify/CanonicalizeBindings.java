package org.relaxvm.compiler.pass.simplify;

import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.TypeEquality;

/**
 * Brings programs into the form that says each thing once: no variable that only stands for
 * another, no field of a tuple that is known, no symbolic variable for an extent that is known, and
 * variables that are not seen outside of their dataflow block are {@link
 * org.relaxvm.compiler.ir.DataflowVar}s.
 *
 * <p>Source: docs/spec/passes.md, section 17.
 */
public record CanonicalizeBindings() implements Pass {
  @Override
  public String name() {
    return "CanonicalizeBindings";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Renaming(new KnownSymbols(module).run()).run();
  }

  private static final class Renaming extends ExprMutator {
    private BindingPlan plan = BindingPlan.none();

    Renaming(IRModule module) {
      super(module);
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      plan = BindingPlan.of(function);
      return super.rewrite(name, function);
    }

    @Override
    protected void rewrite(Binding binding) {
      RelaxVar var = binding.var();
      if (plan.isTrivial(var)) {
        return;
      }
      RelaxVar renamed = plan.renamed(var);
      switch (binding) {
        case VarBinding(RelaxVar v, RelaxFunction function) -> {
          // The function may call itself by the new name.
          rename(var, renamed);
          emit(binding, renamed, rewriteLocal(var, function));
        }
        case VarBinding simple -> emit(binding, renamed, rewrite(plan.value(simple)));
        case MatchCast cast -> {
          Expr value = rewriteArgument(cast.value());
          Type target = rewriteType(cast.target());
          RelaxVar now = sameType(renamed, target) ? renamed : renamed.renewed(target);
          builder.emitNormalized(new MatchCast(now, value, target));
          rename(var, now);
        }
      }
    }

    private void emit(Binding old, RelaxVar renamed, Expr value) {
      boolean same = value.equals(old.value());
      Expr normal = same ? value : builder.normalize(value);
      boolean keeps = same || sameType(renamed, normal.type());
      RelaxVar now = keeps ? renamed : renamed.renewed(normal.type());
      builder.emitNormalized(new VarBinding(now, normal));
      rename(old.var(), now);
    }

    private static boolean sameType(RelaxVar var, Type type) {
      return TypeEquality.exact().same(var.type(), type);
    }

    @SuppressWarnings("ReferenceEquality") // of variables that is equality
    private void rename(RelaxVar old, RelaxVar now) {
      if (old != now) {
        replace(old, now);
      }
    }

    @Override
    protected Expr rewrite(Expr expr) {
      return expr instanceof RelaxVar var && !plan.leaf(var).equals(var)
          ? super.rewrite(plan.leaf(var))
          : super.rewrite(expr);
    }
  }
}
