package org.relaxvm.tir.library;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;

/**
 * A kernel that computes a function of the library, unscheduled: its parameters are inputs of the
 * function, then the output. Immutable and thread-safe.
 */
public final class LibraryKernel {
  private final PrimFunc function;
  private final List<Operands.Source> sources;
  private final boolean flat;

  /**
   * A kernel.
   *
   * @param sources the tensors of a call that it takes, in its order, without the output
   * @param flat whether it takes tensors as rank 1
   */
  LibraryKernel(PrimFunc function, List<Operands.Source> sources, boolean flat) {
    this.function = function;
    this.sources = List.copyOf(sources);
    this.flat = flat;
  }

  /** The kernel. */
  public PrimFunc function() {
    return function;
  }

  /**
   * Calls a compiled form of the kernel.
   *
   * @param compiled takes the parameters of the kernel
   * @param call one that needs this kernel
   */
  public void run(PackedFunc compiled, LibraryCall call) {
    @Nullable Object[] tensors = new Object[sources.size() + 1];
    for (int i = 0; i < sources.size(); i++) {
      Operands.Source source = sources.get(i);
      tensors[i] = call.tensor(source.argument(), source.field());
    }
    tensors[sources.size()] = call.output();
    List<Tensor> lines = new ArrayList<>();
    try {
      for (int i = 0; flat && i < tensors.length; i++) {
        if (tensors[i] instanceof Tensor tensor && tensor.shape().rank() != 1) {
          Tensor line = tensor.reshape(Shape.of(tensor.elementCount()));
          lines.add(line);
          tensors[i] = line;
        }
      }
      compiled.call(CallArgs.of(call.args().contextOrNull(), tensors), new CallResult());
    } finally {
      lines.forEach(Tensor::close);
    }
  }
}
