package org.relaxvm.compiler.pass.quantize;

import java.util.Optional;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;

/**
 * Replaces matrix products and convolutions of quantized operands by products of integers of 8 bits
 * with sums of 32 bits. Operands are results of {@code dequantize}, or int32 differences of
 * integers of 8 bits and zero points. Zero points become sums of rows, columns and windows, of
 * which those of constants are folded.
 *
 * <p>Sums of integers are exact; so the result differs from that of floats by their rounding. What
 * might overflow stays: sums of dequantized operands over more than 33,025 products, or over an
 * unknown number of them. Other products stay, too: with scales along the summed axis, of data
 * around which there is a zero point that is not known, and dequantized convolutions of single
 * channels.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why are products of quantized operands found by a
 * pass?"
 */
public record IntegerProducts() implements Pass {
  @Override
  public String name() {
    return "IntegerProducts";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Mutator(module).run();
  }

  private static final class Mutator extends ExprMutator {
    private final ProductTerms terms;

    Mutator(IRModule module) {
      super(module);
      this.terms = new ProductTerms(builder, this::lookup);
    }

    @Override
    protected Expr rewrite(Call call) {
      Call now = rewriteParts(call);
      Optional<Expr> product = Optional.empty();
      if (now.callee().equals(Linear.MATMUL)) {
        product = MatrixProduct.of(now, terms);
      } else if (Convolution.isOne(now)) {
        product = Convolution.of(now, terms);
      }
      return product.orElse(now);
    }
  }
}
