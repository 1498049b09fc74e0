package org.relaxvm.backendsupport.gpu.kernellibrary;

import java.util.List;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.module.GpuModule;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.library.LibraryCall;
import org.relaxvm.tir.library.LibraryKernel;
import org.relaxvm.tir.verify.Verifier;

/** A kernel of the library that a device loaded. Thread-safe. */
record CompiledLibraryKernel(Module module, PackedFunc function, LibraryKernel kernel)
    implements AutoCloseable {

  /**
   * Loads a kernel.
   *
   * @throws InvalidProgramException when the device cannot run it
   */
  static CompiledLibraryKernel load(GpuDriver driver, LibraryKernel kernel) {
    Module module = loaded(driver, kernel.function());
    return new CompiledLibraryKernel(
        module, function(driver, module, kernel.function().name()), kernel);
  }

  /** A module of one kernel. */
  static Module loaded(GpuDriver driver, PrimFunc kernel) {
    Verifier.verify(kernel);
    return GpuModule.of(driver, List.of(kernel));
  }

  /**
   * A kernel of a module.
   *
   * @throws InvalidProgramException when the device cannot run it
   */
  static PackedFunc function(GpuDriver driver, Module module, String name) {
    return module
        .find(name)
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    module.lacks(name).orElse("no kernel on " + driver.device())
                        + "; call it on the CPU"));
  }

  /** Enqueues the kernel for a call. */
  void run(LibraryCall call) {
    kernel.run(function, call);
  }

  @Override
  public void close() {
    module.close();
  }
}
