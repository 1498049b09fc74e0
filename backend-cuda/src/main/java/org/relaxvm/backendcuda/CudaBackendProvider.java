package org.relaxvm.backendcuda;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendcuda.cublas.Cublas;
import org.relaxvm.backendcuda.cublas.CublasLt;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.JcudaDriver;
import org.relaxvm.backendcuda.kernels.CudaCompiler;
import org.relaxvm.backendcuda.kernels.Nvrtc;
import org.relaxvm.backendcuda.program.CachedImages;
import org.relaxvm.backendcuda.program.CompilerSource;
import org.relaxvm.backendsupport.gpu.device.GpuOptions;

/** Offers all devices of NVIDIA that the driver of CUDA shows to this process. Thread-safe. */
public final class CudaBackendProvider implements BackendProvider {
  private final Supplier<? extends Cuda> driver;
  private final Function<BackendOptions, IntFunction<CompilerSource.Found>> compilers;
  private final Function<BackendOptions, IntFunction<CublasSource>> cublas;
  private final UnaryOperator<@Nullable String> environment;

  /** Called by {@link java.util.ServiceLoader}. */
  public CudaBackendProvider() {
    this.driver = JcudaDriver::load;
    this.compilers = options -> version -> nvrtc(version, options);
    this.cublas = options -> version -> CublasSource.of(version, options);
    this.environment = System::getenv;
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
    this.compilers = _ -> compilers;
    this.cublas = _ -> cublas;
    this.environment = environment;
  }

  private static CompilerSource.Found nvrtc(int driverVersion, BackendOptions options) {
    Nvrtc.Found found = Nvrtc.find(driverVersion, options);
    Optional<CudaCompiler> compiler = found.orPrepared();
    return new CompilerSource.Found(compiler, found.absenceWith(compiler));
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
  public List<BackendOption> options() {
    return GpuOptions.with(
        CachedImages.FAILED_SOURCES,
        BackendOption.of(
            "cublas",
            "off or a file",
            "the library that is found",
            Cublas.SETTING,
            "Chooses the library cuBLAS, or switches it off."),
        BackendOption.of(
            "cublasLt",
            "off or a file",
            "the library that is found",
            CublasLt.SETTING,
            "Chooses the library cuBLASLt, or switches it off."),
        BackendOption.of(
            "nvrtc",
            "a file",
            "the library that is found",
            Nvrtc.SETTING,
            "Chooses the library NVRTC, which compiles kernels."));
  }

  @Override
  public Backend open(BackendOptions options) {
    return CudaBackend.open(
        driver.get(), compilers.apply(options), cublas.apply(options), environment, options);
  }
}
