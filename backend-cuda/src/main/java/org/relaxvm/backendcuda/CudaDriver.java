package org.relaxvm.backendcuda;

import java.util.Optional;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Device;
import org.relaxvm.backendcuda.context.DeviceFacts;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendcuda.kernels.CudaDialect;
import org.relaxvm.backendcuda.program.CompilerSource;
import org.relaxvm.backendcuda.program.CudaProgram;
import org.relaxvm.backendcuda.program.LaunchShape;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.module.GpuProgram;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmLibrary;

/** Runs kernels of the kernel IR on a device of CUDA. Thread-safe. */
final class CudaDriver implements GpuDriver {
  private final CudaDevice device;
  private final CompilerSource compilers;
  private final CublasLibrary gemmLibrary;
  private final Dialect dialect;

  CudaDriver(CudaDevice device, DeviceFacts facts, CompilerSource compilers, CublasSource cublas) {
    this.device = device;
    this.compilers = compilers;
    this.gemmLibrary = new CublasLibrary(device, cublas);
    this.dialect = new CudaDialect(facts.report().maxGrid());
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public BackendOptions options() {
    return device.options();
  }

  @Override
  public GpuLimits limits() {
    return compilers.preparedFor().orElseGet(device::limits);
  }

  @Override
  public boolean wantsGeneralKernels() {
    return compilers.preparedFor().isPresent();
  }

  @Override
  public Optional<GemmLibrary> gemmLibrary() {
    return Optional.of(gemmLibrary);
  }

  @Override
  public Dialect dialect(boolean wide) {
    return dialect;
  }

  @Override
  public GpuProgram build(String name, String source) {
    CudaProgram program = device.build(name, source);
    return GpuProgram.of(
        (kernel, function, stream, arguments, size, sharedBytes) ->
            device
                .own(stream)
                .launch(
                    program.kernel(kernel), function, arguments, LaunchShape.of(size, sharedBytes)),
        program::close);
  }
}
