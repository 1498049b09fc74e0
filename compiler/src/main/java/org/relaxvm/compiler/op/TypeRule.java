package org.relaxvm.compiler.op;

import org.relaxvm.compiler.type.Type;

/** Derives what a call of an operator gives. */
@FunctionalInterface
public interface TypeRule {
  /**
   * The type of the result.
   *
   * @param call the arguments: typed, and as many as the operator takes
   * @throws org.relaxvm.api.error.InvalidProgramException when the call is certainly wrong
   */
  Type infer(OpCall call);
}
