package org.relaxvm.compiler.pass.lower;

import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.Type;

/**
 * Makes dataflow blocks ordinary ones, and their variables too. Source: docs/spec/passes.md,
 * section 8.
 */
public final class ToNonDataflow implements Pass {
  @Override
  public String name() {
    return "ToNonDataflow";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Rewriter(module).run();
  }

  private static final class Rewriter extends ExprMutator {
    Rewriter(IRModule module) {
      super(module);
    }

    @Override
    protected void rewrite(BindingBlock block) {
      builder.beginBlock(false);
      block.bindings().forEach(this::rewrite);
      builder.endBlock();
    }

    @Override
    protected void rewrite(Binding binding) {
      if (!(binding.var() instanceof DataflowVar old)) {
        super.rewrite(binding);
        return;
      }
      switch (binding) {
        case VarBinding(RelaxVar var, Expr value) -> {
          Expr normal =
              builder.normalize(
                  value instanceof RelaxFunction local ? rewriteLocal(var, local) : rewrite(value));
          RelaxVar plain = new RelaxVar(old.name(), normal.type(), old.sourceNodes());
          builder.emitNormalized(new VarBinding(plain, normal));
          replace(old, plain);
        }
        case MatchCast cast -> {
          Type target = rewriteType(cast.target());
          RelaxVar plain = new RelaxVar(old.name(), target, old.sourceNodes());
          builder.emitNormalized(new MatchCast(plain, rewriteArgument(cast.value()), target));
          replace(old, plain);
        }
      }
    }
  }
}
