package org.relaxvm.compiler.pass.recognize;

import java.util.Optional;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;

/**
 * Replaces composites by the operators that they compute:
 *
 * <ul>
 *   <li>{@code nn.layer_norm} and {@code nn.rms_norm} over trailing axes;
 *   <li>{@code nn.gelu}, {@code nn.gelu_tanh} and {@code nn.silu}, however the product is ordered;
 *   <li>{@code nn.attention} of softmax between two matmuls, with a scale and a mask;
 *   <li>a transpose of a transpose by one of both, or none.
 * </ul>
 *
 * <p>What a composite consisted of stays until dead code is eliminated, as it may have other uses.
 * Results may differ by rounding.
 */
public record RecognizeComposites() implements Pass {
  @Override
  public String name() {
    return "RecognizeComposites";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Mutator(module).run();
  }

  private static final class Mutator extends ExprMutator {
    private final NormComposites norms;
    private final ActivationComposites activations;
    private final AttentionComposites attention;

    Mutator(IRModule module) {
      super(module);
      Composites composites = new Composites(this::lookup, builder.analyzer());
      norms = new NormComposites(composites);
      activations = new ActivationComposites(composites);
      attention = new AttentionComposites(composites);
    }

    @Override
    protected Expr rewrite(Call call) {
      Call now = rewriteParts(call);
      return match(now).map(builder::normalize).orElse(now);
    }

    private Optional<Expr> match(Call call) {
      if (call.callee().equals(Arithmetic.ADD)) {
        return norms.matchSum(call);
      }
      if (call.callee().equals(Arithmetic.MULTIPLY)) {
        return activations.match(call).or(() -> norms.matchProduct(call));
      }
      if (call.callee().equals(Arithmetic.DIVIDE)) {
        return activations.match(call);
      }
      if (call.callee().equals(Linear.MATMUL)) {
        return attention.match(call);
      }
      return call.callee().equals(Orders.PERMUTE_DIMS)
          ? attention.matchTranspose(call)
          : Optional.empty();
    }
  }
}
