package org.relaxvm.backendcpu;

import java.util.List;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Device;

/** The one CPU of this machine. */
record CpuBackend(CpuDevice device) implements Backend {
  static final String NAME = "cpu";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Device> devices() {
    return List.of(device);
  }

  @Override
  public void close() {
    device.close();
  }
}
