package org.relaxvm.tir.analysis;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.kernels.Activation;

/** The function of one element that an epilogue ends with. */
public enum EpilogueFunction {
  /** The element as it is. */
  NONE(Activation.NONE),
  /** {@code max(x, 0)}. */
  RELU(Activation.RELU),
  /** {@code x * (1 + erf(x / sqrt(2))) / 2}. */
  GELU(Activation.GELU),
  /** {@code x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2}. */
  GELU_TANH(null),
  /** {@code x * sigmoid(x)}. */
  SILU(Activation.SILU),
  /** {@code 1 / (1 + exp(-x))}. */
  SIGMOID(Activation.SIGMOID),
  /** The hyperbolic tangent. */
  TANH(Activation.TANH);

  private final @Nullable Activation activation;

  EpilogueFunction(@Nullable Activation activation) {
    this.activation = activation;
  }

  /** What the kernel library calls it; empty where it has no such activation. */
  public Optional<Activation> activation() {
    return Optional.ofNullable(activation);
  }

  /** The function that the kernel library calls by a name; empty when there is none. */
  public static Optional<EpilogueFunction> of(@Nullable Object name) {
    return Arrays.stream(values())
        .filter(each -> each.activation != null && each.activation.text().equals(name))
        .findFirst();
  }
}
