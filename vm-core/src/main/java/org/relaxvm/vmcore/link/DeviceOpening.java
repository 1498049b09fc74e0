package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.vmcore.interp.DeviceSet;

/** Opens a VM's devices and makes their allocators. */
final class DeviceOpening {
  private DeviceOpening() {}

  static DeviceSet open(LinkOptions options, Resources resources) {
    List<Device> devices = new ArrayList<>();
    for (String name : options.devices()) {
      Device device = options.registry().require(name);
      if (devices.contains(device)) {
        throw new LinkException(
            ErrorKind.VALUE,
            "device " + device + " is given twice; the devices are " + options.devices());
      }
      if (!devices.isEmpty() && devices.getLast().isHost()) {
        throw new LinkException(
            ErrorKind.VALUE,
            "the host "
                + devices.getLast()
                + " must be the last device, but "
                + device
                + " follows it: give the host last, or leave it out and it is added");
      }
      devices.add(device);
    }
    if (devices.isEmpty() || !devices.getLast().isHost()) {
      devices.add(options.registry().host());
    }
    List<Allocator> allocators = new ArrayList<>();
    for (Device device : devices) {
      Allocator allocator = options.allocators().apply(device);
      resources.add(allocator::close);
      allocators.add(allocator);
    }
    DeviceSet set = new DeviceSet(devices, allocators);
    resources.add(set::closeStreams);
    return set;
  }
}
