package org.relaxvm.api.kernels;

import java.util.List;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The function that a kernel applies to its result before storing it, given to kernels as its lower
 * case name.
 */
public enum Activation {
  /** The result as it is. */
  NONE("none"),
  /** {@code max(x, 0)}. */
  RELU("relu"),
  /** {@code x * (1 + erf(x / sqrt(2))) / 2}. */
  GELU("gelu"),
  /** {@code x * sigmoid(x)}. */
  SILU("silu"),
  /** {@code 1 / (1 + exp(-x))}. */
  SIGMOID("sigmoid"),
  /** The hyperbolic tangent. */
  TANH("tanh");

  // Made once: values() makes an array at each call.
  private static final List<Activation> ALL = List.of(values());

  private final String text;

  Activation(String text) {
    this.text = text;
  }

  /** The name in calls. */
  public String text() {
    return text;
  }

  /**
   * The activation of a name.
   *
   * @param kernel the kernel that was called, for the message
   * @throws CallException a {@code ValueError} for any other name
   */
  public static Activation of(String kernel, String name) {
    for (Activation activation : ALL) {
      if (activation.text.equals(name)) {
        return activation;
      }
    }
    throw new CallException(
        ErrorKind.VALUE,
        kernel
            + ": unknown activation '"
            + name
            + "'; expected none, relu, gelu, silu, sigmoid or tanh");
  }

  /** Whether it is defined for integers too. */
  public boolean acceptsIntegers() {
    return this == NONE || this == RELU;
  }
}
