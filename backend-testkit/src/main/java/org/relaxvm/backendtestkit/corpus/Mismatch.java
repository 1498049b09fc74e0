package org.relaxvm.backendtestkit.corpus;

import java.util.Map;

/**
 * An element that is not what the evaluator gives.
 *
 * @param param the name of the tensor
 */
public record Mismatch(
    String kernel,
    Map<String, Long> binding,
    String param,
    String index,
    String expected,
    String got) {
  @Override
  public String toString() {
    return kernel
        + " with "
        + binding
        + ": "
        + param
        + index
        + " must be "
        + expected
        + ", but is "
        + got;
  }
}
