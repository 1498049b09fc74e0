package org.relaxvm.backendcuda;

import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.JcudaDriver;
import org.relaxvm.backendcuda.kernels.Nvrtc;
import org.relaxvm.backendcuda.program.CompilerSource;

/** Offers all devices of NVIDIA that the driver of CUDA shows to this process. Thread-safe. */
public final class CudaBackendProvider implements BackendProvider {
  private final Supplier<? extends Cuda> driver;
  private final IntFunction<CompilerSource.Found> compilers;
  private final IntFunction<CublasSource> cublas;
  private final UnaryOperator<@Nullable String> environment;

  /** Called by {@link java.util.ServiceLoader}. */
  public CudaBackendProvider() {
    this(JcudaDriver::load, CudaBackendProvider::nvrtc, CublasSource::of, System::getenv);
  }

  /**
   * With another driver, which each {@link #open()} makes.
   *
   * @param compilers looks for a compiler for a version of the driver
   * @param cublas looks for cuBLAS for a version of the driver
   * @param environment gives the value of a variable, or null
   */
  CudaBackendProvider(
      Supplier<? extends Cuda> driver,
      IntFunction<CompilerSource.Found> compilers,
      IntFunction<CublasSource> cublas,
      UnaryOperator<@Nullable String> environment) {
    this.driver = driver;
    this.compilers = compilers;
    this.cublas = cublas;
    this.environment = environment;
  }

  private static CompilerSource.Found nvrtc(int driverVersion) {
    Nvrtc.Found found = Nvrtc.find(driverVersion);
    return new CompilerSource.Found(Optional.of(found.orPrepared()), found.absence());
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return CudaBackend.NAME;
  }

  @Override
  public Probe probe() {
    return Probe.usable("CUDA 12.0 or later, whose driver is looked for when it is opened");
  }

  @Override
  public Backend open() {
    return CudaBackend.open(driver.get(), compilers, cublas, environment);
  }
}
