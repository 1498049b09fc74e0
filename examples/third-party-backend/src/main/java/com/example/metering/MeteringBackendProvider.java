package com.example.metering;

import java.util.List;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;

/** Offers the device {@code metering:0}, which works everywhere. Thread-safe. */
public final class MeteringBackendProvider implements BackendProvider {
  private static final String NAME = "metering";

  /** For {@link java.util.ServiceLoader}. */
  public MeteringBackendProvider() {}

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Probe probe() {
    return Probe.usable("plain Java, counts copies and operations");
  }

  @Override
  public Backend open(BackendOptions options) {
    return new MeteringBackend(List.of(new MeteringDevice(new DeviceId(NAME, 0))));
  }

  private record MeteringBackend(List<Device> devices) implements Backend {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void close() {
      devices.forEach(Device::close);
    }
  }
}
