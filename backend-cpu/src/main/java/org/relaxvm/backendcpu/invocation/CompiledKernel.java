package org.relaxvm.backendcpu.invocation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;

/** Code that all kernels of one structure share. Thread-safe. */
public interface CompiledKernel {
  /** The names of the functions that the code calls. */
  List<String> functions();

  /**
   * Runs the code.
   *
   * @param context of the call; null without one
   * @param buffers the tensors of the parameters that are buffers, in their order
   * @param values of the variables, in their order, as {@link org.relaxvm.tir.abi.CallBinding}
   *     gives them
   * @param called what the code calls, in the order of {@link #functions()}
   * @return what the kernel returns: a Long, Double or Boolean; null if it returns nothing
   * @throws ArithmeticException if an integer is divided by 0
   * @throws IndexOutOfBoundsException if an index in the data is not within its axis
   * @throws org.relaxvm.api.error.CallException as the previous one, where the axis is known
   */
  @Nullable Object run(
      @Nullable VmContext context, List<Argument> buffers, long[] values, List<PackedFunc> called);
}
