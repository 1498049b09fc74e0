package org.relaxvm.backendcpu;

import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;

/** The host CPU: host memory with kernels. Thread-safe. */
final class CpuDevice extends HostDevice {
  private final CpuFacts facts;
  private final Module library = CpuLibrary.create();

  CpuDevice(CpuFacts facts) {
    this.facts = facts;
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties(
        facts.title(), facts.memoryBytes(), ALIGNMENT, Long.MAX_VALUE, facts.details());
  }

  @Override
  public Module library() {
    return library;
  }
}
