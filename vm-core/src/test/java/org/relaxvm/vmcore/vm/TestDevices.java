package org.relaxvm.vmcore.vm;

import java.util.List;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;

/** A registry with the host, named {@code cpu}, and one device with memory of its own. */
final class TestDevices implements AutoCloseable {
  private final OpaqueDevice opaque = new OpaqueDevice();
  private final BackendRegistry registry;

  TestDevices(FunctionProvider... providers) {
    this(List.of(), providers);
  }

  /** With a further device. */
  TestDevices(Device further) {
    this(List.of(further));
  }

  private TestDevices(List<Device> further, FunctionProvider... providers) {
    BackendRegistry.Builder builder =
        BackendRegistry.builder()
            .add(new Provider("cpu", true, HostDevice.INSTANCE))
            .add(new Provider("opaque", false, opaque));
    for (Device device : further) {
      builder.add(new Provider(device.id().kind(), false, device));
    }
    for (FunctionProvider provider : providers) {
      builder.add(provider);
    }
    this.registry = builder.build();
  }

  BackendRegistry registry() {
    return registry;
  }

  OpaqueDevice opaque() {
    return opaque;
  }

  @Override
  public void close() {
    registry.close();
  }

  private record Provider(String name, boolean host, Device device) implements BackendProvider {
    @Override
    public int spiVersion() {
      return SpiVersion.CURRENT;
    }

    @Override
    public Probe probe() {
      return Probe.usable("test");
    }

    @Override
    public Backend open(BackendOptions options) {
      return new OneDevice(name, device);
    }
  }

  private record OneDevice(String name, Device device) implements Backend {
    @Override
    public List<Device> devices() {
      return List.of(device);
    }

    @Override
    public void close() {}
  }
}
