package org.relaxvm.backendopencl;

import java.util.List;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;

/** Host memory without kernels, which every virtual machine needs. */
final class HostProvider implements BackendProvider {
  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public boolean host() {
    return true;
  }

  @Override
  public Probe probe() {
    return Probe.usable("memory without kernels");
  }

  @Override
  public Backend open(BackendOptions options) {
    return new Memory(List.of(HostDevice.INSTANCE));
  }

  private record Memory(List<Device> devices) implements Backend {
    @Override
    public String name() {
      return "cpu";
    }

    @Override
    public void close() {}
  }
}
