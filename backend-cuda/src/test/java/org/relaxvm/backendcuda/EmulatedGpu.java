package org.relaxvm.backendcuda;

import java.util.Optional;
import org.relaxvm.backendcuda.emulation.EmulatedCuda;
import org.relaxvm.backendcuda.emulation.HostCompiler;
import org.relaxvm.backendcuda.program.CompilerSource;

/** The backend over devices that this machine plays. */
public final class EmulatedGpu {
  /** Kernels are compiled once for all tests. */
  private static final HostCompiler COMPILER = new HostCompiler();

  private EmulatedGpu() {}

  /** One device, of compute capability 8.0. */
  public static CudaBackendProvider provider() {
    return provider(new EmulatedCuda(1, 8, 0));
  }

  static CudaBackendProvider provider(EmulatedCuda driver) {
    return new CudaBackendProvider(
        () -> driver, version -> new CompilerSource.Found(Optional.of(COMPILER), ""), name -> null);
  }
}
