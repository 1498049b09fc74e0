package org.relaxvm.compiler.op.elementwise;

import java.util.List;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.op.ActivationOps;

/**
 * Activations; results have the shape and dtype of the tensor, which are floats where nothing else
 * is said. Source: docs/spec/op-set.md, sections 2.1 and 3.3.
 */
public final class Activations {
  /** {@code max(x, 0)}; numbers. */
  public static final OpDef RELU =
      UnaryDef.of("nn.relu", "relu", UnaryDef.numbers(), ActivationOps::relu);

  /** {@code x * (0.5 + erf(x * sqrt(0.5)) * 0.5)}. */
  public static final OpDef GELU =
      UnaryDef.of("nn.gelu", "gelu", UnaryDef.floats(), ActivationOps::gelu);

  /** The approximation of {@link #GELU} by {@code tanh}. */
  public static final OpDef GELU_TANH =
      UnaryDef.of("nn.gelu_tanh", "gelu_tanh", UnaryDef.floats(), ActivationOps::geluTanh);

  /** {@code x * sigmoid(x)}. */
  public static final OpDef SILU =
      UnaryDef.of("nn.silu", "silu", UnaryDef.floats(), ActivationOps::silu);

  /** A scaled exponential below 0, a scaled line above. */
  public static final OpDef SELU =
      UnaryDef.of("nn.selu", "selu", UnaryDef.floats(), ActivationOps::selu);

  /** {@code x > 0 ? x : alpha * x}. */
  public static final OpDef LEAKY_RELU =
      OpDef.named("nn.leakyrelu")
          .args("x")
          .attrs(AttrSpec.of("alpha", Kind.REAL, 0.01))
          .rule(UnaryDef.floats())
          .legalizer(
              UnaryDef.kernel(
                  "leaky_relu",
                  (call, k, name, x) ->
                      ActivationOps.leakyRelu(
                          k, name, x, call.attrs().real("alpha").orElseThrow())))
          .build();

  /** {@code beta * x > threshold ? x : log(1 + exp(beta * x)) / beta}. */
  public static final OpDef SOFTPLUS =
      OpDef.named("nn.softplus")
          .args("x")
          .attrs(AttrSpec.of("beta", Kind.REAL, 1.0), AttrSpec.of("threshold", Kind.REAL, 20.0))
          .rule(Activations::softplusType)
          .legalizer(
              UnaryDef.kernel(
                  "softplus",
                  (call, k, name, x) ->
                      ActivationOps.softplus(
                          k,
                          name,
                          x,
                          call.attrs().real("beta").orElseThrow(),
                          call.attrs().real("threshold").orElseThrow())))
          .build();

  private Activations() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(RELU, GELU, GELU_TANH, SILU, SELU, LEAKY_RELU, SOFTPLUS);
  }

  /** {@code max(x, 0)}; numbers. */
  public static Call relu(Expr x) {
    return Call.of(RELU, x);
  }

  /** {@code min(max(x, 0), 6)}; numbers. */
  public static Call relu6(Expr x) {
    return Conversions.clip(x, PrimValue.of(0), PrimValue.of(6));
  }

  /** {@code x * (0.5 + erf(x * sqrt(0.5)) * 0.5)}. */
  public static Call gelu(Expr x) {
    return Call.of(GELU, x);
  }

  /** The approximation of {@link #gelu} by {@code tanh}. */
  public static Call geluTanh(Expr x) {
    return Call.of(GELU_TANH, x);
  }

  /** {@code x * sigmoid(x)}. */
  public static Call silu(Expr x) {
    return Call.of(SILU, x);
  }

  /** A scaled exponential below 0, a scaled line above. */
  public static Call selu(Expr x) {
    return Call.of(SELU, x);
  }

  /** {@code x > 0 ? x : alpha * x}. */
  public static Call leakyRelu(Expr x, double alpha) {
    return Call.of(LEAKY_RELU, List.of(x), Attrs.of("alpha", alpha));
  }

  /**
   * {@code beta * x > threshold ? x : log(1 + exp(beta * x)) / beta}, with a beta that is not 0.
   */
  public static Call softplus(Expr x, double beta, double threshold) {
    return Call.of(SOFTPLUS, List.of(x), Attrs.of("beta", beta).with("threshold", threshold));
  }

  private static Type softplusType(OpCall call) {
    if (call.attrs().real("beta").orElseThrow() == 0) {
      throw call.error("beta must not be 0");
    }
    return ElementTypes.floats(call, 0);
  }
}
