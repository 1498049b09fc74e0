package org.relaxvm.compiler.pass.fold;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;

/**
 * Folds constant scales and shifts per channel, such as those of batch normalization in inference,
 * into the constant weights of the convolution, transposed convolution or matmul before them.
 * Shifts are summed to one bias.
 *
 * <p>All is of float32, or all of float64; scales are multiplied in float64 and rounded once. Other
 * dtypes stay: their weights might overflow. So do weights of more than 2^24 elements, which would
 * be copied, results that have another use, and scales, shifts and divisors that are not finite.
 * Results may differ by rounding.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why are scales folded into weights by numbers, not by
 * operators?"
 */
public record FoldScaleAxis() implements Pass {
  @Override
  public String name() {
    return "FoldScaleAxis";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Mutator(module).run();
  }

  private static final class Mutator extends ExprMutator {
    private Map<RelaxVar, AffineForm> forms = Map.of();

    Mutator(IRModule module) {
      super(module);
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      forms = AffineForms.in(function);
      return super.rewrite(name, function);
    }

    @Override
    protected void rewrite(Binding binding) {
      AffineForm form = forms.get(binding.var());
      if (form != null && binding instanceof VarBinding simple) {
        reEmit(simple, folded(form));
      } else {
        super.rewrite(binding);
      }
    }

    private Expr folded(AffineForm form) {
      ChannelProduct product = form.product();
      Call call = rewriteParts(product.call());
      List<Expr> args = new ArrayList<>(call.args());
      args.set(1, new Constant(form.weights(), product.weights().tensorType().vdevice()));
      Expr scaled = call.withArgs(args);
      return form.shift().isEmpty()
          ? scaled
          : Arithmetic.add(
              builder.emit(scaled),
              new Constant(form.bias(), product.weights().tensorType().vdevice()));
    }
  }
}
