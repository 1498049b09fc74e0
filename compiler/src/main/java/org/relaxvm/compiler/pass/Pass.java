package org.relaxvm.compiler.pass;

import org.relaxvm.compiler.ir.IRModule;

/**
 * Makes a program of a program that means the same. Thread-safe: what a run keeps it keeps for
 * itself.
 */
public interface Pass {
  /** The name, such as {@code FuseOps}: unique in a pipeline. */
  String name();

  /**
   * The program that takes the place of one.
   *
   * @param module in normal form; not changed
   * @throws org.relaxvm.api.error.InvalidProgramException when the program breaks a rule that this
   *     pass relies on; with the function and the binding
   */
  IRModule run(IRModule module, PassContext context);
}
