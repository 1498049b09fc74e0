package org.relaxvm.compiler.pass.simplify;

import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.check.TypeEquality;

/**
 * Puts programs into normal form: parts of expressions are leaves, and all have types. Source:
 * docs/spec/passes.md, section 19; docs/spec/relax-ir.md, section 7.
 */
public record Normalize() implements Pass {
  @Override
  public String name() {
    return "Normalize";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Normalization(module).run();
  }

  private static final class Normalization extends ExprMutator {
    Normalization(IRModule module) {
      super(module);
    }

    @Override
    protected void rewrite(Binding binding) {
      if (!(binding instanceof VarBinding(RelaxVar var, Expr value))
          || value instanceof RelaxFunction) {
        super.rewrite(binding);
        return;
      }
      Expr normal = builder.normalize(rewrite(value));
      boolean same = TypeEquality.exact().same(var.type(), normal.type());
      RelaxVar now = same ? var : var.renewed(normal.type());
      builder.emitNormalized(new VarBinding(now, normal));
      if (!same) {
        replace(var, now);
      }
    }

    /** Bindings of a sequence that is a value go in front of the variable that it gives. */
    @Override
    protected Expr rewrite(Expr expr) {
      if (!(expr instanceof SeqExpr seq)) {
        return super.rewrite(expr);
      }
      boolean isDataflow = builder.isDataflow();
      for (BindingBlock block : seq.blocks()) {
        if (isDataflow && !block.isDataflow()) {
          // An error, which the builder tells.
          return builder.normalize(seq);
        }
        builder.endBlock();
        rewrite(block);
        builder.beginBlock(isDataflow);
      }
      return rewrite(seq.body());
    }
  }
}
