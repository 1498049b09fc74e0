package org.relaxvm.backendcuda;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.StateReport;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.context.FoundDevice;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.program.CompilerSource;
import org.relaxvm.backendsupport.cache.CacheSettings;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.gpu.device.GpuDevice;

/**
 * All devices that the driver shows; none is in use before something is asked of it.
 *
 * @param visible what the environment says of devices that are to be seen; null when nothing
 */
record CudaBackend(
    List<Device> devices,
    KernelCache cache,
    CompilerSource compilers,
    CublasSource cublas,
    @Nullable String visible)
    implements Backend, StateReport {
  static final String NAME = "cuda";

  /**
   * Asks what there is.
   *
   * @param compilers looks for a compiler for a version of the driver
   * @param cublas looks for cuBLAS for a version of the driver
   * @param environment gives the value of a variable, or null
   * @param options of the backend
   */
  static CudaBackend open(
      Cuda cuda,
      IntFunction<CompilerSource.Found> compilers,
      IntFunction<CublasSource> cublas,
      UnaryOperator<@Nullable String> environment,
      BackendOptions options) {
    KernelCache cache = KernelCache.open(CacheSettings.of(options));
    List<FoundDevice> all = FoundDevice.all(cuda, environment);
    int version = all.getFirst().facts().driverVersion();
    CompilerSource source = new CompilerSource(() -> compilers.apply(version));
    CublasSource cublasSource = cublas.apply(version);
    List<Device> devices = new ArrayList<>();
    for (FoundDevice found : all) {
      DeviceId id = new DeviceId(NAME, devices.size());
      devices.add(
          new CudaDevice(new DeviceContext(id, cuda, found, options), source, cublasSource, cache));
    }
    return new CudaBackend(
        List.copyOf(devices), cache, source, cublasSource, environment.apply(FoundDevice.VISIBLE));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, String> state() {
    Map<String, String> state = new LinkedHashMap<>();
    state.put("kernel cache", cache.state().toString());
    state.put("compiler", compilers.state());
    state.put("cuBLAS", cublas.find().state());
    state.put("cuBLASLt", cublas.findLt().state());
    if (visible != null) {
      state.put(FoundDevice.VISIBLE, visible);
    }
    return state;
  }

  @Override
  public void close() {
    GpuDevice.closeAll(devices);
  }
}
