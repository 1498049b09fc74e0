package org.relaxvm.backendopencl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.StateReport;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.context.FoundDevice;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendsupport.cache.CacheSettings;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.gpu.device.GpuDevice;

/** All devices of all platforms; none is in use before something is asked of it. */
record OpenClBackend(List<Device> devices, KernelCache cache) implements Backend, StateReport {
  static final String NAME = "opencl";

  /** Asks what there is. */
  static OpenClBackend open(OpenCl cl, BackendOptions options) {
    KernelCache cache = KernelCache.open(CacheSettings.of(options));
    List<Device> devices = new ArrayList<>();
    for (FoundDevice found : FoundDevice.all(cl)) {
      DeviceId id = new DeviceId(NAME, devices.size());
      devices.add(new OpenClDevice(new DeviceContext(id, cl, found, options), cache));
    }
    return new OpenClBackend(List.copyOf(devices), cache);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, String> state() {
    return Map.of("kernel cache", cache.state().toString());
  }

  @Override
  public void close() {
    GpuDevice.closeAll(devices);
  }
}
