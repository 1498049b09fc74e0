package org.relaxvm.backendcuda;

import java.util.Optional;
import java.util.function.Supplier;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendcuda.cublas.FoundLibrary;
import org.relaxvm.backendcuda.emulation.EmulatedCuda;
import org.relaxvm.backendcuda.emulation.HostCompiler;
import org.relaxvm.backendcuda.program.CompilerSource;

/** The backend over emulated devices. */
public final class EmulatedGpu {
  /** Kernels are compiled once for all tests. */
  private static final HostCompiler COMPILER = new HostCompiler();

  private EmulatedGpu() {}

  /** One device, of compute capability 8.9. */
  public static CudaBackendProvider provider() {
    return provider(new EmulatedCuda(1, 8, 9));
  }

  /** Without cuBLAS. */
  static CudaBackendProvider provider(EmulatedCuda driver) {
    return provider(
        driver,
        () ->
            new CublasSource(
                () -> FoundLibrary.none("no cuBLAS in tests"),
                () -> FoundLibrary.none("no cuBLASLt in tests")));
  }

  static CudaBackendProvider provider(EmulatedCuda driver, Supplier<CublasSource> cublas) {
    return new CudaBackendProvider(
        () -> driver,
        version -> new CompilerSource.Found(Optional.of(COMPILER), ""),
        version -> cublas.get(),
        name -> null);
  }
}
