package org.relaxvm.compiler.pass.recognize;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.elementwise.Activations;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.elementwise.Functions;

/** GELU in all its spellings, its approximation, and SiLU. */
final class ActivationComposites {
  private static final double CUBE_FACTOR = 0.044715;

  private final Composites composites;

  ActivationComposites(Composites composites) {
    this.composites = composites;
  }

  /** The activation that a product is. */
  Optional<Expr> match(Call product) {
    int ndim = Composites.ndim(product);
    if (ndim < 0) {
      return Optional.empty();
    }
    Factors factors = Factors.of(product, ndim, composites);
    if (factors.tensors().size() != 2) {
      return Optional.empty();
    }
    Expr a = factors.tensors().get(0);
    Expr b = factors.tensors().get(1);
    return match(a, b, factors.number(), ndim).or(() -> match(b, a, factors.number(), ndim));
  }

  private Optional<Expr> match(Expr x, Expr gate, double number, int ndim) {
    Optional<Call> sigmoid = composites.call(gate, Functions.SIGMOID);
    if (sigmoid.isPresent() && number == 1 && isArgument(sigmoid.get(), x)) {
      return Optional.of(Activations.silu(x));
    }
    Optional<Expr> error = half(gate, number, ndim, Functions.ERF);
    if (error.filter(u -> isScaled(u, x, Math.sqrt(0.5), ndim)).isPresent()) {
      return Optional.of(Activations.gelu(x));
    }
    Optional<Expr> tangent = half(gate, number, ndim, Functions.TANH);
    return tangent.filter(u -> isCubic(u, x, ndim)).isPresent()
        ? Optional.of(Activations.geluTanh(x))
        : Optional.empty();
  }

  private boolean isArgument(Call call, Expr x) {
    return composites.isSame(call.args().getFirst(), x);
  }

  /** The {@code u} of {@code 0.5 * (1 + f(u))}, whether the factor is inside or outside. */
  private Optional<Expr> half(Expr gate, double number, int ndim, OpDef function) {
    return composites
        .call(gate, Arithmetic.ADD)
        .flatMap(
            sum ->
                half(sum.args().get(0), sum.args().get(1), number, ndim, function)
                    .or(() -> half(sum.args().get(1), sum.args().get(0), number, ndim, function)));
  }

  private Optional<Expr> half(Expr one, Expr value, double number, int ndim, OpDef function) {
    Factors factors = Factors.of(value, ndim, composites);
    boolean isHalf =
        composites.isNumber(one, ndim, factors.number())
            && Composites.isNear(number * factors.number(), 0.5);
    return isHalf
        ? factors.single().flatMap(f -> composites.call(f, function)).map(f -> f.args().getFirst())
        : Optional.empty();
  }

  private boolean isScaled(Expr u, Expr x, double scale, int ndim) {
    Factors factors = Factors.of(u, ndim, composites);
    return Composites.isNear(factors.number(), scale)
        && factors.single().filter(factor -> composites.isSame(factor, x)).isPresent();
  }

  /** Whether {@code u} is {@code sqrt(2 / pi) * (x + 0.044715 * x^3)}. */
  private boolean isCubic(Expr u, Expr x, int ndim) {
    Factors factors = Factors.of(u, ndim, composites);
    if (!Composites.isNear(factors.number(), Math.sqrt(2 / Math.PI))) {
      return false;
    }
    if (factors.tensors().size() == 2) {
      // x * (1 + 0.044715 * x^2)
      return isProductForm(factors.tensors().get(0), factors.tensors().get(1), x, ndim)
          || isProductForm(factors.tensors().get(1), factors.tensors().get(0), x, ndim);
    }
    Optional<Call> sum = factors.single().flatMap(f -> composites.call(f, Arithmetic.ADD));
    return sum.isPresent()
        && (isSum(sum.get().args().get(0), sum.get().args().get(1), x, ndim)
            || isSum(sum.get().args().get(1), sum.get().args().get(0), x, ndim));
  }

  private boolean isSum(Expr linear, Expr cube, Expr x, int ndim) {
    return composites.isSame(linear, x) && isPower(cube, x, 3, ndim);
  }

  private boolean isProductForm(Expr factor, Expr sum, Expr x, int ndim) {
    Optional<Call> call = composites.call(sum, Arithmetic.ADD);
    if (!composites.isSame(factor, x) || call.isEmpty()) {
      return false;
    }
    List<Expr> terms = call.get().args();
    return (composites.isNumber(terms.get(0), ndim, 1) && isPower(terms.get(1), x, 2, ndim))
        || (composites.isNumber(terms.get(1), ndim, 1) && isPower(terms.get(0), x, 2, ndim));
  }

  /** Whether a value is {@code 0.044715 * x^n}. */
  private boolean isPower(Expr value, Expr x, int exponent, int ndim) {
    Factors factors = Factors.of(value, ndim, composites);
    if (!Composites.isNear(factors.number(), CUBE_FACTOR)) {
      return false;
    }
    int found = 0;
    for (Expr factor : factors.tensors()) {
      Optional<Call> power = composites.call(factor, Arithmetic.POWER);
      Optional<Call> square = composites.call(factor, Functions.SQUARE);
      if (composites.isSame(factor, x)) {
        found++;
      } else if (square.isPresent() && isArgument(square.get(), x)) {
        found += 2;
      } else if (power.isPresent()
          && isArgument(power.get(), x)
          && composites.isNumber(power.get().args().get(1), ndim, exponent)) {
        found += exponent;
      } else {
        return false;
      }
    }
    return found == exponent;
  }
}
