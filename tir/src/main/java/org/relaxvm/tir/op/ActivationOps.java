package org.relaxvm.tir.op;

import java.util.List;
import java.util.function.UnaryOperator;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Activations; results have the shape and dtype of {@code x}. float16 and bfloat16 are computed in
 * float32 and rounded once.
 */
public final class ActivationOps {
  private ActivationOps() {}

  /** {@code max(x, 0)}; NaN stays NaN. */
  public static TensorExpr relu(KernelBuilder k, String name, TensorExpr x) {
    Check.numbers("relu", x);
    return UnaryOps.each(k, name, x, v -> Exprs.max(v, Arith.like(v, 0)));
  }

  /** {@code 1 / (1 + exp(-x))}. */
  public static TensorExpr sigmoid(KernelBuilder k, String name, TensorExpr x) {
    return wide(k, name, "sigmoid", x, v -> Exprs.call(Intrinsic.SIGMOID, v));
  }

  /** {@code x * sigmoid(x)}. */
  public static TensorExpr silu(KernelBuilder k, String name, TensorExpr x) {
    return wide(k, name, "silu", x, v -> Exprs.mul(v, Exprs.call(Intrinsic.SIGMOID, v)));
  }

  /** {@code x * (0.5 + erf(x * sqrt(0.5)) * 0.5)}. */
  public static TensorExpr gelu(KernelBuilder k, String name, TensorExpr x) {
    return wide(k, name, "gelu", x, ActivationOps::geluOf);
  }

  private static PrimExpr geluOf(PrimExpr x) {
    PrimExpr half = Arith.like(x, 0.5);
    PrimExpr erf = Exprs.call(Intrinsic.ERF, Exprs.mul(x, Arith.like(x, Math.sqrt(0.5))));
    return Exprs.mul(x, Exprs.add(half, Exprs.mul(erf, half)));
  }

  /** {@code 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))}. */
  public static TensorExpr geluTanh(KernelBuilder k, String name, TensorExpr x) {
    return wide(k, name, "gelu_tanh", x, ActivationOps::geluTanhOf);
  }

  private static PrimExpr geluTanhOf(PrimExpr x) {
    PrimExpr cube = Exprs.mul(Exprs.mul(x, x), x);
    PrimExpr inner = Exprs.add(x, Exprs.mul(Arith.like(x, 0.044715), cube));
    PrimExpr tanh =
        Exprs.call(Intrinsic.TANH, Exprs.mul(Arith.like(x, Math.sqrt(2 / Math.PI)), inner));
    return Exprs.mul(Exprs.mul(Arith.like(x, 0.5), x), Exprs.add(Arith.like(x, 1), tanh));
  }

  /** {@code 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * (exp(x) - 1))}. */
  public static TensorExpr selu(KernelBuilder k, String name, TensorExpr x) {
    return wide(
        k,
        name,
        "selu",
        x,
        v ->
            Exprs.mul(
                Arith.like(v, 1.0507009873554805),
                Exprs.select(
                    Arith.gt(v, Arith.like(v, 0)),
                    v,
                    Exprs.mul(
                        Arith.like(v, 1.6732632423543772),
                        Exprs.sub(Arith.exp(v), Arith.like(v, 1))))));
  }

  /** {@code x > 0 ? x : alpha * x}. */
  public static TensorExpr leakyRelu(KernelBuilder k, String name, TensorExpr x, double alpha) {
    return wide(k, name, "leaky_relu", x, v -> slope(v, Arith.like(v, alpha)));
  }

  /**
   * {@code x > 0 ? x : alpha[c] * x} with the position {@code c} along an axis.
   *
   * @param alpha of rank 1; one element counts for all
   */
  public static TensorExpr prelu(
      KernelBuilder k, String name, TensorExpr x, TensorExpr alpha, int axis) {
    Check.floats("prelu", x);
    Check.sameDType("prelu", x, alpha);
    Check.rank("prelu", alpha, 1);
    int channel = Check.axis("prelu", axis, x.shape().size());
    boolean shared = Dims.isOne(alpha.shape().getFirst());
    if (!shared) {
      Dims.requireSame(
          "prelu",
          x.shape().get(channel),
          alpha.shape().getFirst(),
          "the extents of axis " + channel + " and " + alpha.name());
    }
    return k.compute(
        name,
        x.shape(),
        i -> {
          List<PrimExpr> index = List.of(i.get(channel));
          PrimExpr value = slope(Arith.widened(x.at(i)), Arith.widened(Dims.at(alpha, index)));
          return Exprs.cast(x.dtype(), value);
        });
  }

  private static PrimExpr slope(PrimExpr x, PrimExpr alpha) {
    return Exprs.select(Arith.gt(x, Arith.like(x, 0)), x, Exprs.mul(alpha, x));
  }

  /** {@code beta * x > threshold ? x : log(1 + exp(beta * x)) / beta}. */
  public static TensorExpr softplus(
      KernelBuilder k, String name, TensorExpr x, double beta, double threshold) {
    Check.that(beta != 0, "softplus", "beta must not be 0");
    return wide(
        k,
        name,
        "softplus",
        x,
        v -> {
          PrimExpr scaled = Exprs.mul(v, Arith.like(v, beta));
          PrimExpr log = Arith.log(Exprs.add(Arith.like(v, 1), Arith.exp(scaled)));
          return Exprs.select(
              Arith.gt(scaled, Arith.like(v, threshold)), v, Arith.div(log, Arith.like(v, beta)));
        });
  }

  private static TensorExpr wide(
      KernelBuilder k, String name, String op, TensorExpr x, UnaryOperator<PrimExpr> function) {
    Check.floats(op, x);
    return UnaryOps.each(k, name, x, v -> Exprs.cast(x.dtype(), function.apply(Arith.widened(v))));
  }
}
