package org.relaxvm.backendvulkan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.StateReport;
import org.relaxvm.backendsupport.cache.CacheSettings;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.gpu.device.GpuDevice;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.FoundDevice;
import org.relaxvm.backendvulkan.context.Instance;
import org.relaxvm.backendvulkan.driver.Vulkan;

/** All devices of this machine; none is in use before something is asked of it. */
record VulkanBackend(List<Device> devices, KernelCache cache, Instance instance)
    implements Backend, StateReport {
  static final String NAME = "vulkan";

  /** Asks what there is. */
  static VulkanBackend open(Vulkan vulkan, BackendOptions options) {
    KernelCache cache = KernelCache.open(CacheSettings.of(options));
    Instance instance = Instance.open(vulkan);
    List<Device> devices = new ArrayList<>();
    for (FoundDevice found : instance.devices()) {
      DeviceId id = new DeviceId(NAME, devices.size());
      devices.add(new VulkanDevice(new DeviceContext(id, vulkan, found, options), cache));
    }
    return new VulkanBackend(List.copyOf(devices), cache, instance);
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
    try {
      GpuDevice.closeAll(devices);
    } finally {
      instance.close();
    }
  }
}
