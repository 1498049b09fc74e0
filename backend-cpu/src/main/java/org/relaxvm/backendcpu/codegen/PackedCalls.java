package org.relaxvm.backendcpu.codegen;

import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Calls of functions by name from generated code. */
public final class PackedCalls {
  private PackedCalls() {}

  /** Calls a function; what it returns is not used. */
  public static void call(KernelFrame frame, int function, Object[] args) {
    try {
      frame.function(function).invoke(args).close();
    } finally {
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
