package org.relaxvm.compiler.pass.lower;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;

/**
 * Ends the rules about effects: pure functions say so by {@value RelaxFunction#FORCE_PURE}, and
 * calls that were declared to be pure become plain ones.
 *
 * <p>Expects that no dataflow blocks are left. Source: docs/spec/passes.md, section 8.
 */
public final class RemovePurityChecking implements Pass {
  @Override
  public String name() {
    return "RemovePurityChecking";
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
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      return marked(super.rewrite(name, function));
    }

    @Override
    protected RelaxFunction rewriteLocal(@Nullable RelaxVar var, RelaxFunction function) {
      return marked(super.rewriteLocal(var, function));
    }

    private static RelaxFunction marked(RelaxFunction function) {
      return function.isPure()
          ? function.withAttrs(function.attrs().with(RelaxFunction.FORCE_PURE, true))
          : function;
    }

    @Override
    protected Expr rewrite(Call call) {
      Call typed = rewriteParts(call);
      List<Expr> args = typed.args();
      if (typed.callee().equals(CallOps.CALL_PURE_PACKED)) {
        return plain(typed, typed.attrs());
      }
      if (typed.callee().equals(CallOps.CALL_INPLACE_PACKED)) {
        return plain(typed, Attrs.NONE);
      }
      if (typed.callee().equals(CallOps.INVOKE_PURE_CLOSURE)) {
        return Call.of(CallOps.INVOKE_CLOSURE, args, typed.attrs(), typed.typeArgs());
      }
      return typed;
    }

    private static Call plain(Call call, Attrs attrs) {
      List<Expr> args = call.args();
      return Call.of(args.getFirst(), args.subList(1, args.size()), attrs, call.typeArgs());
    }
  }
}
