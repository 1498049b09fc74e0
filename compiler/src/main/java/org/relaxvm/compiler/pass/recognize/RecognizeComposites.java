package org.relaxvm.compiler.pass.recognize;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.compiler.rewrite.UseCounts;

/**
 * Replaces composites by the operators that they compute:
 *
 * <ul>
 *   <li>{@code nn.layer_norm} and {@code nn.rms_norm} over trailing axes;
 *   <li>{@code nn.gelu}, {@code nn.gelu_tanh} and {@code nn.silu}, however the product is ordered;
 *   <li>{@code nn.attention} of softmax between two matmuls, with a scale, and masks that are added
 *       or applied by {@code where}; heads of keys and values that are repeated are read where they
 *       are;
 *   <li>a matmul of rows between two reshapes by one of the tensor itself;
 *   <li>a transpose of a transpose by one of both, or none.
 * </ul>
 *
 * <p>What a composite consisted of stays until dead code is eliminated, as it may have other uses.
 * Results may differ by rounding, and where scores that a mask hides are not finite.
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
    /** No composite has more bindings. */
    private static final int MOST_PARTS = 64;

    private final NormComposites norms;
    private final ActivationComposites activations;
    private final AttentionComposites attention;
    private final Transposes transposes;

    private final ProductReshapes products;
    private UseCounts uses = UseCounts.NONE;

    /** Variables by what took their uses over. */
    private final Map<RelaxVar, RelaxVar> renamed = new IdentityHashMap<>();

    Mutator(IRModule module) {
      super(module);
      Composites composites = new Composites(this::lookup, this::hasOneUse, builder.analyzer());
      products = new ProductReshapes(composites);
      norms = new NormComposites(composites);
      activations = new ActivationComposites(composites);
      transposes = new Transposes(composites);
      attention = new AttentionComposites(composites, transposes);
    }

    private boolean hasOneUse(RelaxVar var) {
      return uses.of(renamed.getOrDefault(var, var)) <= 1;
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      uses = UseCounts.in(function);
      return super.rewrite(name, function);
    }

    @Override
    protected void rewrite(Binding binding) {
      if (!(binding instanceof VarBinding(RelaxVar var, Call call))) {
        super.rewrite(binding);
        return;
      }
      Call now = rewriteParts(call);
      Optional<Expr> composite = match(now);
      if (composite.isEmpty()) {
        reEmit((VarBinding) binding, now);
        return;
      }
      Set<String> nodes = new LinkedHashSet<>();
      addSourceNodes(now, FreeVars.of(composite.get()), nodes);
      nodes.addAll(var.sourceNodes());
      builder.setSourceNodes(List.copyOf(nodes));
      RelaxVar named = var.withSourceNodes(builder.sourceNodes());
      if (!named.equals(var)) {
        replace(var, named);
        renamed.put(named, var);
      }
      reEmit(new VarBinding(named, call), builder.normalize(composite.get()));
    }

    /** Adds those of all that leads from the inputs of a composite to an expression. */
    private void addSourceNodes(Expr expr, Set<RelaxVar> inputs, Set<String> nodes) {
      Deque<Expr> open = new ArrayDeque<>(List.of(expr));
      Set<RelaxVar> seen = new HashSet<>(inputs);
      List<RelaxVar> found = new ArrayList<>();
      while (!open.isEmpty() && found.size() < MOST_PARTS) {
        for (RelaxVar part : FreeVars.of(open.remove())) {
          if (seen.add(part)) {
            lookup(part)
                .ifPresent(
                    value -> {
                      found.add(part);
                      open.add(value);
                    });
          }
        }
      }
      found.reversed().forEach(part -> nodes.addAll(part.sourceNodes()));
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
      if (call.callee().equals(Reshapes.RESHAPE)) {
        return products.match(call);
      }
      return call.callee().equals(Orders.PERMUTE_DIMS) ? transposes.match(call) : Optional.empty();
    }
  }
}
