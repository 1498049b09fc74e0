package org.relaxvm.backendcpu.codegen;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Calls of functions by name from generated code. */
public final class PackedCalls {
  private PackedCalls() {}

  /** Calls a function with the context of the kernel; what it returns is not used. */
  public static void call(KernelFrame frame, int function, Object[] args) {
    CallResult result = new CallResult();
    try {
      frame.function(function).call(CallArgs.of(frame.contextOrNull(), args), result);
    } finally {
      result.setNull();
      for (Object arg : args) {
        if (arg instanceof Tensor tensor && frame.isOwn(tensor)) {
          tensor.close();
        }
      }
    }
  }

  /**
   * A buffer as a tensor.
   *
   * @param shape of memory that the kernel allocated; of a parameter the tensor is there
   */
  public static Object tensor(KernelFrame frame, int buffer, String dtype, long[] shape) {
    Tensor given = frame.tensorOrNull(buffer);
    if (given != null) {
      return given;
    }
    DType type = DType.parse(dtype);
    Shape dims = Shape.of(shape);
    long bytes = type.elementByteSize();
    for (long dim : shape) {
      bytes *= dim;
    }
    return Tensor.wrap(frame.memory(buffer).asSlice(0, bytes), type, dims);
  }
}
