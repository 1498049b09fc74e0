package org.relaxvm.backendsupport.gpu.kernellibrary;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.module.GpuModule;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.verify.Verifier;

/**
 * A kernel that computes a function of the library. Thread-safe.
 *
 * @param sources the tensors of a call that it takes, in its order, without the output
 * @param flat whether it takes them as lines
 */
record CompiledLibraryKernel(
    Module module, PackedFunc function, List<Operands.Source> sources, boolean flat)
    implements AutoCloseable {

  /**
   * Loads a kernel.
   *
   * @throws InvalidProgramException when the device cannot run it
   */
  static CompiledLibraryKernel load(
      GpuDriver driver, PrimFunc kernel, List<Operands.Source> sources, boolean flat) {
    Verifier.verify(kernel);
    Module module = GpuModule.of(driver, List.of(kernel));
    PackedFunc function =
        module
            .find(kernel.name())
            .orElseThrow(
                () ->
                    new InvalidProgramException(
                        ErrorKind.VALUE,
                        module.lacks(kernel.name()).orElse("no kernel on " + driver.device())
                            + "; call it on the CPU"));
    return new CompiledLibraryKernel(module, function, List.copyOf(sources), flat);
  }

  /** Enqueues the kernel for a call. */
  void run(LibraryCall call) {
    @Nullable Object[] tensors = new Object[sources.size() + 1];
    for (int i = 0; i < sources.size(); i++) {
      Operands.Source source = sources.get(i);
      tensors[i] = call.tensors(source.argument()).get(source.field());
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
      function.call(CallArgs.of(call.args().contextOrNull(), tensors), new CallResult());
    } finally {
      lines.forEach(Tensor::close);
    }
  }

  @Override
  public void close() {
    module.close();
  }
}
