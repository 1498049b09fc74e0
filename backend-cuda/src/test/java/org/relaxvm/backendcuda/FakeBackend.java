package org.relaxvm.backendcuda;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendcuda.cublas.FoundLibrary;
import org.relaxvm.backendcuda.program.CompilerSource;

/** A backend whose driver, compiler and environment a test has in its hands. */
final class FakeBackend {
  final RecordingCuda cuda = new RecordingCuda();
  final FakeCompiler compiler = new FakeCompiler();
  final Map<String, String> environment = new HashMap<>();

  FakeBackend() {
    cuda.kernels.put(NegatedKernel.NAME, NegatedKernel::run);
  }

  /** One that is installed would take addresses that no device has. */
  private static CublasSource noCublas(int driverVersion) {
    return new CublasSource(
        () -> FoundLibrary.none("cuBLAS was not found\n  what to do: look for it"),
        () -> FoundLibrary.none("cuBLASLt was not found\n  what to do: look for it"));
  }

  CudaBackendProvider provider() {
    return new CudaBackendProvider(
        () -> cuda, _ -> compiler.found(), FakeBackend::noCublas, environment::get);
  }

  Backend open() {
    return provider().open();
  }

  /** A backend that finds no compiler. */
  CudaBackendProvider withoutCompiler(String absence) {
    return new CudaBackendProvider(
        () -> cuda,
        _ -> new CompilerSource.Found(Optional.empty(), absence),
        FakeBackend::noCublas,
        environment::get);
  }
}
