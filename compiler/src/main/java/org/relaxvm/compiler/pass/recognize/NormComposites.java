package org.relaxvm.compiler.pass.recognize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.tir.expr.PrimExpr;

/** Layer normalization and normalization by the root mean square, over trailing axes. */
final class NormComposites {
  private final Composites composites;

  NormComposites(Composites composites) {
    this.composites = composites;
  }

  /** A value divided by {@code sqrt(mean(squares) + epsilon)}. */
  private record Scaled(Expr value, Expr squares, List<Integer> axes, double epsilon) {}

  /** The layer normalization that a sum {@code normalized * gamma + beta} is. */
  Optional<Expr> matchSum(Call sum) {
    return layerNorm(sum.args().get(0), sum.args().get(1))
        .or(() -> layerNorm(sum.args().get(1), sum.args().get(0)));
  }

  private Optional<Expr> layerNorm(Expr product, Expr beta) {
    return ofRmsNorm(product, beta)
        .or(
            () ->
                composites
                    .call(product, Arithmetic.MULTIPLY)
                    .flatMap(
                        call ->
                            layerNorm(call.args().get(0), call.args().get(1), beta)
                                .or(
                                    () ->
                                        layerNorm(call.args().get(1), call.args().get(0), beta))));
  }

  /** The product before the sum was recognised already. */
  private Optional<Expr> ofRmsNorm(Expr product, Expr beta) {
    Optional<Call> norm = composites.call(product, Norms.RMS_NORM);
    if (norm.isEmpty()) {
      return Optional.empty();
    }
    int ndim = Composites.ndim(norm.get().args().get(0));
    if (ndim < 0) {
      return Optional.empty();
    }
    Attrs attrs = Norms.RMS_NORM.withDefaults(norm.get().attrs());
    List<Integer> axes =
        attrs.integers("axes").orElseThrow().stream()
            .map(axis -> (int) (axis < 0 ? axis + ndim : axis))
            .toList();
    Expr gamma = norm.get().args().get(1);
    double epsilon = attrs.real("epsilon").orElseThrow();
    return centered(norm.get().args().get(0), axes)
        .filter(x -> isParameter(beta, x, axes))
        .map(x -> Norms.layerNorm(x, gamma, beta, axes, epsilon));
  }

  private Optional<Expr> layerNorm(Expr normalized, Expr gamma, Expr beta) {
    return scaled(normalized)
        .flatMap(
            scaled ->
                centered(scaled.value(), scaled.axes())
                    .filter(x -> isSquareOf(scaled.squares(), scaled.value(), x, scaled.axes()))
                    .filter(x -> isParameter(gamma, x, scaled.axes()))
                    .filter(x -> isParameter(beta, x, scaled.axes()))
                    .map(x -> Norms.layerNorm(x, gamma, beta, scaled.axes(), scaled.epsilon())));
  }

  /** The normalization that a product {@code normalized * weight} is. */
  Optional<Expr> matchProduct(Call product) {
    return rmsNorm(product.args().get(0), product.args().get(1))
        .or(() -> rmsNorm(product.args().get(1), product.args().get(0)));
  }

  /** The normalized value may be of float16, and computed in float32. */
  private Optional<Expr> rmsNorm(Expr normalized, Expr weight) {
    return scaled(composites.uncast(normalized))
        .filter(scaled -> isSquare(scaled.squares(), scaled.value()))
        .filter(scaled -> isParameter(weight, scaled.value(), scaled.axes()))
        .flatMap(
            scaled -> {
              Expr x =
                  Composites.dtype(normalized).equals(Composites.dtype(scaled.value()))
                      ? scaled.value()
                      : composites.uncast(scaled.value());
              return Composites.dtype(x).equals(Composites.dtype(normalized))
                      && Composites.dtype(x).equals(Composites.dtype(weight))
                  ? Optional.<Expr>of(Norms.rmsNorm(x, weight, scaled.axes(), scaled.epsilon()))
                  : Optional.empty();
            });
  }

  // ---------------------------------------------------------------- parts

  /** {@code v / sqrt(m)}, {@code v * rsqrt(m)} or {@code v * (1 / sqrt(m))}. */
  private Optional<Scaled> scaled(Expr value) {
    Optional<Call> quotient = composites.call(value, Arithmetic.DIVIDE);
    if (quotient.isPresent()) {
      Expr numerator = quotient.get().args().get(0);
      return composites
          .call(quotient.get().args().get(1), Functions.SQRT)
          .flatMap(root -> scaled(numerator, root.args().getFirst()));
    }
    return composites
        .call(value, Arithmetic.MULTIPLY)
        .flatMap(
            product ->
                byRoot(product.args().get(0), product.args().get(1))
                    .or(() -> byRoot(product.args().get(1), product.args().get(0))));
  }

  private Optional<Scaled> byRoot(Expr value, Expr inverse) {
    Optional<Call> reciprocal = composites.call(inverse, Functions.RSQRT);
    if (reciprocal.isPresent()) {
      return scaled(value, reciprocal.get().args().getFirst());
    }
    return composites
        .call(inverse, Arithmetic.DIVIDE)
        .filter(call -> composites.isNumber(call.args().get(0), Composites.ndim(value), 1))
        .flatMap(call -> composites.call(call.args().get(1), Functions.SQRT))
        .flatMap(root -> scaled(value, root.args().getFirst()));
  }

  private Optional<Scaled> scaled(Expr value, Expr underRoot) {
    return composites
        .call(underRoot, Arithmetic.ADD)
        .flatMap(
            sum ->
                scaled(value, sum.args().get(0), sum.args().get(1))
                    .or(() -> scaled(value, sum.args().get(1), sum.args().get(0))));
  }

  private Optional<Scaled> scaled(Expr value, Expr mean, Expr epsilon) {
    int ndim = Composites.ndim(value);
    OptionalDouble number = composites.number(epsilon, ndim);
    Optional<Call> call = composites.call(mean, Reductions.MEAN);
    Optional<List<Integer>> axes = call.flatMap(m -> trailingAxes(m, ndim));
    return number.isPresent() && axes.isPresent()
        ? Optional.of(
            new Scaled(
                value, call.orElseThrow().args().getFirst(), axes.get(), number.getAsDouble()))
        : Optional.empty();
  }

  /** The axes of a mean that keeps them, if they are the last ones. */
  private static Optional<List<Integer>> trailingAxes(Call mean, int ndim) {
    Optional<List<Long>> given = mean.attrs().integers("axis");
    if (given.isEmpty() || ndim < 0 || !mean.attrs().bool("keepdims").orElse(false)) {
      return Optional.empty();
    }
    List<Integer> axes =
        given.get().stream().map(a -> (int) (a < 0 ? a + ndim : a)).sorted().toList();
    List<Integer> last = IntStream.range(ndim - axes.size(), ndim).boxed().toList();
    return axes.equals(last) ? Optional.of(axes) : Optional.empty();
  }

  /** The {@code x} of {@code x - mean(x)}. */
  private Optional<Expr> centered(Expr value, List<Integer> axes) {
    return composites
        .call(value, Arithmetic.SUBTRACT)
        .filter(
            difference ->
                composites
                    .call(difference.args().get(1), Reductions.MEAN)
                    .filter(
                        mean -> composites.isSame(mean.args().getFirst(), difference.args().get(0)))
                    .flatMap(mean -> trailingAxes(mean, Composites.ndim(value)))
                    .filter(axes::equals)
                    .isPresent())
        .map(difference -> difference.args().get(0));
  }

  /** Whether a value is the square of {@code x - mean(x)}, computed again or not. */
  private boolean isSquareOf(Expr squares, Expr difference, Expr x, List<Integer> axes) {
    return base(squares)
        .filter(
            base ->
                composites.isSame(base, difference)
                    || centered(base, axes).filter(y -> composites.isSame(x, y)).isPresent())
        .isPresent();
  }

  private boolean isSquare(Expr squares, Expr x) {
    return base(squares).filter(base -> composites.isSame(base, x)).isPresent();
  }

  /** What a value is the square of. */
  private Optional<Expr> base(Expr squares) {
    Optional<Call> square = composites.call(squares, Functions.SQUARE);
    if (square.isPresent()) {
      return Optional.of(square.get().args().getFirst());
    }
    Optional<Call> power = composites.call(squares, Arithmetic.POWER);
    if (power.isPresent()) {
      return composites.isNumber(power.get().args().get(1), Composites.ndim(squares), 2)
          ? Optional.of(power.get().args().getFirst())
          : Optional.empty();
    }
    return composites
        .call(squares, Arithmetic.MULTIPLY)
        .filter(product -> composites.isSame(product.args().get(0), product.args().get(1)))
        .map(product -> product.args().getFirst());
  }

  /** Whether a value has the extents of the axes that are normalized. */
  private boolean isParameter(Expr parameter, Expr x, List<Integer> axes) {
    Optional<List<PrimExpr>> dims = Composites.dims(x);
    Optional<List<PrimExpr>> own = Composites.dims(parameter);
    if (dims.isEmpty() || own.isEmpty()) {
      return false;
    }
    List<PrimExpr> wanted = new ArrayList<>();
    axes.forEach(axis -> wanted.add(dims.get().get(axis)));
    return composites.isEqual(own.get(), wanted);
  }
}
