package org.relaxvm.backendcpu;

import java.util.LinkedHashMap;
import java.util.Map;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;
import org.relaxvm.backendcpu.vector.VectorChoice;

/** The host CPU: host memory with kernels. Thread-safe. */
final class CpuDevice extends HostDevice {
  private final DeviceProperties properties;
  private final Module library;

  CpuDevice(CpuFacts facts, VectorChoice vectors) {
    Map<String, String> details = new LinkedHashMap<>(facts.details());
    details.put("kernels", vectors.toString());
    properties =
        new DeviceProperties(
            facts.title(), facts.memoryBytes(), ALIGNMENT, Long.MAX_VALUE, details);
    library = CpuLibrary.create(vectors);
  }

  @Override
  public DeviceProperties properties() {
    return properties;
  }

  @Override
  public Module library() {
    return library;
  }
}
