package org.relaxvm.interoprelay.proposal;

import java.util.List;

/**
 * A program of the Relay VM. Functions, packed functions and constants are referred to by index.
 *
 * <p>Nothing is verified here. Immutable, apart from the content of constant tensors, which must
 * not be written.
 *
 * @param functions in order of their indices
 * @param packed names of packed functions
 * @param constants tensors in host memory, {@link Long}, {@link Double} or {@link String}
 */
public record RelayModule(
    List<RelayFunction> functions, List<String> packed, List<Object> constants) {
  /** Copies the lists. */
  public RelayModule {
    functions = List.copyOf(functions);
    packed = List.copyOf(packed);
    constants = List.copyOf(constants);
  }
}
