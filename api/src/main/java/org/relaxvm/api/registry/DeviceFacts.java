package org.relaxvm.api.registry;

import java.util.Map;
import org.relaxvm.api.discovery.Problem;
import org.relaxvm.api.discovery.ProviderBridge;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceProperties;

/** What a device says of itself, even if it fails to. */
final class DeviceFacts {
  private DeviceFacts() {}

  static DeviceProperties of(Device device) {
    return ProviderBridge.attempt(device::properties)
        .orElse(
            failure ->
                new DeviceProperties(
                    "unknown: " + Problem.ofFailure("properties() failed", failure).detail(),
                    0,
                    1,
                    Long.MAX_VALUE,
                    Map.of()));
  }
}
