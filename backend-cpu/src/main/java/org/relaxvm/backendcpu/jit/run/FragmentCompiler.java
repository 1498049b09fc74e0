package org.relaxvm.backendcpu.jit.run;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Node;

/** Writes the code of parts of kernels. Thread-safe. */
@FunctionalInterface
public interface FragmentCompiler {
  /**
   * The code of a statement. The statement has no parallel loop, no {@link Node.Invoke}, no {@link
   * Node.Result}, and allocates only buffers of constant size, which are scratch memory.
   *
   * @param name of dumps
   * @param body the statement
   * @param parallelLoop a loop whose body the statement is: the code runs it for each value of the
   *     counter in the range that is passed to the function; null where the code runs the statement
   *     once and ignores the range
   * @param layout where addresses of buffers and values of variables are that the statement uses
   *     and does not define itself
   * @param program the kernel, for its checks
   * @throws org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException if the code cannot be written
   */
  Fragment compile(
      String name,
      Node body,
      Node.@Nullable Loop parallelLoop,
      BlockLayout layout,
      LoopProgram program);
}
