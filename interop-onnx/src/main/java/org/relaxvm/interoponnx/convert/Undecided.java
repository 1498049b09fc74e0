package org.relaxvm.interoponnx.convert;

import java.util.Set;

/**
 * A node needs the values of inputs of the model while it is imported: they decide axes, which no
 * kernel takes as data.
 */
final class Undecided extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Set<String> inputs;

  /**
   * @param inputs names of inputs of the model, at least one
   */
  Undecided(Set<String> inputs) {
    super("inputs decide axes", null, false, false);
    this.inputs = Set.copyOf(inputs);
  }

  Set<String> inputs() {
    return inputs;
  }
}
