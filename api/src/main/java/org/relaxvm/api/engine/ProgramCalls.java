package org.relaxvm.api.engine;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;

/**
 * Calls of a program's functions from the body of a compiled function. They are made as call
 * instructions of bytecode are: instruments and recordings see them, and the limit of instructions
 * counts them. Not thread-safe.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why do compiled functions call through the function
 * table?"
 */
public interface ProgramCalls {
  /**
   * The index of a packed function in the function table of the program.
   *
   * @throws org.relaxvm.api.error.CallException when the table has no such function
   */
  int find(String name);

  /**
   * Calls a packed function.
   *
   * @param function its index in the function table
   */
  void call(int function, CallArgs args, CallResult result);

  /**
   * Begins another iteration of a loop.
   *
   * @throws org.relaxvm.api.error.RelaxException when the call was interrupted or used up its
   *     instructions
   */
  void iterate();
}
