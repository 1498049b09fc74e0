package org.relaxvm.compiler.pass;

import org.relaxvm.api.TypedObject;
import org.relaxvm.compiler.ir.IRModule;

/**
 * Transforms a program into an equivalent one; also a value of packed calls. Thread-safe: runs
 * share no state.
 */
public interface Pass extends TypedObject {
  /** The name, such as {@code FuseOps}: unique in a pipeline. */
  String name();

  /**
   * Returns the transformed program.
   *
   * @param module in normal form; not changed
   * @throws org.relaxvm.api.error.InvalidProgramException when the program breaks a rule that this
   *     pass relies on; with the function and the binding
   */
  IRModule run(IRModule module, PassContext context);

  @Override
  default String typeKey() {
    return "transform.Pass";
  }
}
