package org.relaxvm.backendtestkit.reference;

import java.util.List;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Device;

/** Two equal devices, so that copies between devices can be tested too. */
record ReferenceBackend(String name, List<Device> devices) implements Backend {
  @Override
  public void close() {
    devices.forEach(Device::close);
  }
}
